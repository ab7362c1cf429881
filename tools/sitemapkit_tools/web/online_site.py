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
from sitemapkit_tools.site.alone import SUFFIXES
from sitemapkit_tools.site.base_url import origin_of
from sitemapkit_tools.site.read_pages import no_progress
from sitemapkit_tools.site.snapshot import SiteSnapshot, UrlStatus
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import UnreadableError, listed_urls
from sitemapkit_tools.web.pages import PageFetcher, WebSource
from sitemapkit_tools.web.preview import Preview, previews

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from sitemapkit.model import Issue
    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl, SitemapFile
    from sitemapkit_tools.web.client import Client

ROBOTS_NAME = "sitemapkit"
"""The name under which this program obeys robots.txt."""

_PAGE_SUFFIXES = (".html", ".htm", ".php")


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

    @property
    def is_without_sitemap(self) -> bool:
        """Whether there is no sitemap where one is expected."""
        return _is_nothing(self.files)

    def fetch(self, client: Client, *, on_progress: OnProgress = no_progress) -> SiteSnapshot:
        """Fetch each page, with as many threads as the client has connections."""
        if delay := self.robots.crawl_delay(ROBOTS_NAME):
            client.slow_down(delay, f"robots.txt sets Crawl-delay: {delay:,.10g}")
        fetcher = PageFetcher(client)
        threads = client.settings.connections
        statuses, stopped = _fetch_all(self.pages, fetcher, threads, on_progress)
        if not stopped:
            statuses = _without_not_found(statuses, self._asked_in_vain(fetcher))
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

    def _asked_in_vain(self, fetcher: PageFetcher) -> UrlStatus | None:
        """Return what an address answers that cannot exist.

        None: robots.txt forbids to ask, or there is no time or memory left for it.
        """
        absent = f"{self.base_url}sitemapkit-asks-for-a-page-that-is-not-there"
        if not self.robots.allows(absent, ROBOTS_NAME):
            return None
        try:
            return fetcher.fetch(absent)
        except OverBudgetError:
            return None


def read_online_site(address: str, client: Client, settings: OnlineSettings) -> OnlineSite:
    """Read the robots.txt and the sitemaps of a site.

    `address` is the URL of the site, of one of its pages or of one of its sitemaps. Raises UrlError
    if it is not valid.
    """
    address = normalize(address)
    parts = urlsplit(address)
    schemes = {parts.scheme, "https"}
    origins = {f"{each}://{host}" for each in schemes for host in (parts.netloc, *settings.hosts)}
    source = WebSource(client, origins)
    robots = _RobotsFiles(source)
    own = robots.file_for(address)
    base_url = folder_of(address)
    if is_sitemap(address):
        files = collect([address], source, client.budget)
    else:
        base_url, files = _find_sitemaps(address, own, source, client.budget)
    listed = listed_urls(files)
    allowed = [
        url
        for url in sorted({each.url for each in listed})
        if origin_of(url) in origins and robots.file_for(url).allows(url, ROBOTS_NAME)
    ]
    issues = [*robots.issues, *source.issues]
    pages = allowed[: settings.max_pages]
    if len(pages) < len(allowed):
        detail = f"Only the first {len(pages):,} of {len(allowed):,} pages were."
        issues.append(issue("not-checked", base_url, detail, base_url))
    for url in () if is_sitemap(address) else own.sitemap_urls:
        if (origin := origin_of(url)) not in origins:
            detail = f"It is on {origin}."
            issues.append(issue("not-checked", url, detail, _robots_url(base_url)))
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
        if robots_url in self._files:
            return self._files[robots_url]
        robots = RobotsTxt()
        try:
            robots = RobotsTxt(self._source.read(robots_url))
        except UnreadableError as error:
            if not error.missing:
                robots.unread = "unreachable"
                self.issues.append(issue("unreachable", robots_url, str(error), robots_url))
        self._files[robots_url] = robots
        return robots


def _find_sitemaps(
    address: str, robots: RobotsTxt, source: WebSource, budget: Budget
) -> tuple[str, list[SitemapFile]]:
    """Return the base URL of the site at an address, and its sitemaps.

    They are those that robots.txt names for the site, or the one that should be there. If it is
    not, the address may be that of a page: then a sitemap above it lists it.
    """
    base_url = folder_of(address)
    missing: list[SitemapFile] = []
    for named in _places(base_url, robots, source):
        files = collect(named, source, budget)
        if not _is_nothing(files):
            return base_url, files
        missing = missing or files
    page = address.partition("?")[0]
    for folder in _above(base_url):
        above = collect(_places(folder, robots, source)[0], source, budget)
        if any(each.url in (page, base_url) for each in listed_urls(above)):
            return folder, above
    return base_url, missing


def _is_nothing(files: Sequence[SitemapFile]) -> bool:
    """Return whether the only file that was looked for is missing."""
    return len(files) == 1 and files[0].is_missing


_EXPECTED = ("sitemap.xml", "sitemap-index.xml", "sitemap_index.xml")
"""Where a sitemap may be that robots.txt does not name; the others are Astro's and Yoast's."""


def _places(base_url: str, robots: RobotsTxt, source: WebSource) -> list[list[str]]:
    """Return the sitemaps that robots.txt names for a site, or each that may be there."""
    at_root = urlsplit(base_url).path == "/"
    named = [url for url in robots.sitemap_urls if source.may_read(url)]
    own = [url for url in named if at_root or url.startswith(base_url)]
    return [own] if own else [[f"{base_url}{name}"] for name in _EXPECTED]


def _above(base_url: str) -> Iterator[str]:
    """Yield the URLs of the folders above the one with this URL, the nearest first."""
    root = f"{origin_of(base_url)}/"
    while base_url != root:
        base_url = base_url.rstrip("/").rpartition("/")[0] + "/"
        yield base_url


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


def _without_not_found(
    statuses: dict[str, UrlStatus], absent: UrlStatus | None
) -> dict[str, UrlStatus]:
    """Return what pages answer; those with 200 that only say "not found" as if with 404.

    They are known by their title, that of an address that cannot exist. Where the pages of a site
    share one title, none is known.
    """
    if not (absent and absent.facts and absent.facts.title):
        return statuses
    title = absent.facts.title
    same = [url for url, each in statuses.items() if each.facts and each.facts.title == title]
    if 2 * len(same) > len(statuses):
        return statuses
    detail = f"It answers 200, and shows {title!r} as any address does that does not exist."
    return statuses | {url: UrlStatus(404, url, detail=detail) for url in same}


def _robots_url(url: str) -> str:
    return f"{origin_of(url)}/robots.txt"


def is_sitemap(address: str) -> bool:
    """Return whether a URL names a sitemap, and not a site or a page."""
    return urlsplit(address).path.endswith(SUFFIXES)


def folder_of(address: str) -> str:
    """Return the URL of the site at a URL, or of the folder that holds a file."""
    address = address.partition("?")[0]
    if address.endswith(("/", *SUFFIXES, *_PAGE_SUFFIXES)):
        return address.rpartition("/")[0] + "/"
    return f"{address}/"
