"""Which pages link to which, and that a menu in all pages does not make this work grow."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapkit.urls import resolve, resolve_or_none
from sitemapkit_tools.site.facts import page_facts
from sitemapkit_tools.site.links import Links, named_in_scripts, note_links
from sitemapkit_tools.site.output_dir import OutputDir

from .conftest import Site

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import CodeType, FrameType

    from sitemapkit_tools.site.links import Written

BASE = "https://example.org/docs/"
FOLDERS = ("", "a/", "a/b/", "a/c/", "a/b/d/", "größe 1/", "100%/", "*/", "a&amp;/", "x:y/")
FILES = tuple(f"{folder}{name}" for folder in FOLDERS for name in ("index.html", "p.html", "q.htm"))
STARTS = ("", "./", "../", "../../", "./../", "../../../../", "/docs/", "/", BASE, "//example.org/")
ENDS = ("", "#part", "?q=1", "?q=1&amp=2#x")

links = st.builds(
    "{}{}{}".format,
    st.sampled_from(STARTS),
    st.sampled_from([*FOLDERS, *FILES, "a", "p", "..", "/a/", "nothing/", "mailto:a@b.c", " a/ "]),
    st.sampled_from(ENDS),
)


@given(st.dictionaries(st.sampled_from(FILES), st.lists(links, max_size=6)), st.integers(1, 3))
def test_a_link_leads_where_it_leads_from_its_own_page(
    pages: dict[str, list[str]], batch: int
) -> None:
    tree = OutputDir(Path("site"), BASE, frozenset(FILES))
    found, parts = Links(tree), [dict[str, dict[bytes, str]]() for _ in range(batch)]
    for number, (file, hrefs) in enumerate(pages.items()):
        html = "".join(f'<a href="{escape(href)}">x</a>' for href in hrefs)
        note_links(html.encode(), None, file, parts[number % batch])
    for part in parts:
        found.add(part)
    assert found.targets == {
        route.file
        for file, hrefs in pages.items()
        for href in hrefs
        if (url := resolve_or_none(href.strip(), tree.url_of(file))) and (route := tree.route(url))
        if route.file != file
    }


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<a href=/a/>", ["/a/"]),
        ("<a class='x'href='/a/'>", ["/a/"]),
        ('<a HREF = "/a/">', ["/a/"]),
        ('<a href\n   =\n"/a/">', ["/a/"]),
        ("<img src='/it.png'><form action=/go>", ["/go", "/it.png"]),
        ('<a href="it\'s">', ["it's"]),
        ("<a data-href='/a/' data-src='/b/'>", ["/a/"]),
        ('<a title="a > b" href="/a/">', ["/a/"]),
        ('<a href="/a/', []),
        ("<a href=>", []),
    ],
)
def test_the_links_of_a_page(html: str, found: list[str]) -> None:
    written: Written = {}
    note_links(html.encode(), None, "index.html", written)
    assert sorted(link.decode() for link in written[""] if link) == found


# Work


@contextmanager
def counted(*functions: Callable[..., object]) -> Generator[Counter[str]]:
    """Count the calls of functions."""
    codes: dict[CodeType, str] = {each.__code__: each.__name__ for each in functions}
    found: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in codes:
            found[codes[frame.f_code]] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


MENUS: dict[str, tuple[str, str]] = {
    "folders": ("p{}/index.html", "../p{}/"),
    "folders, as Hugo links them": ("p{}/index.html", "./../p{}/"),
    "files": ("p{}.html", "p{}.html"),
    "paths": ("p{}/index.html", "/p{}/"),
    "URLs": ("p{}/index.html", "https://example.org/p{}/"),
    "places": ("p{}/index.html", "../p{}/#part"),
    "each page in a folder of its own": ("s{0}/p{0}/index.html", "../../s{0}/p{0}/"),
}


def with_menu(root: Path, pages: int, file: str, href: str) -> Site:
    """Write a site each page of which links to all others."""
    site = Site(root)
    site.put("robots.txt", site.robots or "")
    menu = "".join(f'<li><a href="{href.format(n)}">Page {n}</a>' for n in range(pages))
    for number in range(pages):
        path = file.format(number)
        site.entries[site.base + path.removesuffix("index.html")] = ""
        head = f"<title>Page {number}</title>"
        site.put(path, f"{head}{menu}<main>The text of page {number}.</main>")
    site.put("sitemap.xml", site.sitemap())
    return site


@pytest.mark.parametrize("layout", MENUS)
def test_the_work_for_a_menu_grows_with_its_links_not_with_all_pages_times_all_links(
    tmp_path: Path, layout: str
) -> None:
    work: list[Counter[str]] = []
    for pages in (20, 40, 80):
        site = with_menu(tmp_path / str(pages), pages, *MENUS[layout])
        with counted(resolve, page_facts) as calls:
            assert [each["id"] for each in site.check("--base-url", site.base)] == ["no-dates"]
        assert calls["page_facts"] == pages
        work.append(calls)
    first, second, third = (calls["resolve"] for calls in work)
    assert third - second <= 2.2 * (second - first)
    assert third < 80 * 8


@pytest.mark.parametrize("name", ["a/b.html", "./a/b.html", "/docs/a/b.html", "../a/b", "{0}a/b"])
def test_a_page_that_a_script_names_is_linked(tmp_path: Path, name: str) -> None:
    base = "https://example.org/docs/"
    for file in ("index.html", "a/b.html"):
        tmp_path.joinpath(file).parent.mkdir(exist_ok=True)
        tmp_path.joinpath(file).write_text("a")
    tmp_path.joinpath("menu.js").write_text(f'show("Tea", "{name.format(base)}")')
    tree = OutputDir.walk(tmp_path, base)
    assert named_in_scripts(tree, {"a/b.html": f"{base}a/b"}) == {"a/b.html"}
