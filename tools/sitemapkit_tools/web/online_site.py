"""A site online: robots.txt, the sitemaps, and what each page that they list answers."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapkit import dates
from sitemapkit.urls import normalize
from sitemapkit_tools.bounds import OverBudgetError
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.read_pages import no_progress
from sitemapkit_tools.site.snapshot import SiteSnapshot, UrlStatus
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import UnreadableError, listed_urls
from sitemapkit_tools.web.client import Client, origin_of
from sitemapkit_tools.web.pages import PageFetcher, WebSource
from sitemapkit_tools.web.preview import Preview, previews

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl, SitemapFile

ROBOTS_NAME = "sitemapkit"
"""The name under which this program obeys robots.txt."""

_SITEMAP_SUFFIXES = (".xml", ".xml.gz", ".txt", ".txt.gz")


class OnlineSettings(Struct, frozen=True):
    """What of a site online is read."""

    hosts: Set[str] = frozenset()
    """Hosts besides the site's own that may be sent requests, each with its port if it has one.

    With https always, with http if the site itself has no more.
    """

    max_pages: int = 50_000


class OnlineSite(Struct, frozen=True):
    """A site online whose sitemaps are read, and its pages not yet."""

    base_url: str
    files: Sequence[SitemapFile]
    listed: Sequence[ListedUrl]
    robots: RobotsTxt
    pages: Sequence[str]
    """The listed URLs that are to be fetched: on named hosts, and allowed by robots.txt."""

    issues: Sequence[Issue]
    """What was not read, and why."""

    def fetch(self, client: Client, *, on_progress: OnProgress = no_progress) -> SiteSnapshot:
        """Fetch each page, with as many threads as the client has connections."""
        if delay := self.robots.crawl_delay(ROBOTS_NAME):
            client.slow_down(delay, f"robots.txt sets Crawl-delay: {delay:,.10g}")
        fetcher = PageFetcher(client)
        threads = client.settings.connections
        statuses, stopped = _fetch_all(self.pages, fetcher, threads, on_progress)
        unread = f"{len(statuses):,} of {len(self.pages):,} pages were fetched: {stopped}"
        return SiteSnapshot(
            base_url=self.base_url,
            files=self.files,
            listed=self.listed,
            now=dates.now(),
            robots=self.robots,
            robots_location=_robots_url(self.base_url),
            answer=statuses.get,
            statuses=statuses,
            unread=unread if stopped else "",
        )


def read_online_site(address: str, client: Client, settings: OnlineSettings) -> OnlineSite:
    """Read the robots.txt and the sitemaps of a site.

    `address` is the URL of the site or of one of its sitemaps. Raises UrlError if it is not valid.
    """
    address = normalize(address)
    parts = urlsplit(address)
    is_sitemap = parts.path.endswith(_SITEMAP_SUFFIXES)
    base_url = folder_of(address)
    schemes = {parts.scheme, "https"}
    origins = {f"{each}://{host}" for each in schemes for host in (parts.netloc, *settings.hosts)}
    source = WebSource(client, origins)
    robots = _RobotsFiles(source)
    own = robots.file_for(address)
    named = [address] if is_sitemap else _sitemaps(base_url, own, origins)
    files = collect(named, source, client.budget)
    listed = listed_urls(files)
    allowed = [
        url
        for url in sorted({each.url for each in listed})
        if origin_of(url) in origins and robots.file_for(url).allows(url, ROBOTS_NAME)
    ]
    issues = [*robots.issues, *source.issues]
    issues += [*_too_many_pages(len(allowed), settings.max_pages, base_url)]
    if not is_sitemap:
        issues += _other_hosts(own, origins, _robots_url(base_url))
    pages = allowed[: settings.max_pages]
    return OnlineSite(base_url, files, listed, own, pages, issues)


def find_preview(site: OnlineSite, client: Client) -> Preview | None:
    """Return what a server of one's own shows, if its sitemap is of a site elsewhere.

    It may show only a folder of that site: the one in which its pages are found.
    """
    locs = [element.loc for file in site.files for element in file.elements]

    def answered(preview: Preview) -> int:
        urls = filter(None, map(preview.served, locs[:_TRIED]))
        return sum(client.request("HEAD", url, limit=0).status < _ERROR for url in urls)

    return max(reversed(previews(site.base_url, locs)), key=answered, default=None)


_TRIED = 5
"""URLs that are asked for, to see which folder of the site is served."""

_ERROR = 400


class _RobotsFiles:
    """The robots.txt of each host, read once."""

    def __init__(self, source: WebSource) -> None:
        self.issues: list[Issue] = []
        self._source = source
        self._files: dict[str, RobotsTxt] = {}

    def file_for(self, url: str) -> RobotsTxt:
        robots_url = _robots_url(url)
        if robots_url not in self._files:
            self._files[robots_url] = self._read(robots_url)
        return self._files[robots_url]

    def _read(self, robots_url: str) -> RobotsTxt:
        try:
            return RobotsTxt(self._source.read(robots_url))
        except UnreadableError as error:
            if not error.missing:
                self.issues.append(issue("unreachable", robots_url, str(error), robots_url))
            return RobotsTxt()


def _sitemaps(base_url: str, robots: RobotsTxt, origins: Set[str]) -> list[str]:
    """Return the sitemaps that robots.txt names, or the one that should be there."""
    at_root = urlsplit(base_url).path == "/"
    named = [url for url in robots.sitemap_urls if origin_of(url) in origins]
    own = [url for url in named if at_root or url.startswith(base_url)]
    return own or [f"{base_url}sitemap.xml"]


def _other_hosts(robots: RobotsTxt, origins: Set[str], location: str) -> Iterator[Issue]:
    for url in robots.sitemap_urls:
        if (origin := origin_of(url)) not in origins:
            yield issue("not-checked", url, f"It is on {origin}.", location)


def _too_many_pages(count: int, most: int, base_url: str) -> Iterator[Issue]:
    if count > most:
        detail = f"Only the first {most:,} of {count:,} pages were."
        yield issue("not-checked", base_url, detail, base_url)


def _fetch_all(
    pages: Sequence[str], fetcher: PageFetcher, threads: int, on_progress: OnProgress
) -> tuple[dict[str, UrlStatus], str]:
    """Return what the pages answer, and why not all of them were asked, if so."""
    statuses: dict[str, UrlStatus] = {}
    errors: list[str] = []
    waiting, lock, stop = iter(pages), threading.Lock(), threading.Event()

    def work(_: int) -> None:
        while not stop.is_set():
            with lock:
                url = next(waiting, None)
            if url is None:
                return
            try:
                status = fetcher.fetch(url)
            except OverBudgetError as error:
                errors.append(str(error))
                stop.set()
                return
            with lock:
                statuses[url] = status
                on_progress(1)

    with ThreadPoolExecutor(threads) as pool:
        try:
            list(pool.map(work, range(threads)))
        finally:
            stop.set()
    return statuses, errors[0] if errors else ""


def _robots_url(url: str) -> str:
    return f"{origin_of(url)}/robots.txt"


def folder_of(address: str) -> str:
    """Return the URL of the site at a URL, or of the folder that holds a sitemap."""
    address = address.partition("?")[0]
    if address.endswith(("/", *_SITEMAP_SUFFIXES)):
        return address.rpartition("/")[0] + "/"
    return f"{address}/"
