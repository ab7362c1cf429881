"""Titles in formats for readers lack the site's name, which themes put into each `<title>`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.site.titles import own_titles

from .conftest import run

if TYPE_CHECKING:
    from .conftest import Site


@pytest.mark.parametrize("separator", ["-", "|", "::", "\u2013", "\u2014", "\u00b7", "\u00bb", ":"])
def test_the_name_that_most_pages_end_with_is_left_out(separator: str) -> None:
    end = f" {separator} Tea"
    titles = {"index.html": "Tea", "a.html": f"Green - hot{end}", "b.html": f"Black{end}"}
    own = {"index.html": "Tea", "a.html": "Green - hot", "b.html": "Black"}
    assert own_titles(titles) == own
    alone = {"index.html": "Tea", "a.html": f"Green{end}", "b.html": "White", "c.html": "Red"}
    assert own_titles(alone)["a.html"] == "Green"
    welcome = {"index.html": f"Welcome{end} 1.0 docs", "a.html": f"Green{end} 1.0 docs"}
    assert [*own_titles(welcome).values()] == ["Welcome", "Green"]


@pytest.mark.parametrize(
    "titles",
    [
        ["Home", "Tea - hot", "Coffee - cold", "Water"],  # each its own
        ["Home", "Tea - hot", "Milk - hot", "Water - cold", "Ice"],  # some
        ["Tea", "Green-Tea", "Black |Tea", "- Tea", ""],  # no separator, or nothing before it
    ],
)
def test_what_is_a_page_s_own_stays(titles: list[str]) -> None:
    names: list[str] = ["index.html", "a", "b", "c", "d"]
    files = dict(zip(names, titles, strict=False))
    assert own_titles(files) == files


def test_llms_txt_of_a_finished_site_repeats_the_name_of_the_site_nowhere(site: Site) -> None:
    site.write()
    for path in site.heads:
        file = site.file(path)
        text = file.read_text()
        file.write_text(text.replace("</title>", " | Tea House</title>"))
    outcome = run("build", site.root, "--base-url", site.base, "--set", 'formats=["xml", "llms"]')
    assert outcome.code == 0
    text = (site.root / "llms.txt").read_text()
    assert text.count("](") > 3
    assert "Tea House" not in text
