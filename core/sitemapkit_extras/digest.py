"""The digest of a page: it changes only if the page's own visible content does.

It covers the page's title, the words, the lines of code with their white space, and link and image
targets. So it ignores the theme, the navigation, attributes, line ends, reflowed paragraphs and how
a highlighter splits tokens; scripts, permalinks, edit links and build stamps in the content are
removed first, and what two runs of the same code print differently, such as the address of an
object or the time that it took.

A link or image of another site counts with its whole URL, except `http:` or `https:`. Within the
site, only the last part of the path counts, without `index.html` or `.html`: it stays the same when
a page or the whole site moves. Fragments do not count: generators number them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.head import is_html
from sitemapkit_extras.content import MAX_OUTPUT, main_content
from textdates import Part, file_of
from textdates.bounds import is_file, open_file, read_file
from textdates.rendered import MAIN, shown_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.model import FilePath, Page
    from textdates import FileOrPart

VERSION = "6"
"""First character of every digest; digests of different versions cannot be compared."""

SIZE = 16
"""Characters at the end of every digest; what precedes them is its version, and perhaps its kind.
"""


def page_digest(page: Page, base: str) -> str | None:
    """Return the digest of the page's content, or None if it has no readable content.

    Links that begin with `base` are within the site, like relative ones.

    The adapter's own digest comes first, then the adapter's content, then the main content of the
    rendered file; for a file that is not HTML, all bytes count.
    """
    if page.digest is not None:
        return VERSION + page.digest
    if page.content is not None:
        return VERSION + digest_html(page.content, title=page.title, base=base)
    if page.output is None or not is_file(page.output):
        return None
    if not is_html(page.output):
        return VERSION + _file_digest(page.output)
    data = read_file(page.output, MAX_OUTPUT, cut=True)
    return VERSION + digest_html(data, title=page.title, main=MAIN, base=base)


def listing_digest(page: Page, known: Mapping[str, str], shown: Mapping[FileOrPart, str]) -> str:
    """Return the digest of a listing: its own text, its members' and what it shows of others.

    `known` are the members' digests by their `url`, `shown` the results of `shown_text`. The
    rendered listing does not count, because the theme may add to it.
    """
    held = [digest_html(page.content or "", title=page.title)]
    for url in page.members:
        held.append(known.get(url, url))
    for source in page.included:
        held.append(shown[source])
    return VERSION + digest_text("\n".join(held))


def shown_text(source: FileOrPart) -> str:
    """Return what a listing shows of a file: the whole file if it has no such part."""
    file = Path(file_of(source))
    data = read_file(file, MAX_OUTPUT, cut=True) if is_file(file) else b""
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if isinstance(source, Part):
        with suppress(ValueError, SyntaxError):
            return source.cut(text) or ""
    return text


def digest_html(
    html: str | bytes,
    *,
    title: str = "",
    main: Sequence[str] = ("body",),
    base: str = "",
) -> str:
    """Return the digest of what the first `main` element shows, and the title."""
    shown = [*title.split(), ""]
    root = main_content(html, main)
    if root:
        shown += shown_in(root, base)
    return _digest("\n".join(shown).encode("utf-8", "replace"))


def digest_text(text: str) -> str:
    """Return the digest of a text without white space, as 16 hexadecimal digits."""
    return _digest("".join(text.split()).encode("utf-8", "replace"))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=SIZE // 2).hexdigest()


def _file_digest(file: FilePath) -> str:
    new = partial(blake2b, digest_size=SIZE // 2)
    with os.fdopen(open_file(file), "rb", buffering=0) as opened:
        return file_digest(opened, new).hexdigest()
