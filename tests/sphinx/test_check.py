"""`sitemapkit check` of what Sphinx built a moment ago, as the manual runs it: without a flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..mkdocs.test_check import found

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site


def test_what_a_build_copies_is_left_out_and_not_missed(site: Callable[..., Site]) -> None:
    made = site(html_extra_path=["extra", "alone.html"])
    demo = "<title>Demo</title><h1>Demo</h1>"
    made.write({"docs/extra/demo/index.html": demo, "docs/alone.html": demo})
    log = made.build()
    assert "2 static file; `sitemap_include` can list static files" in log.status
    assert found(made.out()) == []
    assert made.paths() == ["index.html"]


def test_an_author_may_call_a_folder_search(site: Callable[..., Site]) -> None:
    """Of `html` that is no search page: Sphinx writes its own beside the folder."""
    made = site("search/index", "search/advanced")
    made.build()
    assert found(made.out()) == []
    assert made.paths() == ["index.html", "search/advanced.html", "search/index.html"]


ORIGIN = "https://example.org/"


def test_a_generated_page_that_is_included_is_nothing_to_a_check(site: Callable[..., Site]) -> None:
    made = site(sitemap_include="genindex.html", sitemap_report="report.json")
    made.build()
    assert found(made.out()) == []
    (made.docs / "conf.py").unlink()
    assert found(made.out()) == []
    assert found(made.out(), "--build-report", made.docs / "report.json") == []


def test_messages_name_options_as_in_conf_py(site: Callable[..., Site]) -> None:
    made = site(sitemap_robots="append", sitemap_filename="maps/sitemap.xml")
    log = made.build()
    assert "or set `sitemap_robots` to `write`" in log.status
    assert "sitemap_filename: maps/sitemap.xml: " in log.warnings


def test_patterns_that_match_nothing_are_told(site: Callable[..., Site]) -> None:
    made = site("guide/a", sitemap_exclude="docs/guide/", sitemap_excludes=["nothing.html"])
    log = made.build()
    assert "conf.py, sitemap_exclude 'docs/guide/': A pattern matches no page. " in log.status
    assert "sitemap_excludes: A pattern matches no page. It is 'nothing.html'." in log.status


def test_a_page_in_whose_place_a_file_is_copied_stays_a_page(site: Callable[..., Site]) -> None:
    made = site("a", html_extra_path=["extra"])
    made.write({"docs/extra/index.html": "<title>Welcome</title><h1>Welcome</h1>"})
    made.build()
    assert made.paths() == ["a.html", "index.html"]


def test_without_an_address_nothing_of_an_earlier_build_is_left(
    site: Callable[..., Site],
) -> None:
    made = site(html_baseurl=ORIGIN)
    made.build()
    assert (made.out() / "sitemap.xml").is_file()
    assert "Sitemap:" in (made.out() / "robots.txt").read_text()
    made.build(html_baseurl="")
    assert not (made.out() / "sitemap.xml").exists()
    assert (made.out() / "robots.txt").read_text() == "User-agent: *\nAllow: /\n"
