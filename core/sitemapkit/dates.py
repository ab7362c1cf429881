"""W3C datetimes: reads what authors write, writes what every consumer accepts (rule LM1).

A value is a `date` (the day is known) or an aware `datetime` (the second is known). A time without
a zone is ambiguous, so only its day is kept (LM4).
"""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import to_builtins

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# The forms of the W3C profile that include a day, and the space, the zone without a colon and the
# missing zone that YAML and people write. `datetime` checks the calendar.
_DATETIME = (
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ](?P<time>(?:[01][0-9]|2[0-3]):[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?"
    r" ?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)

FIRST_YEAR = 1990
"""The first year of the web: no page is older."""

_LARGEST_OFFSET = timedelta(hours=14)
"""The offset of the zone where the day begins first, and the largest in the XML schema."""

_CLOCK_SKEW = timedelta(minutes=10)
"""How far the clocks of two machines may differ."""

_MINUTE = timedelta(minutes=1)
_LARGEST_OFFSET_TEXT = "14:00"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = len("2024-01-01")
_UTC_SECOND = len("2024-01-01T00:00:00Z")
_SECOND_AND_ZONE = len("2024-01-01T00:00:00+00:00")


def parse(text: str) -> date:
    """Return the date or aware datetime that `text` represents.

    Accepts `YYYY-MM-DD`, optionally with `hh:mm` or `hh:mm:ss` after a `T` or a space, and a zone.

    Raises ValueError, which says what is allowed.
    """
    match = re.fullmatch(_DATETIME, text.strip())
    if not match:
        raise ValueError("allowed: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm")
    return _value(match)


def parse_w3c(text: str) -> date:
    """Return the date or aware datetime of a strict W3C datetime with a day (rule LM1).

    Raises ValueError for any other text.
    """
    match = re.fullmatch(_DATETIME, text)
    zone = (match["zone"] or "") if match else ""
    if not match or " " in text or (match["time"] and not zone) or zone[3:4] not in ("", ":"):
        raise ValueError(f"{text!r} is not a W3C datetime")
    return _value(match)


def _value(match: re.Match[str]) -> date:
    if not match["time"]:
        return date.fromisoformat(match["day"])
    return known(datetime.fromisoformat(f"{match['day']}T{match['time']}{match['zone'] or ''}"))


def known(value: date) -> date:
    """Return an aware datetime to the second, or only the day where the zone is unknown."""
    if not isinstance(value, datetime):
        return value
    zone = value.tzinfo
    # A fixed zone has an offset; computing it would take longer than everything else here.
    if zone is None or (type(zone) is not timezone and value.utcoffset() is None):
        return value.date()
    return value.replace(microsecond=0) if value.microsecond else value


def day_if_midnight(value: datetime) -> date:
    """Return a datetime, or only its day at midnight: then a day without a time was stated."""
    return value.date() if value.time() == time() else value


def w3c(value: date) -> str:
    """Write a day as `YYYY-MM-DD`, an aware datetime as `YYYY-MM-DDThh:mm:ss` and `Z` or `+hh:mm`.

    A datetime without a zone gives only its day (LM4). Fractions of a second are cut off. A
    datetime whose offset the XML schema does not accept (it includes seconds, as before standard
    time, or exceeds 14 hours) is written in UTC.
    """
    if type(value) is datetime and value.tzinfo is UTC:
        text: str = to_builtins(value)  # as most are; a fifth of the time of what follows
        if len(text) == _UTC_SECOND:
            return text
    text = value.isoformat()
    if len(text) == _SECOND_AND_ZONE and text[-5:] <= _LARGEST_OFFSET_TEXT:
        return text.replace("+00:00", "Z")  # the usual case; the rest is three times as slow
    if not isinstance(value, datetime):
        return text
    offset = value.utcoffset()
    if offset is None:
        return value.date().isoformat()
    if offset % _MINUTE or abs(offset) > _LARGEST_OFFSET:
        value = _in_utc(value)
    return value.isoformat(timespec="seconds").replace("+00:00", "Z")


def lastmod_text(value: date | int | str | None) -> str:
    """Return an entry's `lastmod` in the form of `w3c`, or "" if it is None or not a valid date."""
    try:
        if isinstance(value, str):
            value = parse_w3c(value)
        elif type(value) is int:  # not a bool
            value = _from_seconds(value)
        return w3c(value) if isinstance(value, date) else ""
    except (ValueError, OverflowError):
        return ""


def newest_text(lastmods: Collection[str]) -> str:
    """Return the newest result of `lastmod_text`, or "" if there is no date among them."""
    lengths = set(map(len, lastmods))
    if lengths <= {0, _UTC_SECOND} or lengths <= {0, _DAY}:  # they sort as text
        return max(lastmods, default="")
    return max(lastmods, key=sortable_text)


def now() -> datetime:
    """Return the current time, after which a date lies in the future (rule LM5)."""
    return max(datetime.now(UTC), build_time())


def build_time() -> datetime:
    """Return the time for what the build itself dates: SOURCE_DATE_EPOCH where it is set.

    It makes builds reproducible, and may be years ago (reproducible-builds.org); so nothing that
    others state is measured by it.
    """
    try:
        return _from_seconds(int(os.environ["SOURCE_DATE_EPOCH"]))
    except (KeyError, ValueError, OverflowError):  # not set, or too large to be seconds
        return datetime.now(UTC)


def _from_seconds(seconds: int) -> datetime:
    return _EPOCH + timedelta(seconds=seconds)


def is_future(value: date, moment: datetime) -> bool:
    """Return whether `value` is after `moment` in every time zone (rule LM5)."""
    if value.year < moment.year - 1:  # no offset spans a year, and offsets are slow to compute
        return False
    value = known(value)
    if isinstance(value, datetime):
        return value > moment + _CLOCK_SKEW
    return value > (moment + _LARGEST_OFFSET).date()


def newest(values: Sequence[date | None]) -> date | None:
    """Return the newest of dates and datetimes, by UTC; of a day and a time on it, the time.

    If one of them is None, it is not known which is the newest.
    """
    known: list[date] = []
    for value in values:
        if value is None:
            return None
        known.append(value)
    last_day = max(map(date.toordinal, known), default=0) - 2  # time zones differ by two days
    last = [value for value in known if value.toordinal() >= last_day]
    return max(last, key=sortable, default=None)


@lru_cache(maxsize=1 << 16)  # listings compare the same dates many times
def sortable(value: date | None) -> tuple[str, str]:
    """Return a key that sorts days and aware datetimes together, by UTC; None comes first."""
    if value is None:
        return "", ""
    if isinstance(value, datetime):
        value = _in_utc(value)
    text = value.isoformat()
    return text[:_DAY], text[_DAY:]


def sortable_text(text: str) -> tuple[tuple[str, str], str]:
    """Return a key that sorts results of `lastmod_text` by time; "" comes first."""
    return sortable(parse(text) if text else None), text


def _in_utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError:  # within hours of the calendar's beginning or end
        return value.replace(tzinfo=UTC)
