"""Dates as authors, sitemaps and git write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True)
class Moment:
    """A day, and the time of day and the offset from UTC where they are known."""

    day: str
    time: str | None = None
    zone: str | None = None

    def __str__(self) -> str:
        """Write it as a sitemap does."""
        return f"{self.day}T{self.time}{self.zone or ''}" if self.time else self.day

    @property
    def instant(self) -> datetime:
        """The moment itself; what is not known is midnight and UTC."""
        zone = (self.zone or "Z").replace("Z", "+00:00")
        return datetime.fromisoformat(f"{self.day}T{self.time or '00:00:00'}{zone}")

    @property
    def is_future(self) -> bool:
        """Whether it lies in the future wherever on earth it was written."""
        return self.instant > datetime.now(UTC) + timedelta(hours=14)

    def is_said_by(self, lastmod: Moment) -> bool:
        """Tell whether a lastmod is this moment, as far as both are known."""
        if lastmod.time and self.zone:
            return lastmod.instant == self.instant
        return lastmod.day == self.day and lastmod.time in (None, self.time or "00:00:00")


def read_moment(text: str) -> Moment | None:
    """Read a date in the forms that authors use, or return None."""
    found = re.fullmatch(
        r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)"
        r"(?:[T ]+(\d\d?):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*([ap]m)?\s*(Z|[+-]\d\d:?\d\d)?)?",
        text.strip(),
        re.IGNORECASE,
    )
    if not found:
        return None
    year, month, day, hour, minute, second, half, zone = found.groups()
    hours = int(hour or 0) % 12 + 12 * (half.lower() == "pm") if half else int(hour or 0)
    time = f"{hours:02}:{minute}:{second or '00'}" if hour else None
    zone = f"{zone[:3]}:{zone[-2:]}" if zone and zone != "Z" else zone
    return Moment(f"{year}-{int(month):02}-{int(day):02}", time, zone)


def from_seconds(seconds: int) -> Moment:
    """Return the moment that lies so many seconds after 1970 began in UTC."""
    day, _, time = datetime.fromtimestamp(seconds, UTC).isoformat().partition("T")
    return Moment(day, time[:8], "Z")
