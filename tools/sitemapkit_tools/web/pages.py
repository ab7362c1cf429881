"""What the URLs of a site online answer; only hosts that were named are sent requests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from sitemapkit.model import Head, Issue
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.bounds import MAX_FILE, MAX_PAGE, MAX_TEXT
from sitemapkit_tools.hosting.robots_tag import forbids_indexing
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.base_url import origin_of
from sitemapkit_tools.site.facts import Facts, page_facts
from sitemapkit_tools.site.snapshot import UrlStatus
from sitemapkit_tools.sitemaps.sitemap_file import UnreadableError
from sitemapkit_tools.web.client import Client, NetworkError, Response

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

MAX_REDIRECTS = 5
"""Redirects that are followed for robots.txt and sitemaps, as Google does (RFC 9309, 2.3.1.2)."""

MAX_TITLE = 200
"""Characters that are kept of a page's title."""

_OK, _TOO_MANY, _UNAVAILABLE = 200, 429, 503
_GONE = {404, 410}
_CLIENT_ERRORS = {*range(400, 500)} - {_TOO_MANY}
"""With these nobody may read a file; a robots.txt does not exist then (RFC 9309, 2.3.1.3)."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LONGEST_PAUSE = 60.0


class WebSource:
    """Files of the named origins."""

    def __init__(self, client: Client, origins: Set[str]) -> None:
        """Send requests only to these origins, as `origin_of` writes them."""
        self._client = client
        self._origins = origins
        self.issues: list[Issue] = []
        """What is worth knowing of how sitemaps are sent."""

    def read(self, url: str) -> bytes:
        """Return the file behind the URL, following a few redirects. Raises UnreadableError."""
        asked = url
        for _ in range(MAX_REDIRECTS + 1):
            response = self._get(url)
            is_robots = asked.endswith("/robots.txt")
            if response.status == _OK:
                if not is_robots:
                    self.issues += _how_it_is_sent(asked, url, response)
                return response.body
            target = redirect_target(response, url)
            if not target:
                refused = response.status in _CLIENT_ERRORS
                missing = refused if is_robots else response.status in _GONE
                detail = f"It answers {response.status}."
                raise UnreadableError(detail, missing=missing, refused=refused)
            url = target
        raise UnreadableError(f"It redirects more than {MAX_REDIRECTS} times.")

    def location(self, url: str) -> str:
        """Return the URL."""
        return url

    def may_read(self, url: str) -> bool:
        """Return whether a URL is on one of the named origins."""
        return origin_of(url) in self._origins

    def _get(self, url: str) -> Response:
        if not self.may_read(url):
            origin = origin_of(url)
            raise UnreadableError(f"It leads to {origin}, a host or scheme that was not named.")
        try:
            return self._client.request("GET", url, limit=MAX_FILE + 1)
        except NetworkError as error:
            raise UnreadableError(f"{str(error).capitalize()}.") from error


_TYPES = re.compile(
    r"(?:application|text)/(?:[\w.-]+\+)?xml|text/plain|application/(?:x-)?gzip", re.IGNORECASE
)


def _how_it_is_sent(asked: str, url: str, response: Response) -> Iterator[Issue]:
    """Yield issues of the headers of a sitemap, and of redirects that lead to it."""
    if url != asked:
        yield issue("sitemap-redirect", asked, f"It leads to {url}.", asked)
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
    packed = url.endswith(".gz") and kind == "application/octet-stream"
    is_page = b"<html" in response.body[:1_024].lower()  # that is another issue
    if kind and not (packed or is_page or _TYPES.fullmatch(kind)):
        yield issue("sitemap-type", asked, f"It is {kind[:100]}.", asked)
    if forbids_indexing(response.headers.getlist("X-Robots-Tag")):
        yield issue("sitemap-noindex", asked, "The header X-Robots-Tag says so.", asked)


class PageFetcher:
    """Finds out what pages answer: with one GET, or with HEAD where the URL is that of a file."""

    def __init__(self, client: Client) -> None:
        """Send the requests with a client."""
        self._client = client
        self._without_head: set[str] = set()
        """Hosts that do not answer HEAD in time."""

    def fetch(self, url: str) -> UrlStatus:
        """Return what the URL answers. Raises OverBudgetError if the command has no time left."""
        try:
            return _status(url, self._request(url))
        except NetworkError as error:
            return UrlStatus(0, url, detail=f"{str(error).capitalize()}.")

    def _request(self, url: str) -> Response:
        """Ask with GET, as search engines do, unless the answer is a file that is no page.

        Whatever else HEAD answers, GET decides: many servers answer HEAD in other ways or never.
        """
        host, path = urlsplit(url).netloc, urlsplit(url).path
        if _FILE.search(path) and host not in self._without_head:
            try:
                response = self._client.request("HEAD", url, limit=MAX_PAGE)
                if response.status == _OK and not _is_html(response):
                    return response
            except NetworkError as error:
                if error.late:
                    self._without_head.add(host)
        response = self._client.request("GET", url, limit=MAX_PAGE)
        if self._pause(url, response):
            return self._client.request("GET", url, limit=MAX_PAGE)
        return response

    def _pause(self, url: str, response: Response) -> bool:
        """Wait as long as the server asks for, if that is short; return whether it was."""
        pause = response.retry_after if response.status in (_TOO_MANY, _UNAVAILABLE) else None
        if pause is None or pause > _LONGEST_PAUSE:
            return False
        why = f"{urlsplit(url).netloc} asks for it with status {response.status}"
        self._client.budget.pause(pause, why)
        return True


_FILE = re.compile(r"\.(?!x?html?$)[a-z0-9]{2,5}$", re.IGNORECASE)
"""The end of the URL of a file that is no page, such as a PDF."""


def _status(url: str, response: Response) -> UrlStatus:
    noindex = forbids_indexing(response.headers.getlist("X-Robots-Tag"))
    if response.status != _OK:
        return UrlStatus(
            response.status, url, target=redirect_target(response, url), noindex=noindex
        )
    facts = None
    if response.body and _is_html(response):
        facts = _kept(page_facts(response.body, response.headers.get("Content-Type", "")))
    linked = _canonical_link(response.headers.get("Link", ""))
    if facts and linked and not facts.head.canonical:
        facts = replace(facts, head=replace(facts.head, canonical=linked))
    return UrlStatus(_OK, url, facts=facts, noindex=noindex)


def _kept(facts: Facts) -> Facts:
    """Return what is kept of a page: its title, and of its head no target longer than a URL."""
    head = facts.head
    canonical, refresh, second = (
        target if target and len(target) <= MAX_TEXT else None
        for target in (head.canonical, head.refresh, head.second_canonical)
    )
    kept = Head(head.noindex, canonical, refresh, head.unread, second)
    return Facts(head=kept, title=facts.title[:MAX_TITLE])


def redirect_target(response: Response, url: str) -> str | None:
    """Return where a response redirects to, if it does."""
    target = response.headers.get("Location")
    return resolve_or_none(target, url) if target and response.status in _REDIRECTS else None


def _is_html(response: Response) -> bool:
    kind = response.headers.get("Content-Type", "text/html").partition(";")[0].strip().lower()
    return kind in ("text/html", "application/xhtml+xml")


_LINK = re.compile(r'<([^<>]{1,2000})>\s*;[^,<>]{0,200}?\brel\s*=\s*"?canonical\b', re.IGNORECASE)


def _canonical_link(value: str) -> str | None:
    """Return the target of `Link: <...>; rel="canonical"` (RFC 8288)."""
    found = _LINK.search(value)
    return found[1] if found else None
