"""Dates, change frequencies and priorities as the protocol spells them (rules LM1-LM4, CP1-CP5)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from sitemapkit import dates

if TYPE_CHECKING:
    from collections.abc import Collection

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_UTC_SECOND = len("2024-01-01T00:00:00Z")
_DAY = len("2024-01-01")

# The W3C forms that name a day at least. Their calendar is checked by datetime itself.
_W3C = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:T(?P<minute>(?:[01]\d|2[0-3]):\d\d)(?P<second>:\d\d)?(?:\.\d+)?(?P<zone>Z|[+-]\d\d:\d\d))?",
    re.ASCII,
)


def lastmod_text(value: date | int | str) -> str:
    """Return `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ss` with `Z` or `+hh:mm` (rule LM1, `dates.w3c`).

    Text may be in any W3C form that names a day at least. Raises ValueError or OverflowError for
    what names no day.
    """
    return dates.w3c(_as_date(value))


def text_if_a_date(value: date | int | str | None) -> str:
    """Return the same, and "" for what is no date; the renderer reports it."""
    try:
        return "" if value is None else lastmod_text(value)
    except (ValueError, OverflowError):
        return ""


def _as_date(value: object) -> date:
    if isinstance(value, str):
        return _parsed(value)
    if isinstance(value, date):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return _EPOCH + timedelta(seconds=value)
    raise ValueError(f"{value!r} is not a date")


def _parsed(text: str) -> date:
    found = _W3C.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a W3C date")
    if not found["minute"]:
        return date.fromisoformat(text)
    second = found["second"] or ":00"
    return datetime.fromisoformat(f"{found['day']}T{found['minute']}{second}{found['zone']}")


def priority_text(value: float) -> str:
    """Return a priority with one or two decimals and a dot, in every locale (rule CP3)."""
    return f"{abs(value):.2f}".removesuffix("0")


def newest(lastmods: Collection[str]) -> str:
    """Return the newest of texts that `lastmod_text` gave, "" standing for none; "" if all are."""
    lengths = set(map(len, lastmods))
    if lengths <= {0, _UTC_SECOND} or lengths <= {0, _DAY}:  # they sort as they are
        return max(lastmods, default="")
    return max(lastmods, key=moment)


def moment(text: str) -> tuple[datetime, str]:
    """Return what sorts texts of `lastmod_text` by time; a bare day counts as its first second."""
    if not text:
        return _EARLIEST, text
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=found.tzinfo or UTC), text
