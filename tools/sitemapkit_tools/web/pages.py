"""A site on the Web: what its URLs answer, asked politely and only of the hosts that were named."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from sitemapkit.html import says_noindex
from sitemapkit_tools.site.facts import MAX_PAGE, page_facts
from sitemapkit_tools.site.snapshot import UnreadableError, View, resolved
from sitemapkit_tools.sitemaps.read import MAX_FILE
from sitemapkit_tools.web.client import Answer, Client, NetworkError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Set

    from sitemapkit_tools.web.http_cache import Memory

MAX_REDIRECTS = 5
"""Redirects that are followed for robots.txt and sitemaps, as Google does (RFC 9309, 2.3.1.2)."""

_OK, _NOT_MODIFIED, _TOO_MANY, _UNAVAILABLE = 200, 304, 429, 503
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NO_HEAD = frozenset({405, 501})
_LONGEST_PAUSE = 60.0


class WebSource:
    """Files of the hosts that may be asked."""

    def __init__(self, client: Client, hosts: Set[str]) -> None:
        """Ask only these hosts, each with its port if it has one."""
        self._client = client
        self._hosts = hosts

    def read(self, url: str) -> bytes:
        """Return the file behind the URL, following a few redirects. Raises UnreadableError."""
        for _ in range(MAX_REDIRECTS + 1):
            answer = self._get(url)
            if answer.status == _OK:
                return answer.body
            target = _target(answer, url)
            if not target:
                words = f"It answers {answer.status}."
                raise UnreadableError(words, missing=_is_missing(answer.status))
            url = target
        raise UnreadableError(f"It redirects more than {MAX_REDIRECTS} times.")

    def place(self, url: str) -> str:
        """Return the URL."""
        return url

    def _get(self, url: str) -> Answer:
        if urlsplit(url).netloc not in self._hosts:
            raise UnreadableError(f"It leads to {urlsplit(url).netloc}, a host that was not named.")
        try:
            return self._client.request("GET", url, limit=MAX_FILE + 1)
        except NetworkError as error:
            raise UnreadableError(f"{str(error).capitalize()}.") from error


class Looker:
    """Finds out what pages answer: HEAD first, and GET for what is HTML."""

    def __init__(
        self, client: Client, memory: Memory, *, pause: Callable[[float], object] = time.sleep
    ) -> None:
        """`memory` knows what an earlier run saw."""
        self._client = client
        self._memory = memory
        self._pause = pause

    def look(self, url: str) -> View:
        """Return what the URL answers; a page that has not changed is not sent again."""
        known = self._memory.recall(url)
        if known and known.resumed:
            return known.view
        try:
            answer = self._ask(url, known.validators if known else {})
        except NetworkError as error:
            return View(0, url, detail=f"{str(error).capitalize()}.")
        unchanged = known.view if known and answer.status == _NOT_MODIFIED else None
        view = unchanged or _view(url, answer)
        self._memory.keep(url, answer.headers, view)
        return view

    def _ask(self, url: str, validators: Mapping[str, str]) -> Answer:
        if not validators:
            answer = self._patiently("HEAD", url, {})
            if answer.status not in _NO_HEAD and not (answer.status == _OK and _is_html(answer)):
                return answer
        return self._patiently("GET", url, validators)

    def _patiently(self, method: str, url: str, headers: Mapping[str, str]) -> Answer:
        """Ask once more where the server asks for a short pause."""
        answer = self._client.request(method, url, limit=MAX_PAGE, headers=headers)
        if answer.status in (_TOO_MANY, _UNAVAILABLE):
            asked = answer.headers.get("Retry-After", "")
            seconds = float(asked) if asked.isdecimal() else _LONGEST_PAUSE + 1
            if seconds <= _LONGEST_PAUSE:
                self._pause(seconds)
                return self._client.request(method, url, limit=MAX_PAGE, headers=headers)
        return answer


def _view(url: str, answer: Answer) -> View:
    noindex = _header_forbids(answer.headers.get("X-Robots-Tag", ""))
    if answer.status != _OK:
        return View(answer.status, url, target=_target(answer, url), noindex=noindex)
    facts = page_facts(answer.body) if answer.body and _is_html(answer) else None
    linked = _canonical_link(answer.headers.get("Link", ""))
    if facts and linked and not facts.head.canonical:
        facts = facts._replace(head=replace(facts.head, canonical=linked))
    return View(_OK, url, facts=facts, noindex=noindex)


def _is_missing(status: int) -> bool:
    """For robots.txt and sitemaps any error of the client's means that there is none."""
    return 400 <= status < 500 and status != _TOO_MANY  # noqa: PLR2004 - HTTP's client errors


def _target(answer: Answer, url: str) -> str | None:
    if answer.status not in _REDIRECTS:
        return None
    return resolved(answer.headers.get("Location", ""), url)


def _is_html(answer: Answer) -> bool:
    kind = answer.headers.get("Content-Type", "text/html").partition(";")[0].strip().lower()
    return kind in ("text/html", "application/xhtml+xml")


def _header_forbids(value: str) -> bool:
    """Tell whether `X-Robots-Tag: noindex`, or `googlebot: noindex, nofollow`, says so."""
    return says_noindex(re.sub(r"[\w-]+:", " ", value))


_LINK = re.compile(r'<([^<>]{1,2000})>\s*;[^,<>]{0,200}?\brel\s*=\s*"?canonical\b', re.IGNORECASE)


def _canonical_link(value: str) -> str | None:
    """Return the target of `Link: <...>; rel="canonical"` (RFC 8288)."""
    found = _LINK.search(value)
    return found[1] if found else None
