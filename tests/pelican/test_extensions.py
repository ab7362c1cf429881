"""What the core can do with what Pelican knows: images, news, a feed, a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import md

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

    MakeSite = Callable[..., Site]

IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.mark.parametrize("relative", [False, True])
def test_images_of_texts_are_listed_under_the_addresses_that_pelican_gives_them(
    site: MakeSite, *, relative: bool
) -> None:
    made = site(
        {
            "content/a.md": md("A", date="2024-01-02", body="![x]({static}/images/x.png)"),
            "content/images/x.png": "",
        },
        ARTICLE_URL="notes/{slug}/",
        ARTICLE_SAVE_AS="notes/{slug}/index.html",
        RELATIVE_URLS=relative,
        SITEMAP={"images": True},
    )
    made.build()
    found = {image.text for image in made.elements(f"{IMAGE}loc")}
    assert found == {"https://example.org/images/x.png"}


def test_a_feed_has_the_titles_of_texts_and_llms_txt_those_of_groups_too(site: MakeSite) -> None:
    made = site(
        {
            "content/a.md": md("A &amp; <em>B</em>", date="2024-01-02", slug="a", tags="C & D"),
            "content/pages/c.md": md("Page & more", modified="2024-01-02"),
        },
        SITENAME="My Site",
        SITEMAP={"formats": ["xml", "atom", "llms"]},
    )
    made.build()
    (feed,) = made.out.glob("sitemap*.atom")
    titles = [title.text for title in made.elements(f"{ATOM}title", feed.name)]
    assert {*titles} == {"My Site", "A & B", "Page & more"}
    text = (made.out / "llms.txt").read_text()
    assert text.startswith("# My Site\n")
    for name in ("A &#38; B", "Page &#38; more", "C &#38; D"):
        assert f"- [{name}](https://example.org/" in text


MARKDOWN = """
from pelican import signals

def write(generator, writer):
    template = generator.env.from_string("# {{ article.title }}")
    for article in generator.articles:
        name = article.save_as.replace(".html", ".md")
        writer.write_file(name, template, generator.context, article=article)

def register():
    signals.article_writer_finalized.connect(write)
"""


def test_a_markdown_version_that_a_plugin_writes_is_linked_in_llms_txt_and_not_listed(
    site: MakeSite,
) -> None:
    made = site(
        {"content/a.md": md("A", date="2024-01-02", slug="a"), "markdown_versions.py": MARKDOWN},
        PLUGIN_PATHS=["."],
        PLUGINS=["pelican_sitemapkit", "markdown_versions"],
        SITEMAP={"formats": ["xml", "llms"]},
    )
    done = made.run("--fatal", "warnings")
    assert done.returncode == 0, done.stdout
    assert [path for path in made.paths() if path.startswith("a.")] == ["a.html"]
    assert "- [A](https://example.org/a.md)" in (made.out / "llms.txt").read_text()


def test_news_have_the_day_of_their_publication_and_not_of_their_last_change(
    site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1704250000")  # 3 January 2024
    made = site(
        {
            "content/new.md": md("New", date="2024-01-02", modified="2024-01-03"),
            "content/old.md": md("Old", date="2023-01-02", modified="2024-01-03"),
        },
        SITEMAP={"news": {"name": "Site", "language": "en", "match": "*.html"}},
    )
    made.build()
    text = (made.out / "sitemap-news.xml").read_text()
    assert "<news:publication_date>2024-01-02</news:publication_date>" in text
    assert "New" in text
    assert "Old" not in text


def test_a_ledger_remembers_when_a_text_without_a_date_changed(
    site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = site({"content/pages/a.md": md("A"), "content/b.md": md("B", date="2024-01-02")})
    made.settings["SITEMAP"] = {"ledger": str(made.root / "ledger.txt")}

    def build_on(day: str) -> str | None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", day)
        made.build()
        return made.lastmod("pages/a.html")

    assert build_on("1704200000") is None
    made.settings["SITENAME"] = "Another name in the head of each page"
    assert build_on("1714200000") is None
    made.write({"content/pages/a.md": md("A", body="Something else")})
    assert build_on("1724200000") == "2024-08-21"
