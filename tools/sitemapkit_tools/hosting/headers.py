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
    from collections.abc import Iterator

HEADERS = "_headers"

MOST_WILDCARDS = 16
"""The most in one path; Cloudflare Pages takes one `*`. A path with more means nothing here."""

_TAG = "x-robots-tag"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://")


class _Said(Struct):
    """The last lines of one path that forbid indexing, and that remove the header."""

    forbids: int = 0
    removes: int = 0


class HostHeaders:
    """What the headers of a site say about indexing."""

    def __init__(self, text: str = "", base_url: str = "") -> None:
        """Read the headers; paths start at the root of the host."""
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._said: dict[str, _Said] = {}
        for path, value, line in _read(text, self._origin):
            said = self._said.setdefault(path, _Said())
            if not value:
                said.removes = line
            elif forbids_indexing([value]):
                said.forbids = line
        self.patterns: dict[str, re.Pattern[str]] = {}
        """The paths that mean many, which each URL is compared with."""

        for path in self._said:
            if 0 < path.count("*") + path.count("/:") <= MOST_WILDCARDS:
                self.patterns[path] = _pattern(path)

    def noindex(self, url: str) -> str:
        """Return which line forbids to index a URL, as a sentence; "" if none does."""
        if not self._said or not url.startswith(self._origin):
            return ""
        path = _in_one_form(urlsplit(url).path)
        found = [self._said[p] for p, each in self.patterns.items() if each.fullmatch(path)]
        found += [self._said[path]] if path in self._said and path not in self.patterns else []
        forbids = max((each.forbids for each in found), default=0)
        is_removed = any(each.removes > forbids for each in found)
        return (
            "" if is_removed or not forbids else f"{HEADERS}:{forbids} sends X-Robots-Tag: noindex."
        )


def _read(text: str, origin: str) -> Iterator[tuple[str, str, int]]:
    """Yield the path, the value and the line of each X-Robots-Tag; "" removes the header.

    A path may be a URL; those of other hosts, as previews, are not.
    """
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
                yield _in_one_form(path), value.strip(), number
            elif said.startswith("!") and said[1:].strip().lower() == _TAG:
                yield _in_one_form(path), "", number


def _in_one_form(path: str) -> str:
    """Return a path of a URL, or of a rule, as both are compared."""
    path = unquote(path).casefold()
    return path if path.endswith(("/", "*")) else f"{path}/"


def _pattern(path: str) -> re.Pattern[str]:
    """Return the expression for a path with `*`, or with names such as `:year`.

    A star takes as little as it can, which is always enough: only the end is bound to a place.
    """
    pieces = re.sub("/:[^/]+", "/[^/]++", re.escape(path)).split(r"\*")
    expression = pieces[0]
    for piece in pieces[1:-1]:
        expression += f"(?>.*?{piece})"
    if len(pieces) > 1:
        expression += f".*{pieces[-1]}"
    return re.compile(f"(?s){expression}")
