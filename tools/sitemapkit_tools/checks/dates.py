"""Rules about `<lastmod>`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit_tools.sitemaps.sitemap_file import ENOUGH_DATES, SitemapFile, UrlElement

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import SiteSnapshot

_TIME = r"[0-9]{2}:[0-9]{2}"
_COARSE = re.compile(rf"[0-9]{{4}}(?:-[0-9]{{2}}(?:-[0-9]{{2}}T{_TIME}(?:Z|[+-]{_TIME}))?)?")
"""The forms of the W3C that state no day, or no second: they are valid, and too coarse to judge."""

_NEARLY_ALL = 0.9

_FEW = 6
"""Pages of which nothing is concluded if they have no dates: they may all be lists."""


def check_dates(site: SiteSnapshot) -> Iterator[Issue]:
    """Check the date of each entry, also of indexes, and all dates together."""
    for file in site.files:
        for element in file.elements:
            if element.lastmod is not None:
                yield from _check(element.lastmod, element, file, site.now)
    yield from _one_date(site)
    yield from _undated(site)


def _check(text: str, element: UrlElement, file: SitemapFile, now: datetime) -> Iterator[Issue]:
    if rule := broken_rule(element, now):
        now_too = f", and now it is {dates.w3c(now)}" if rule == "future-date" else ""
        yield file.element_issue(rule, element, f"It is {text[:40]!r}{now_too}.")


def broken_rule(element: UrlElement, now: datetime) -> str | None:
    """Return the rule that the date of an element breaks."""
    value, text = element.valid_lastmod, element.lastmod
    if text is None:
        return None
    if value is None:
        return None if _COARSE.fullmatch(text) else "bad-date"
    if dates.is_future(value, now):
        return "future-date"
    return "old-date" if value.year < dates.FIRST_YEAR else None


def _undated(site: SiteSnapshot) -> Iterator[Issue]:
    """Most pages without a date have one cause; news and lists of URLs need none."""
    pages = [
        each for each in site.listed if each.file.kind == "urlset" and not each.file.is_for_news
    ]
    missing = sum(not each.element.lastmod for each in pages)
    if len(pages) > _FEW and 2 * missing > len(pages):
        share = "None" if missing == len(pages) else f"Only {len(pages) - missing:,}"
        file = next(each.file for each in pages if not each.element.lastmod)
        detail = (
            f"{share} of {len(pages):,} URLs {'have' if missing < len(pages) - 1 else 'has'} one."
        )
        yield file.issue("no-dates", file.url, detail)


def _one_date(site: SiteSnapshot) -> Iterator[Issue]:
    """The date of a build or of a shallow clone on all pages says nothing (rule LM7)."""
    days = Counter(each.element.lastmod[:10] for each in site.listed if each.element.lastmod)
    for day, count in days.most_common(1):
        if days.total() >= ENOUGH_DATES and count >= _NEARLY_ALL * days.total():
            file = next(each.file for each in site.listed if each.element.lastmod)
            detail = f"{count:,} of {days.total():,} dates are {day}."
            yield file.chosen(file.issue("one-date", file.url, detail))
