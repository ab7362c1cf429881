"""The rules of a host in the file `_redirects`, as Netlify, Cloudflare Pages and GitLab read it.

A line is `/old/* /new/:splat 301`. A file that is there is sent, unless the status ends in `!` or
the host is Cloudflare, where rules always come first. A rule that holds only for some visitors, by
their country or a query, is no answer for all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from msgspec import Struct

from sitemapkit.urls import MAX_LENGTH, normalize_or_none

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

REDIRECTS = "_redirects"

OK = 200
"""The status of a rule that sends one page in the place of another."""

_STATUS = re.compile(r"([1-5][0-9]{2})(!?)")
_NAME = re.compile(r":\w+|\*")
"""What stands for a part of the path in a target."""

_RULES_FIRST = (".pages.dev", ".workers.dev")
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

    @property
    def is_pattern(self) -> bool:
        """Whether it is about more than one path."""
        return any(part == "*" or part.startswith(":") for part in self.parts)

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
        self._exact: dict[tuple[bool, str], _Rule] = {}
        """The first rule of each path; with True, the first that counts if there is a file."""
        host = urlsplit(base_url).hostname or ""
        is_first = host.endswith(_RULES_FIRST)
        self._rules = list(_read(text, self._origin, is_first=is_first))
        self.patterns = [rule for rule in self._rules if rule.is_pattern]
        """The rules of many paths, which each URL is compared with."""

        for rule in self._rules:
            if rule.is_pattern:
                continue
            for has_file in (False, True) if rule.forced else (False,):
                self._exact.setdefault((has_file, "/".join(rule.parts)), rule)

    def answer(self, url: str, *, has_file: bool) -> HostAnswer | None:
        """Return what the rules answer for a URL; None: nothing, or the file comes first."""
        if not self._rules or not url.startswith(self._origin):
            return None
        parts = _parts(urlsplit(url).path)
        exact = self._exact.get((has_file, "/".join(parts)))
        for rule in self.patterns:
            if exact and exact.line < rule.line:
                break
            values = None if has_file and not rule.forced else rule.values(parts)
            if values is not None:
                return _answer(rule, values, url)
        return _answer(exact, {}, url) if exact else None

    def written(self) -> Iterator[tuple[str, str, str]]:
        """Yield where each rule starts and leads, and its place, if it leads to one place only."""
        for rule in self._rules:
            path, target = "/".join(rule.parts), normalize_or_none(urljoin(self._origin, rule.to))
            if target and rule.code not in _GONE and not _NAME.search(urlsplit(rule.to).path):
                start = None if rule.is_pattern else normalize_or_none(f"{self._origin}{path}")
                yield start or path, target, f"{REDIRECTS}:{rule.line}"


def _answer(rule: _Rule, values: Mapping[str, str], url: str) -> HostAnswer | None:
    place = f"{REDIRECTS}:{rule.line}"
    if rule.code in _GONE:
        return HostAnswer(rule.code, None, place, f"{place} answers {rule.code}.")
    if len(rule.to) > MAX_LENGTH:
        return None
    # All names at once, since a value may look like a name.
    to = _NAME.sub(lambda name: values.get(name[0], name[0]), rule.to)
    target = normalize_or_none(urljoin(url, to)) if len(to) <= MAX_LENGTH else None
    return HostAnswer(rule.code, target, place) if target else None


def _read(text: str, origin: str, *, is_first: bool) -> Iterator[_Rule]:
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
            is_forced = is_first or bool(status and status[2])
            yield _Rule(_parts(start), rest[0], code, is_forced, number)


def _parts(path: str) -> Sequence[str]:
    """Return the parts of a path; a slash at its end does not matter to hosts."""
    return unquote(path).rstrip("/").split("/")
