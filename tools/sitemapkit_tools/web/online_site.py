"""The check of a site that is online: robots.txt, its sitemaps, and each page that they list."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit import dates
from sitemapkit.urls import normalize
from sitemapkit_tools.checks.check import Checked, check_survey, checked
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.read_pages import silent
from sitemapkit_tools.site.snapshot import Survey, UnreadableError, listed_in, normal
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.robots import Robots
from sitemapkit_tools.web.pages import Looker, WebSource

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.read_pages import Tick
    from sitemapkit_tools.site.snapshot import View
    from sitemapkit_tools.web.client import Client
    from sitemapkit_tools.web.http_cache import Memory

OURS = "sitemapkit"
"""The name under which we obey robots.txt ourselves."""

_SITEMAP_SUFFIXES = (".xml", ".xml.gz", ".txt", ".txt.gz")


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """What a check of a site that is online is told."""

    hosts: Set[str] = field(default_factory=frozenset[str])
    """Hosts that may be asked beside the site's own, each with its port if it has one."""

    agent: str = "Googlebot"
    """The crawler whose rules in robots.txt count."""

    most_pages: int = 50_000


class LiveCheck:
    """A check of one site: what it lists is read first, then `run` looks at the pages."""

    def __init__(self, address: str, client: Client, settings: LiveSettings) -> None:
        """Read robots.txt and the sitemaps.

        `address` is the site's or that of one of its sitemaps. Raises UrlError if it is no URL.
        """
        address = normalize(address)
        is_sitemap = urlsplit(address).path.endswith(_SITEMAP_SUFFIXES)
        self.base_url = address.rpartition("/")[0] + "/" if is_sitemap else _as_folder(address)
        self.settings = settings
        self._client = client
        self._robots_place = f"{_origin(address)}/robots.txt"
        self._hosts = {urlsplit(address).netloc, *settings.hosts}
        self._source = WebSource(client, self._hosts)
        self._findings: list[Issue] = []
        self._rules: dict[str, Robots | None] = {}
        self.robots = self._robots_of(address)
        named = [address] if is_sitemap else self._named()
        self.documents = collect(named, self._source)
        self.listed = listed_in(self.documents)
        self.pages = self._askable()
        """The URLs that `run` looks at."""

    def run(self, memory: Memory, *, tick: Tick = silent) -> Checked:
        """Look at each page, by no more connections than the client has, and judge all."""
        delay = self.robots.crawl_delay(OURS) if self.robots else None
        if delay:
            self._client.slow_down(1 / delay)
        views = _views(self.pages, Looker(self._client, memory), self._client, tick)
        survey = Survey(
            base_url=self.base_url,
            documents=self.documents,
            now=dates.now(),
            listed=self.listed,
            robots=self.robots,
            robots_place=self._robots_place,
            views=views,
            exists=lambda url: _exists(url, views),
            agent=self.settings.agent,
        )
        return checked(survey, [*check_survey(survey), *self._findings], pages=len(views))

    def _named(self) -> list[str]:
        """Return the sitemaps that robots.txt names, or the one that should be there."""
        lines = self.robots.sitemaps if self.robots else []
        urls = [url for line in lines if (url := normal(line.value))]
        at_root = self.base_url == f"{_origin(self.base_url)}/"
        for url in urls:
            if urlsplit(url).netloc not in self._hosts:
                detail = f"It is on {urlsplit(url).netloc}."
                self._findings.append(issue("not-checked", url, detail, self._robots_place))
        allowed = [url for url in urls if urlsplit(url).netloc in self._hosts]
        mine = [url for url in allowed if at_root or url.startswith(self.base_url)]
        return mine or [f"{self.base_url}sitemap.xml"]

    def _robots_of(self, url: str) -> Robots | None:
        """Return the rules of a URL's host; None: it has none."""
        place = f"{_origin(url)}/robots.txt"
        if place not in self._rules:
            try:
                self._rules[place] = Robots(self._source.read(place))
            except UnreadableError as error:
                self._rules[place] = None
                if not error.missing:
                    self._findings.append(issue("unreachable", place, str(error), place))
        return self._rules[place]

    def _askable(self) -> list[str]:
        """Return the listed URLs on hosts that were named, which robots.txt lets us read."""
        listed = sorted({each.url for each in self.listed})
        ours = [url for url in listed if urlsplit(url).netloc in self._hosts]
        allowed = [url for url in ours if self._allows(url)]
        most = self.settings.most_pages
        if len(allowed) > most:
            detail = f"Only the first {most:,} of {len(allowed):,} pages were."
            self._findings.append(issue("not-checked", self.base_url, detail, self.base_url))
        return allowed[:most]

    def _allows(self, url: str) -> bool:
        robots = self._robots_of(url)
        return robots is None or robots.allows(url, OURS)


def _views(pages: Sequence[str], looker: Looker, client: Client, tick: Tick) -> dict[str, View]:
    """Look at the pages by as many threads as the client has connections."""
    views: dict[str, View] = {}
    waiting, lock, stop = iter(pages), threading.Lock(), threading.Event()

    def work(_: int) -> None:
        while not stop.is_set():
            with lock:
                url = next(waiting, None)
            if url is None:
                return
            view = looker.look(url)
            with lock:
                views[url] = view
                tick(1)

    count = client.limits.connections
    with ThreadPoolExecutor(count) as pool:
        try:
            list(pool.map(work, range(count)))
        finally:
            stop.set()
    return views


def _exists(url: str, views: dict[str, View]) -> bool | None:
    """Only what was looked at is known."""
    view = views.get(url)
    return None if view is None or view.status != 200 else True  # noqa: PLR2004 - HTTP's "OK"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _as_folder(url: str) -> str:
    url = url.partition("?")[0]
    return url if url.endswith("/") else f"{url}/"
