"""`sitemapkit check` of what Sphinx built a moment ago, as the manual runs it: without a flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..mkdocs.test_check import found
from .conftest import BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site


def test_what_a_build_copies_is_in_its_report(site: Callable[..., Site]) -> None:
    made = site(html_extra_path=["extra"], sitemap_report="report.json")
    made.write({"docs/extra/demo/index.html": "<title>Demo</title><h1>Demo</h1>"})
    made.build()
    assert found(made.out()) == [("note", "not-listed", f"{BASE}demo/".removeprefix(ORIGIN))]
    assert found(made.out(), "--build-report", made.docs / "report.json") == []


ORIGIN = "https://example.org/"


def test_a_generated_page_that_is_included_is_a_note(site: Callable[..., Site]) -> None:
    made = site(sitemap_include="genindex.html", sitemap_report="report.json")
    made.build()
    assert found(made.out()) == [("note", "generated-page", "docs/genindex.html")]
    assert found(made.out(), "--build-report", made.docs / "report.json") == []
