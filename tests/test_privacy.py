"""What is left out shows up nowhere in the output."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from sitemapkit import Page, Reason, build, read_options

if TYPE_CHECKING:
    from pathlib import Path


def test_no_file_of_the_output_names_a_page_that_is_left_out(tmp_path: Path) -> None:
    options = read_options(
        {
            "formats": ["xml", "txt", "html", "atom", "llms"],
            "news": {"name": "News", "language": "en", "match": "*"},
            "exclude": ["secret-by-option/"],
        },
        where="test",
        base_url="https://example.org/",
    )
    today = date.today()  # noqa: DTZ011 - fresh enough for news in every zone
    pages = [
        Page("open/", title="open"),
        Page("secret-by-option/", title="secret"),
        Page("secret-by-page/", title="secret", meta={"sitemap": False}),
        Page("secret-by-robots/", title="secret", meta={"robots": "noindex"}),
        Page("secret-draft/", title="secret", excluded=Reason.DRAFT),
    ]
    for page in pages:
        page.modified = page.published = today
    build(pages, options, tmp_path)
    texts = {file.name: file.read_text() for file in tmp_path.iterdir()}
    names = {"sitemap.xml", "sitemap.txt", "sitemap.html", "sitemap.atom", "llms.txt"}
    assert names <= texts.keys()
    assert not [name for name, text in texts.items() if "secret" in text]
