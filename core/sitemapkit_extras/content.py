"""A page's own content: its title, its HTML, and its part of the rendered page.

This excludes the theme, the navigation, scripts, permalinks, edit links and build stamps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.head import is_html
from sitemapkit.parsing import as_utf8, parse_html
from textdates.bounds import read_file
from textdates.rendered import MAIN, main_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborNode

    from sitemapkit.model import Page

MAX_OUTPUT = 16 * 1024 * 1024
"""Bytes that are read of a rendered page, or of a text that a page shows."""


def page_title(page: Page) -> str:
    """Return a page's title, from its rendered file if the generator has none, or ""."""
    if page.title or page.output is None or not is_html(page.output):
        return page.title
    tree = parse_html(read_file(page.output, MAX_OUTPUT, cut=True))
    heading = tree.css_first("main h1, [role=main] h1, h1") or tree.css_first("title")
    text = heading.text() if heading else ""
    return " ".join(text.split())


def elements_in(page: Page, tag: str) -> Sequence[LexborNode]:
    """Return the elements with this tag in the page's content, which may be in its output."""
    html = page.content
    if html is None and page.output is not None and is_html(page.output):
        html = as_utf8(read_file(page.output, MAX_OUTPUT, cut=True)).decode("utf-8", "replace")
    if not html or f"<{tag}" not in html.lower():  # to parse takes longer
        return ()
    root = main_content(html)
    return root.css(tag) if root else ()


def main_content(html: str | bytes, main: Sequence[str] = MAIN) -> LexborNode | None:
    """Return the first `main` element of a page's HTML, without menus and the like, or None.

    `main` are CSS selectors; by default they are those of the themes of the three generators.
    """
    return main_of(parse_html(html), main)
