"""Rules about robots.txt and how it names the sitemap."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import structs

from sitemapkit.urls import is_local_host, normalize_or_none
from sitemapkit_tools.issues import as_note, issue
from sitemapkit_tools.sitemaps.robots import CRAWLER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.model import Entry, Issue, Severity
    from sitemapkit_tools.site.scan import SitePage
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.sitemaps.robots import RobotsTxt


def check_robots(site: SiteSnapshot) -> Iterator[Issue]:
    """Check the robots.txt at the root of the host; crawlers read no other."""
    location = site.robots_location
    if unread := site.robots.unread:
        if unread != "unreachable":  # which is said already
            yield issue(unread, "robots.txt", "", location)
        return
    yield from _sitemap_lines(site)
    for file in site.files:
        if not site.robots.allows(file.url):
            detail = f"{location} forbids it to {CRAWLER}."
            yield issue("sitemap-disallowed", file.url, detail, location)
    if urlsplit(site.base_url).path == "/":
        for url in _not_named(site):
            yield issue("robots-no-sitemap", "robots.txt", f"The line is Sitemap: {url}", location)


def _not_named(site: SiteSnapshot) -> Iterator[str]:
    """Yield the sitemaps that robots.txt must name: one, and those whose pages no other lists."""
    named = set(site.robots.sitemap_urls)
    found = [file.url for file in site.files if not file.error]
    if named.isdisjoint(found):
        yield from found[:1]
        return
    pages: dict[str, set[str]] = {}
    announced: set[str] = set()
    for listed in site.listed:
        file = listed.file
        while file.index and file.url not in named:
            file = file.index
        if file.url in named:
            announced.add(listed.url)
        else:
            pages.setdefault(file.url, set()).add(listed.url)
    for url, listed_in_it in pages.items():
        if listed_in_it.isdisjoint(announced):
            yield url


def disallowed(listed: Sequence[Entry], robots: RobotsTxt) -> Iterator[Issue]:
    """Say so if crawlers may fetch none of the pages that a build lists, which is on purpose."""
    if listed and not any(robots.allows(entry.loc) for entry in listed):
        detail = "It allows none of the listed pages, so search engines read none."
        found = issue("robots-disallowed", listed[0].loc, detail, "robots.txt")
        yield as_note(found)


def check_unread_noindex(pages: Iterable[SitePage], site: SiteSnapshot) -> Iterator[Issue]:
    """Check whether crawlers can read what keeps a page out of an index."""
    for each in pages:
        url = each.page.url
        if site.robots.allows(url):
            continue
        status = site.answer(url)
        if status and status.is_noindex:
            detail = f"{site.robots_location} forbids it to {CRAWLER}."
            yield issue("noindex-unread", url, detail, each.location)


def _sitemap_lines(site: SiteSnapshot) -> Iterator[Issue]:
    location = site.robots_location
    missing = {file.url for file in site.files if file.is_missing}
    for number, _, value in site.robots.sitemap_lines:
        url = normalize_or_none(value)
        if url is None:
            yield issue("robots-relative", value, f"It is {value[:200]!r}.", location, number)
        elif url in missing:
            detail = "There is no such file."
            yield issue("robots-dead-sitemap", value, detail, location, number)
    values = [(number, value) for number, _, value in site.robots.sitemap_lines]
    for number, url in foreign_sitemaps(values, site.base_url) if location else ():
        found = issue("robots-other-host", url, "", location, number)
        yield structs.replace(found, severity=other_host_severity(url))
    for number, _, value in site.robots.splitting_lines():
        detail = "The rules after it may be lost."
        yield issue("robots-group-split", value, detail, location, number)


def foreign_sitemaps(lines: Iterable[tuple[int, str]], base_url: str) -> Iterator[tuple[int, str]]:
    """Yield the Sitemap lines of a robots.txt, with numbers, that name one on another host."""
    own = urlsplit(base_url).hostname
    for number, value in lines:
        url = normalize_or_none(value)
        if url and urlsplit(url).hostname != own:
            yield number, url


def other_host_severity(url: str) -> Severity:
    """Another host may keep sitemaps, but not this machine, its network, or a preview."""
    host = urlsplit(url).hostname or ""
    return "warning" if is_local_host(host) or is_preview_host(host) else "note"


def is_preview_host(host: str) -> bool:
    """Return whether a host shows a build before it is published, as hosts name theirs."""
    return bool(re.fullmatch(_PREVIEW, host.lower()))


_PREVIEW = r"""(?x)
    (?=[^.]+--[^.])[^.]++\.netlify\.app  # of a branch or a pull request
    | (?:[^.]+\.){2}pages\.dev
    | (?=[^.]+-git-[^.])[^.]++\.vercel\.app
    | [^.]+\.readthedocs\.build
    | [^.]+\.(?: ngrok(?:-free)?\.(?:io|app|dev) | trycloudflare\.com )  # tunnels
    """
