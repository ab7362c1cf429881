"""URLs in normal form, in batches, since writing a sitemap spends most of its time on URLs.

`sitemapkit.urls.normalize` takes about 2 microseconds per URL. Here a whole batch is joined into a
block of bytes, each URL after a newline, and checked in a few passes that run in C, in about a
tenth of that time. A block passes only if all its URLs are in normal form:

1. The block has exactly as many newlines as URLs: no URL contains one (TX1).
2. It has as many newlines followed by a known prefix, which ends in a slash: every URL begins with
   one. A known prefix is the base URL, or the origin of a URL that was already in normal form; so
   scheme, host and port are valid (L1, L5, L6, P1, P3), and so is the scope (P2, P6).
3. No URL has a slash followed by a dot: there are no dot segments to remove.
4. Every percent sign begins an escape: nothing is escaped twice (L4).
5. Every byte is allowed in a URL, or is replaced by its escape (L3). Never replaced are control
   characters and `#`, a space at the end of a URL, which is not part of it, and non-ASCII
   characters if escapes are not in UTF-8.
6. After that, no URL has more than 2,047 characters (L2).

The URLs of a block that fails go through `normalize` one by one, which corrects or rejects each. A
test compares both ways. Batches of about 200 entries stay in the processor's cache, and below the
size from which memory is allocated by the system each time; with large entries, 256 are slower.
URLs alone are so small that larger batches are faster.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from sitemapkit.errors import UrlError
from sitemapkit.rules import issue
from sitemapkit.urls import MAX_LENGTH, normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitemapkit.model import Issue

BATCH = 192
"""Entries in a batch."""

URLS = 1024
"""URLs in a block, and in a batch of entries that consist of a URL only."""

T = TypeVar("T")

_MAX_PREFIXES = 8
_ALLOWED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?%\n"
_NEVER_REPLACED = frozenset(b"#\x7f") | frozenset(range(0x20))
_NOT_AN_ESCAPE = rb"%(?![0-9A-Fa-f]{2})"


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """Yield the items in lists of `size`; the last one may be shorter."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


class Normalizer:
    """Normalizes URLs in batches, and reports invalid ones."""

    def __init__(
        self,
        what: str,
        on_issue: Callable[[Issue], None],
        *,
        base: str | None = None,
        encoding: str = "utf-8",
    ) -> None:
        """Accept only URLs below `base` if it is given; `what` names the URLs in issues."""
        self._what = what
        self._on_issue = on_issue
        self._base = base
        self._encoding = encoding
        self._prefixes = [] if base is None else [b"\n" + base.encode()]

    def normal(self, urls: list[str]) -> list[str]:
        """Return the URLs in normal form, and an empty string for each invalid one."""
        return self._lines(urls, xml=False)

    def escaped(self, urls: list[str]) -> list[str]:
        """Return the same as XML text: only & and ' in a normal URL need escapes (D4)."""
        return self._lines(urls, xml=True)

    def _lines(self, urls: list[str], *, xml: bool) -> list[str]:
        if len(urls) > URLS:
            parts = [self._lines(part, xml=xml) for part in batches(urls, URLS)]
            return [*chain.from_iterable(parts)]
        try:
            block = b"\n%b" % "\n".join(urls).encode()
        except UnicodeEncodeError:  # a lone surrogate
            block = b""
        clean = self._cleaned(block, len(urls))
        if clean is None:
            clean = b"\n%b" % "\n".join([self._one(url) for url in urls]).encode()
        if xml:
            clean = clean.replace(b"&", b"&amp;").replace(b"'", b"&apos;")
        return urls if clean == block else clean.decode("ascii").split("\n")[1:]

    def _cleaned(self, block: bytes, count: int) -> bytes | None:
        """Return the block in normal form (the same object if unchanged), or None if it fails."""
        if block.count(b"\n") != count:
            return None
        dots = self._dots_of_prefixes(block, count)
        if dots is None or (block.count(b".") > dots and b"/." in block):
            return None
        if b"%" in block and re.search(_NOT_AN_ESCAPE, block):
            return None
        escaped = self._escaped(block)
        return None if escaped is None or _has_long_line(escaped) else escaped

    def _dots_of_prefixes(self, block: bytes, count: int) -> int | None:
        """Return how many dots the prefixes of all URLs have, or None if a prefix is unknown.

        Most URLs have no other dots, and counting them is faster than searching for "/.".
        """
        dots = 0
        for prefix in self._prefixes:
            uses = block.count(prefix)
            dots += uses * prefix.count(b".")
            count -= uses
            if count == 0:
                return dots
        return None

    def _escaped(self, block: bytes) -> bytes | None:
        left = block.translate(None, _ALLOWED)
        if not left:
            return block
        if not left.isascii() and self._encoding != "utf-8":
            return None
        if b" " in left and (b" \n" in block or block.endswith(b" ")):
            return None
        if b"[" in left and b"://[" in block:  # an IPv6 host
            return None
        kinds = set(left)
        if kinds & _NEVER_REPLACED:
            return None
        for byte in kinds:
            block = block.replace(bytes([byte]), b"%%%02X" % byte)
        return block

    def _one(self, url: str) -> str:
        try:
            normal = normalize(url, encoding=self._encoding)
        except UrlError as error:
            self._on_issue(issue("bad-url", self._what, f"{error}."))
            return ""
        if self._base is None:
            self._learn(normal)
        elif not normal.startswith(self._base):
            detail = f"{normal} is not below {self._base}."
            self._on_issue(issue("outside-base", self._what, detail))
            return ""
        return normal

    def _learn(self, url: str) -> None:
        """Add the origin of a URL in normal form, with the slash after it, to the prefixes."""
        prefix = b"\n" + url[: url.index("/", len("https://")) + 1].encode()
        if len(self._prefixes) < _MAX_PREFIXES and prefix not in self._prefixes:
            self._prefixes.append(prefix)


def _has_long_line(block: bytes) -> bool:
    """Return whether more than 2,047 bytes are between two newlines, in steps of that length."""
    at = 0
    while at + MAX_LENGTH + 1 < len(block):
        following = block.rfind(b"\n", at + 1, at + MAX_LENGTH + 2)
        if following < 0:
            return True
        at = following
    return False
