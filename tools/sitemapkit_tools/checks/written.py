"""What a build says of the sitemap that it wrote, and a check of any other."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from msgspec import structs

from sitemapkit.dates import FIRST_YEAR
from sitemapkit.rules import and_more
from sitemapkit.xmltext import unescaped
from sitemapkit_tools.checks.entries import session_parameter
from sitemapkit_tools.checks.robots import foreign_sitemaps, other_host_severity
from sitemapkit_tools.issues import issue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Entry, Issue
    from sitemapkit_tools.sitemaps.robots import RobotsTxt


def check_listed(listed: Sequence[Entry]) -> Iterator[Issue]:
    """Check the entries; each rule is reported once, with the first entry that breaks it."""
    broken: dict[str, list[str]] = {"session-id": [], "entity-parameter": [], "old-date": []}
    for entry in listed:
        if session_parameter(entry.loc):
            broken["session-id"].append(entry.loc)
        if unescaped(entry.loc) != entry.loc:
            broken["entity-parameter"].append(entry.loc)
        if isinstance(entry.lastmod, date) and entry.lastmod.year < FIRST_YEAR:
            broken["old-date"].append(entry.loc)
    for rule, locs in broken.items():
        if locs:
            yield issue(rule, locs[0], and_more(len(locs)), "")


def check_sitemap_lines(robots: RobotsTxt, file: str, base_url: str) -> Iterator[Issue]:
    """Check that the Sitemap lines of the robots.txt `file` name none on another host."""
    lines = [(number, value) for number, _, value in robots.sitemap_lines]
    for number, url in foreign_sitemaps(lines, base_url):
        found = issue("robots-other-host", file, f"Line {number} names {url}", "")
        yield structs.replace(found, severity=other_host_severity(url))
