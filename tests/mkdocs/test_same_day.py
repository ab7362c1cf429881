"""A page keeps its day while MkDocs renders the same of its text, and gets a new one otherwise."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from ..same_day import FEW, FIRST, MARKDOWN, SECOND, texts, wrong_days
from .conftest import Site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..same_day import Pair

EXTENSIONS = ["def_list", "tables", "attr_list", "fenced_code"]


@pytest.mark.slow
@FEW
@given(texts(md=MARKDOWN))
def test_a_page_keeps_its_day_while_the_same_is_rendered(pairs: Sequence[Pair]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.write({"theme/main.html": "{{ page.content }}", "docs/index.md": "# Home"})
        site.configure(
            site_name="Site",
            site_url="https://example.org/",
            theme={"name": None, "custom_dir": "theme"},
            plugins=["sitemapkit"],
            markdown_extensions=EXTENSIONS,
        )
        site.write({f"docs/{pair.file}": pair.old for pair in pairs})
        site.commit(f"{FIRST}T12:00:00Z")
        site.write({f"docs/{pair.file}": pair.new for pair in pairs})
        site.write({f"docs/old/{pair.file}": pair.old for pair in pairs})
        site.commit(f"{SECOND}T12:00:00Z")
        site.build()
        days = {path.strip("/"): entry["lastmod"] for path, entry in site.entries().items()}

        def rendered(name: str) -> str:
            return (site.out / name / "index.html").read_text()

        assert not wrong_days(pairs, rendered, days, "https://example.org/")
