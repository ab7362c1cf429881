"""What a build says of the sitemap that it wrote, and a check of any other."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from sitemapkit.dates import FIRST_YEAR
from sitemapkit.rules import and_more
from sitemapkit.xmltext import unescaped
from sitemapkit_tools.checks.entries import session_parameter
from sitemapkit_tools.issues import issue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Entry, Issue


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
