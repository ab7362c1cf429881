"""W3C datetimes: reading what authors write, writing what every consumer accepts (rule LM1).

A value is a `date` (the day is known) or an aware `datetime` (the second is known). A time without
a zone says less than it seems, so only its day is kept (LM4).
"""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# The forms of the W3C profile that name a day at least, and the blank and the missing zone that
# YAML and people write. The calendar is checked by datetime itself.
_DATETIME = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ](?P<time>(?:[01][0-9]|2[0-3]):[0-9]{2}(?P<second>:[0-9]{2})?)(?:\.[0-9]+)?"
    r" ?(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})?)?"
)

_KNOW_THEIR_OFFSET = (timezone, ZoneInfo)
"""Zones that have an offset at any time; to ask them for it takes longer than all the rest."""

_FARTHEST_EAST = timedelta(hours=14)
"""Where the day begins first: until then a day may be today somewhere."""

_CLOCK_SKEW = timedelta(minutes=10)
"""How far the clocks of two machines may differ."""

_MINUTE = timedelta(minutes=1)
_LARGEST_OFFSET = timedelta(hours=14)
_LARGEST_OFFSET_TEXT = "14:00"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = len("2024-01-01")
_UTC_SECOND = len("2024-01-01T00:00:00Z")
_SECOND_AND_ZONE = len("2024-01-01T00:00:00+00:00")


def parse(text: str) -> date:
    """Return the date or aware datetime that `text` states.

    Accepts `YYYY-MM-DD`, optionally with `hh:mm` or `hh:mm:ss` after a `T` or a blank, and a zone.

    Raises ValueError, which says what is allowed.
    """
    found = _DATETIME.fullmatch(text.strip())
    if not found:
        raise ValueError("allowed: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm")
    return _stated(found)


def parse_w3c(text: str) -> date:
    """Return the same for a W3C datetime that names a day at least, to the letter (rule LM1).

    Raises ValueError for any other text.
    """
    found = _DATETIME.fullmatch(text)
    if not found or " " in text or (found["time"] and not found["zone"]):
        raise ValueError(f"{text!r} is not a W3C datetime")
    return _stated(found)


def _stated(found: re.Match[str]) -> date:
    if not found["time"]:
        return date.fromisoformat(found["day"])
    return known(datetime.fromisoformat(f"{found['day']}T{found['time']}{found['zone'] or ''}"))


def parse_exact(text: str) -> date:
    """Return the day or the second that `text` states in the very form of rule LM1.

    Raises ValueError for anything else, such as a blank, a time without seconds or without a zone.
    """
    found = _DATETIME.fullmatch(text)
    if not found or " " in text or (found["time"] and not (found["second"] and found["zone"])):
        raise ValueError("exactly: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm")
    return parse(text)


def known(value: date) -> date:
    """Return what `value` really says: an aware datetime, or a day where there is no zone."""
    if not isinstance(value, datetime):
        return value
    zone = value.tzinfo
    if zone is None or (type(zone) not in _KNOW_THEIR_OFFSET and value.utcoffset() is None):
        return value.date()
    return value.replace(microsecond=0) if value.microsecond else value


def w3c(value: date) -> str:
    """Write a day as `YYYY-MM-DD`, an aware datetime as `YYYY-MM-DDThh:mm:ss` and `Z` or `+hh:mm`.

    A datetime without a zone gives its day alone, for its hour is true nowhere (LM4). Fractions of
    a second are cut off. An offset that the XML schema does not take, of seconds as before zones
    were agreed on, or beyond 14 hours, is written as UTC.
    """
    text = value.isoformat()
    if len(text) == _SECOND_AND_ZONE and text[-5:] <= _LARGEST_OFFSET_TEXT:
        return text.replace("+00:00", "Z")  # as most are; the rest costs three times as much
    if not isinstance(value, datetime):
        return text
    offset = value.utcoffset()
    if offset is None:
        return value.date().isoformat()
    if offset % _MINUTE or abs(offset) > _LARGEST_OFFSET:
        value = _in_utc(value)
    return value.isoformat(timespec="seconds").replace("+00:00", "Z")


def lastmod_text(value: date | int | str) -> str:
    """Return the `lastmod` of an entry as it is written (rule LM1, `w3c`).

    Raises ValueError or OverflowError for what names no day.
    """
    if isinstance(value, str):
        return w3c(parse_w3c(value))
    if isinstance(value, date):
        return w3c(value)
    if type(value) is int:  # no bool
        return w3c(from_seconds(value))
    raise ValueError(f"{value!r} is not a date")


def text_if_a_date(value: date | int | str | None) -> str:
    """Return the same, and "" for what is no date; the renderer reports it."""
    try:
        return "" if value is None else lastmod_text(value)
    except (ValueError, OverflowError):
        return ""


def newest_text(lastmods: Collection[str]) -> str:
    """Return the newest of texts that `lastmod_text` gave, "" standing for none; "" if all are."""
    lengths = set(map(len, lastmods))
    if lengths <= {0, _UTC_SECOND} or lengths <= {0, _DAY}:  # they sort as they are
        return max(lastmods, default="")
    return max(lastmods, key=sortable_text)


def from_seconds(seconds: int) -> datetime:
    """Return the moment so many seconds after the start of 1970, in UTC."""
    return _EPOCH + timedelta(seconds=seconds)


def now() -> datetime:
    """Return the build's time: SOURCE_DATE_EPOCH where it states one (reproducible-builds.org)."""
    try:
        return from_seconds(int(os.environ["SOURCE_DATE_EPOCH"]))
    except (KeyError, ValueError, OverflowError, OSError):  # not set, or too large to be seconds
        return datetime.now(UTC)


def is_future(value: date, moment: datetime) -> bool:
    """Tell whether `value` lies after `moment` wherever on earth it was written (rule LM5)."""
    if value.year < moment.year - 1:  # zones cannot bridge a year, and they are slow to ask
        return False
    value = known(value)
    if isinstance(value, datetime):
        return value > moment + _CLOCK_SKEW
    return value > (moment + _FARTHEST_EAST).date()


def newest(values: Sequence[date]) -> date | None:
    """Return the newest of dates and datetimes, by UTC; of a day and a time on it, the time."""
    last_day = max(map(date.toordinal, values), default=0) - 2  # no more lie between two zones
    last = (value for value in values if value.toordinal() >= last_day)
    return max(last, key=sortable, default=None)


@lru_cache(maxsize=1 << 16)  # lists of articles ask for the same dates again and again
def sortable(value: date | None) -> tuple[str, str]:
    """Return a key that sorts days and aware datetimes together, by UTC; nothing comes first."""
    if value is None:
        return "", ""
    text = (_in_utc(value) if isinstance(value, datetime) else value).isoformat()
    return text[:10], text[10:]


def sortable_text(text: str) -> tuple[tuple[str, str], str]:
    """Return the same for a text of `lastmod_text`, "" standing for nothing."""
    return sortable(parse(text) if text else None), text


def _in_utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError:  # hours before the calendar begins, or after it ends
        return value.replace(tzinfo=UTC)
