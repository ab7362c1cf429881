"""Which dates the source of a page states: in its front matter, in its HTML, or in its name."""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit import dates
from sitemapkit.metadata import publication_date
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.facts import page_facts
from textdates import file_of
from textdates.bounds import is_file, read_file, real_path, root_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.model import Page

_IN_TEXT = re.compile(
    r"""(?x)
    [:=] [ \t]*+ ["'<\[]?+  # after a key; Org has its dates in brackets
    (?P<year>[0-9]{4}) [-/] (?P<month>[0-9]{2}) [-/] (?P<day>[0-9]{2})
    (?:
        [T ] (?P<time>[0-9]{2}:[0-9]{2} (?: :[0-9]{2})?) (?: \.[0-9]+)?
        (?: [ ]? (?P<zone> Z | [+-][0-9]{2}:?[0-9]{2}))?
    )?"""
)
_IN_NAME = re.compile(
    r"(?<![0-9])(?P<year>[0-9]{4})[-_./](?P<month>[0-9]{2})[-_./](?P<day>[0-9]{2})(?![0-9])"
)

_LARGEST_OFFSET = 14 * 3600
_STEP_OF_OFFSETS = 15 * 60
"""Time zones differ by whole quarters of an hour."""


class _SourceDate(NamedTuple):
    """A date as a source states it."""

    day: str
    seconds: int
    """Those since 1970; as if in UTC, where no zone is stated."""

    has_zone: bool

    def is_meant_by(self, stated: date) -> bool:
        """Return whether a page states this date, be it in another time zone."""
        if stated.isoformat()[:10] == self.day:
            return True
        if not isinstance(stated, datetime):
            return self.has_zone and stated == datetime.fromtimestamp(self.seconds, UTC).date()
        offset = int(stated.timestamp()) - self.seconds
        if self.has_zone:
            return offset == 0
        return abs(offset) <= _LARGEST_OFFSET and offset % _STEP_OF_OFFSETS == 0


def source_states(page: Page, stated: date) -> bool:
    """Return whether the source of a page states a date that the page states.

    What the page inherits from a folder or from settings counts, too, as its publication.
    """
    if stated == publication_date(page.meta):
        return True
    file = file_of(page.sources[0])
    return any(each.is_meant_by(stated) for each in _source_dates(file))


def _source_dates(file: str) -> Iterator[_SourceDate]:
    folder = os.path.dirname(file)  # noqa: PTH120 - text
    name = os.path.relpath(real_path(file), root_of(folder))
    found = [*_IN_NAME.finditer(name)]
    if is_file(file):
        html = read_file(file, MAX_PAGE, cut=True)
        text = html.decode("utf-8-sig", "replace").lstrip()
        if text.startswith("<"):
            facts = page_facts(html)
            for value in filter(None, (facts.modified, facts.published)):
                yield _of_value(value)
        else:
            found += _IN_TEXT.finditer(_top(text))
    for each in found:
        parts = each.groupdict()
        day = f"{parts['year']}-{parts['month']}-{parts['day']}"
        clock, zone = parts.get("time"), parts.get("zone")
        try:
            moment = dates.parse(f"{day}T{clock or '00:00'}{zone or 'Z'}")
        except ValueError:  # no day of the calendar
            continue
        if isinstance(moment, datetime):
            yield _SourceDate(day, int(moment.timestamp()), zone is not None)


def _of_value(value: date) -> _SourceDate:
    """Return a date that HTML states."""
    moment = value if isinstance(value, datetime) else datetime.combine(value, time(), UTC)
    return _SourceDate(f"{value:%Y-%m-%d}", int(moment.timestamp()), isinstance(value, datetime))


def _top(text: str) -> str:
    """Return the front matter of a text, or where it has no lines around it, what begins it."""
    if text.startswith(("---", "+++")):
        return text[: text.find(f"\n{text[:3]}", 3)]
    return "\n\n".join(text.split("\n\n", 2)[:2])  # below a title, too
