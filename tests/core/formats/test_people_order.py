"""The page for people has the order of the navigation, where the generator has one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit import Page, build, read_options

if TYPE_CHECKING:
    from pathlib import Path

POSITIONS = {"": 0, "start/": 1, "brewing/water/": 2, "brewing/time/": 3, "about/": 9}


def paths(folder: Path, pages: list[Page]) -> tuple[list[str], str]:
    """Return the paths on the page for people of a site, and what it calls their order."""
    options = read_options(
        {"formats": ["xml", "html"]}, where="test", base_url="https://example.org/"
    )
    build(pages, options, folder)
    text = (folder / "sitemap.html").read_text(encoding="utf-8")
    order = re.findall(r'value="path" checked> (.*)</label>', text)
    return re.findall(r'<bdi dir="ltr">(/.*?)</bdi>', text), order[0]


def test_pages_stand_in_the_order_of_the_navigation_and_the_others_follow(tmp_path: Path) -> None:
    pages = [Page(url, position=position) for url, position in POSITIONS.items()]
    others = [Page("zoo/"), Page("brewing/old/"), Page("archive/2024/")]
    expected = ["/", "/start/", "/about/", "/zoo/", "/brewing/water/", "/brewing/time/"]
    expected += ["/brewing/old/", "/archive/2024/"]
    assert paths(tmp_path, [*others, *reversed(pages)]) == (expected, "navigation")


def test_without_a_navigation_they_stand_in_the_order_of_their_paths(tmp_path: Path) -> None:
    pages = [Page(url) for url in POSITIONS]
    expected = ["/", "/about/", "/start/", "/brewing/time/", "/brewing/water/"]
    assert paths(tmp_path, pages) == (expected, "path")
