"""Rules about `<lastmod>`."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit_tools.issues import issue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import Survey

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_ZONE = r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
_GOOD = re.compile(rf"{_DAY}(?:T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:\.[0-9]+)?{_ZONE})?")
_COARSE = re.compile(rf"[0-9]{{4}}(?:-[0-9]{{2}})?|{_DAY}T[0-9]{{2}}:[0-9]{{2}}{_ZONE}")
_OLDEST = date(1990, 1, 1)
_YEARS = range(2, 9999)
"""Years in which a moment has a name in any zone."""

_ENOUGH_DATES = 20
_NEARLY_ALL = 0.9


def check_dates(survey: Survey) -> Iterator[Issue]:
    """Check the date of each entry, also of indexes, and all dates together."""
    for document in survey.documents:
        for listing in document.sitemap.listings if document.sitemap else ():
            if listing.lastmod is not None:
                for rule, detail in _faults(listing.lastmod, survey.now):
                    yield issue(rule, listing.loc, detail, document.place, listing.line)
    yield from _one_date(survey)


@lru_cache(maxsize=4096)
def stated_date(text: str | None) -> date | None:
    """Return the date or aware datetime that a `<lastmod>` states exactly, or None."""
    if text is None or not _GOOD.fullmatch(text):
        return None
    try:
        value = dates.parse(text)
    except ValueError:
        return None
    return value if value.year in _YEARS else None


def _faults(text: str, now: datetime) -> Iterator[tuple[str, str]]:
    value = stated_date(text)
    if value is None:
        yield ("coarse-date" if _COARSE.fullmatch(text) else "bad-date"), f"It is {text[:40]!r}."
    elif dates.is_future(value, now):
        yield "future-date", f"It is {text}, and now it is {dates.w3c(now)}."
    elif date(value.year, value.month, value.day) < _OLDEST:
        yield "old-date", f"It is {text}."


def _one_date(survey: Survey) -> Iterator[Issue]:
    """A build's or a shallow clone's date on all pages says nothing of any page (rule LM7)."""
    days = Counter(
        listed.listing.lastmod[:10] for listed in survey.listed if listed.listing.lastmod
    )
    for day, count in days.most_common(1):
        if days.total() >= _ENOUGH_DATES and count >= _NEARLY_ALL * days.total():
            detail = f"{count:,} of {days.total():,} dates are {day}."
            first = next(each for each in survey.listed if each.listing.lastmod)
            yield issue("one-date", first.document.url, detail, first.document.place)
