"""The page's own content: a digest that changes where the text did, and nowhere else.

What is compared is the text of the content without any white space. That makes it blind to the
theme, the navigation, attributes, line ends, reflowed paragraphs and how a highlighter cuts its
tokens; scripts, permalinks, edit links and build stamps inside the content are cut out first. A
page's title counts; an image that is swapped for another does not.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.html import is_html, parse_html

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from sitemapkit.model import Page

VERSION = "1"
"""First character of every digest; digests of another version say nothing about a change."""

MAIN = ("main article", "article[role=main]", "[role=main]", "main", "article", "body")
"""Selectors of the main content of a rendered page; the first that matches counts."""

NOISE = (
    *("script", "style", "template", "noscript", "nav", "header", "footer", "aside", "svg"),
    *(".headerlink", ".md-content__button", ".edit-page", ".admonition-todo > .headerlink"),
    *(".git-revision-date-localized-plugin", ".md-source-file", ".last-updated", ".viewcode-link"),
)
"""Selectors of what stands in the content and is none of it: permalinks, edit links, stamps."""


def page_digest(page: Page) -> str | None:
    """Return the digest of the page's content, or None where it has none that we can read.

    The adapter's own digest comes first, then the content it hands over, then the main content of
    the rendered file; a file that is no HTML is digested byte by byte.
    """
    if page.digest is not None:
        return VERSION + page.digest
    if page.content is not None:
        return VERSION + digest_html(page.content, title=page.title)
    if page.output is None or not Path(page.output).is_file():
        return None
    return VERSION + _digest_file(Path(page.output), page.title)


def listing_digest(page: Page, known: Mapping[str, str]) -> str:
    """Return the digest of a listing: its own text, and its members' digests by their `url`.

    What the theme shows of the members says nothing: it may be a title, a summary or all.
    """
    own = digest_html(page.content or "", title=page.title)
    return VERSION + digest_text(" ".join([own, *(known.get(url, url) for url in page.members)]))


def digest_html(
    html: str | bytes,
    *,
    title: str = "",
    main: Sequence[str] = ("body",),
    noise: Sequence[str] = NOISE,
) -> str:
    """Return the digest of the text of the first `main` element, without `noise`, and the title."""
    root = main_content(html, main=main, noise=noise)
    return digest_text(title + "\n" + (root.text() if root else ""))


def page_title(page: Page) -> str:
    """Return the title of a page, from its rendered file if the generator knows none; maybe ""."""
    if page.title or page.output is None or not is_html(page.output):
        return page.title
    tree = parse_html(Path(page.output).read_bytes())
    heading = tree.css_first("main h1, [role=main] h1, h1") or tree.css_first("title")
    return " ".join(heading.text().split()) if heading else ""


def page_html(page: Page) -> str:
    """Return the HTML of the page's content, or of the whole rendered page; "" if it has none."""
    if page.content is not None:
        return page.content
    if page.output is None or not is_html(page.output):
        return ""
    return Path(page.output).read_text(encoding="utf-8", errors="replace")


def main_content(
    html: str | bytes, *, main: Sequence[str] = MAIN, noise: Sequence[str] = NOISE
) -> LexborNode | None:
    """Return the first `main` element of a page's HTML, without what is `noise` in it."""
    tree = parse_html(html)
    root = next((found for each in main if (found := tree.css_first(each))), tree.root)
    for element in root.css(", ".join(noise)) if root else ():
        element.decompose()
    return root


def digest_text(text: str) -> str:
    """Return the digest of text, as 16 hexadecimal digits; white space does not count."""
    return _digest("".join(text.split()).encode("utf-8", "replace"))


def _digest_file(file: Path, title: str) -> str:
    data = file.read_bytes()
    if not is_html(file):
        return _digest(data)
    return digest_html(data, title=title, main=MAIN)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()
