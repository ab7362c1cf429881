"""The headers of a host in the file `_headers`, as Netlify and Cloudflare Pages read it.

A path stands at the beginning of a line, and below it, indented, the headers of all URLs that it
matches:

    /drafts/*
      X-Robots-Tag: noindex

All paths that match a URL count. `! X-Robots-Tag` removes what those above it have added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from sitemapkit_tools.hosting.robots_tag import forbids_indexing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADERS = "_headers"

_TAG = "x-robots-tag"


class _Header(Struct, frozen=True):
    """One X-Robots-Tag of a path."""

    path: str
    value: str
    """Its value; "" removes the header."""

    line: int


class HostHeaders:
    """What the headers of a site say about indexing."""

    def __init__(self, text: str = "", base_url: str = "") -> None:
        """Read the headers; paths start at the root of the host."""
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._headers = list(_read(text, self._origin))

    def noindex(self, url: str) -> str:
        """Return which line forbids to index a URL, as a sentence; "" if none does."""
        if not self._headers or not url.startswith(self._origin):
            return ""
        path = unquote(urlsplit(url).path)
        forbids = 0
        for each in self._headers:
            if not _matches(each.path, path):
                continue
            if not each.value:
                forbids = 0
            elif forbids_indexing([each.value]):
                forbids = forbids or each.line
        return f"{HEADERS}:{forbids} sends X-Robots-Tag: noindex." if forbids else ""


def _read(text: str, origin: str) -> Iterator[_Header]:
    """Yield each X-Robots-Tag. A path may be a URL; those of other hosts, as previews, are not."""
    path = ""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        if not line[0].isspace():
            path = said.removeprefix(origin)
        elif path.startswith("/"):
            name, colon, value = said.partition(":")
            if colon and name.strip().lower() == _TAG:
                yield _Header(unquote(path), value.strip(), number)
            elif said.startswith("!") and said[1:].strip().lower() == _TAG:
                yield _Header(unquote(path), "", number)


def _matches(pattern: str, path: str) -> bool:
    """Return whether a path is one that a pattern with `*` and names such as `:year` means."""
    own, parts = pattern.split("/"), path.split("/")
    if any(part.startswith(":") for part in own):
        has_rest = own[-1] == "*"
        if has_rest:
            parts = [*parts[: len(own) - 1], "*"] if len(parts) >= len(own) else parts
        pairs = zip(own, parts, strict=False)
        return len(own) == len(parts) and all(
            bool(part) if each.startswith(":") else each == part for each, part in pairs
        )
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == path
    return path.startswith(first) and _holds(rest, path[len(first) :])


def _holds(pieces: Sequence[str], text: str) -> bool:
    """Return whether a text holds pieces one after another, the last at its end."""
    *middle, last = pieces
    for piece in middle:
        place = text.find(piece)
        if place < 0:
            return False
        text = text[place + len(piece) :]
    return text.endswith(last)
