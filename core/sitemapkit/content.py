"""The page's own content: a digest that changes only if the text does.

It is a digest of the text without white space, and so ignores the theme, the navigation,
attributes, line ends, reflowed paragraphs and how a highlighter splits tokens; scripts, permalinks,
edit links and build stamps inside the content are removed first. The title of the page counts; its
images do not.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.html import is_html, parse_html
from sitemapkit.model import Part, file_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from sitemapkit.model import FileOrPart, Page

VERSION = "1"
"""First character of every digest; digests of different versions cannot be compared."""

MAIN = ("main article", "article[role=main]", "[role=main]", "main", "article", "body")
"""Selectors of the main content of a rendered page; the first that matches counts."""

NOISE = (
    *("script", "style", "template", "noscript", "nav", "header", "footer", "aside", "svg"),
    *(".headerlink", ".md-content__button", ".edit-page", ".admonition-todo > .headerlink"),
    *(".git-revision-date-localized-plugin", ".md-source-file", ".last-updated", ".viewcode-link"),
)
"""Selectors of elements in the content that do not belong to it: permalinks, edit links, stamps."""


def page_digest(page: Page) -> str | None:
    """Return the digest of the page's content, or None if it has no readable content.

    The adapter's own digest comes first, then the content from the adapter, then the main content
    of the rendered file; of a file that is not HTML, all bytes are digested.
    """
    if page.digest is not None:
        return VERSION + page.digest
    if page.content is not None:
        return VERSION + digest_html(page.content, title=page.title)
    if page.output is None or not Path(page.output).is_file():
        return None
    data = Path(page.output).read_bytes()
    is_page = is_html(page.output)
    return VERSION + (digest_html(data, title=page.title, main=MAIN) if is_page else _digest(data))


def listing_digest(page: Page, known: Mapping[str, str], shown: Mapping[FileOrPart, str]) -> str:
    """Return the digest of a listing: its own text, its members' and what it shows of others.

    `known` are the members' digests by their `url`, `shown` the results of `shown_text`. The
    rendered listing does not count: what a theme adds to it may change.
    """
    own = digest_html(page.content or "", title=page.title)
    members = (known.get(url, url) for url in page.members)
    return VERSION + digest_text(
        "\n".join([own, *members, *(shown[source] for source in page.included)])
    )


def shown_text(source: FileOrPart) -> str:
    """Return what a listing shows of a file, which is all if that has no such part."""
    text = Path(file_of(source)).read_text(encoding="utf-8-sig", errors="replace")
    if isinstance(source, Part):
        with suppress(ValueError, SyntaxError):
            return source.cut(text) or ""
    return text


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
    """Return the title of a page, from its rendered file if the generator has none, or ""."""
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
    """Return the first `main` element of a page's HTML, without its `noise`."""
    tree = parse_html(html)
    root = next((found for each in main if (found := tree.css_first(each))), tree.root)
    for element in root.css(", ".join(noise)) if root else ():
        element.decompose()
    return root


def digest_text(text: str) -> str:
    """Return the digest of a text without white space, as 16 hexadecimal digits."""
    return _digest("".join(text.split()).encode("utf-8", "replace"))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()
