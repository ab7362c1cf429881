"""The headers of a host in the file `_headers`, as Netlify and Cloudflare Pages read it.

A line that begins with a slash or a scheme is a path, and those below it are the headers of all
URLs that it matches; how lines are indented does not matter:

    /drafts/*
      X-Robots-Tag: noindex

All paths that match a URL count, whatever its case and with or without its last slash: hosts differ
there, and the author means one page. `! X-Robots-Tag` removes what those above it have added.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from sitemapkit_tools.hosting.robots_tag import forbids_indexing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADERS = "_headers"

_TAG = "x-robots-tag"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://")


class _Header(Struct, frozen=True):
    """One X-Robots-Tag of a path."""

    path: str
    value: str
    """Its value; "" removes the header."""

    line: int


class _Said(Struct):
    """The last lines of one path that forbid indexing, and that remove the header."""

    forbids: int = 0
    removes: int = 0


class _Pattern(Struct, frozen=True):
    """A path with names such as `:year`, or else with `*`."""

    parts: Sequence[str] = ()
    """With names: what is between slashes."""

    first: str = ""
    """Without names: what is before the first star."""

    middle: Sequence[str] = ()
    """What is between stars."""

    last: str = ""

    def matches(self, path: str, parts: Sequence[str]) -> bool:
        """Return whether a path, which has these parts, is one that the pattern means."""
        if self.parts:
            own = self.parts
            if own[-1] == "*" and len(parts) >= len(own):
                parts = [*parts[: len(own) - 1], "*"]
            return len(own) == len(parts) and all(
                bool(part) if each.startswith(":") else each == part
                for each, part in zip(own, parts, strict=True)
            )
        if not path.startswith(self.first):
            return False
        at = len(self.first)
        for piece in self.middle:
            place = path.find(piece, at)
            if place < 0:  # a pattern may have a million pieces
                return False
            at = place + len(piece)
        return at <= len(path) - len(self.last) and path.endswith(self.last)


class HostHeaders:
    """What the headers of a site say about indexing."""

    def __init__(self, text: str = "", base_url: str = "") -> None:
        """Read the headers; paths start at the root of the host."""
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._said: dict[str, _Said] = {}
        for each in _read(text, self._origin):
            said = self._said.setdefault(each.path, _Said())
            if not each.value:
                said.removes = each.line
            elif forbids_indexing([each.value]):
                said.forbids = each.line
        self.patterns = {path: _pattern(path) for path in self._said if "*" in path or "/:" in path}
        """The paths that mean many, which each URL is compared with."""

    def noindex(self, url: str) -> str:
        """Return which line forbids to index a URL, as a sentence; "" if none does."""
        if not self._said or not url.startswith(self._origin):
            return ""
        path = _in_one_form(urlsplit(url).path)
        parts = path.split("/")
        found = [self._said[p] for p, each in self.patterns.items() if each.matches(path, parts)]
        found += [self._said[path]] if path in self._said and path not in self.patterns else []
        forbids = max((each.forbids for each in found), default=0)
        is_removed = any(each.removes > forbids for each in found)
        return (
            "" if is_removed or not forbids else f"{HEADERS}:{forbids} sends X-Robots-Tag: noindex."
        )


def _read(text: str, origin: str) -> Iterator[_Header]:
    """Yield each X-Robots-Tag. A path may be a URL; those of other hosts, as previews, are not."""
    path = ""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        if said.startswith("/") or _SCHEME.match(said):
            path = said.removeprefix(origin)
        elif path.startswith("/"):
            name, colon, value = said.partition(":")
            if colon and name.strip().lower() == _TAG:
                yield _Header(_in_one_form(path), value.strip(), number)
            elif said.startswith("!") and said[1:].strip().lower() == _TAG:
                yield _Header(_in_one_form(path), "", number)


def _in_one_form(path: str) -> str:
    """Return a path of a URL, or of a rule, as both are compared."""
    path = unquote(path).casefold()
    return path if path.endswith(("/", "*")) else f"{path}/"


def _pattern(path: str) -> _Pattern:
    if "/:" in path:
        return _Pattern(parts=path.split("/"))
    first, *middle, last = path.split("*")
    return _Pattern(first=first, middle=[*filter(None, middle)], last=last)
