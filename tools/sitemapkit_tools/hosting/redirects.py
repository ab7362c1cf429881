"""The rules of a host in the file `_redirects`, as Netlify, Cloudflare Pages and GitLab read it.

A line is `/old/* /new/:splat 301`. A file that is there is sent, unless the status ends in `!`. A
rule that holds only for some visitors, by their country or a query, is no answer for all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from msgspec import Struct

from sitemapkit.urls import normalize_or_none

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

REDIRECTS = "_redirects"

OK = 200
"""The status of a rule that sends one page in the place of another."""

_STATUS = re.compile(r"([1-5][0-9]{2})(!?)")
_NAME = re.compile(r":\w|\*")
"""What stands for a part of the path in a target."""

_USUAL = 301
_GONE = (404, 410)


class HostAnswer(Struct, frozen=True):
    """What a rule answers."""

    code: int
    target: str | None
    place: str
    """The file and line of the rule."""

    detail: str = ""


class _Rule(Struct, frozen=True):
    """One line."""

    parts: Sequence[str]
    """The path that it is about, cut at slashes."""

    to: str
    code: int
    forced: bool
    line: int

    def values(self, parts: Sequence[str]) -> Mapping[str, str] | None:
        """Return what stands in a path for `*` and names such as `:year`; None: no match."""
        found: dict[str, str] = {}
        for number, own in enumerate(self.parts):
            if own == "*":
                return found | {":splat": "/".join(parts[number:])}
            if number >= len(parts):
                return None
            if own.startswith(":"):
                found[own] = parts[number]
            elif own != parts[number]:
                return None
        return found if len(parts) == len(self.parts) else None


class HostRules:
    """All rules of a site; the first that matches a URL counts."""

    def __init__(self, text: str = "", base_url: str = "") -> None:
        """Read the rules; paths in them start at the root of the host."""
        self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(base_url))
        self._rules = list(_read(text, self._origin))

    def answer(self, url: str, *, has_file: bool) -> HostAnswer | None:
        """Return what the rules answer for a URL; None: nothing, or the file comes first."""
        if not self._rules or not url.startswith(self._origin):
            return None
        parts = _parts(urlsplit(url).path)
        for rule in self._rules:
            values = None if has_file and not rule.forced else rule.values(parts)
            if values is not None:
                return self._answer(rule, values, url)
        return None

    def written(self) -> Iterator[tuple[str, str, str]]:
        """Yield where each rule starts and leads, and its place, if it leads to one place only."""
        for rule in self._rules:
            path, target = "/".join(rule.parts), normalize_or_none(urljoin(self._origin, rule.to))
            if target and rule.code not in _GONE and not _NAME.search(urlsplit(rule.to).path):
                is_one = not any(part == "*" or part.startswith(":") for part in rule.parts)
                start = normalize_or_none(f"{self._origin}{path}") if is_one else None
                yield start or path, target, f"{REDIRECTS}:{rule.line}"

    def _answer(self, rule: _Rule, values: Mapping[str, str], url: str) -> HostAnswer | None:
        to = rule.to
        for name in sorted(values, key=len, reverse=True):
            to = to.replace(name, values[name])
        place = f"{REDIRECTS}:{rule.line}"
        if rule.code in _GONE:
            return HostAnswer(rule.code, None, place, f"{place} answers {rule.code}.")
        target = normalize_or_none(urljoin(url, to))
        return HostAnswer(rule.code, target, place) if target else None


def _read(text: str, origin: str) -> Iterator[_Rule]:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition(" #")[0].split()
        if not words or words[0].startswith("#"):
            continue
        start, *rest = words
        start = start.removeprefix(origin)
        status = _STATUS.fullmatch(rest[1]) if len(rest) > 1 else None
        is_for_all = rest[1:] == [status[0]] if status else len(rest) == 1
        if start.startswith("/") and rest and rest[0].startswith(("/", "http")) and is_for_all:
            code = int(status[1]) if status else _USUAL
            yield _Rule(_parts(start), rest[0], code, bool(status and status[2]), number)


def _parts(path: str) -> Sequence[str]:
    """Return the parts of a path; a slash at its end does not matter to hosts."""
    return unquote(path).rstrip("/").split("/")
