"""The dates that authors state, without those that Pelican fills in."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pelican.utils import get_date

from sitemapkit.dates import day_if_midnight
from textdates.bounds import is_file

if TYPE_CHECKING:
    from pelican_sitemapkit.pelican_types import Content


def stated_date(content: Content, name: Literal["modified", "date"]) -> date | None:
    """Return a date that the author states; midnight means the day.

    The value of DEFAULT_DATE is not one of them: a fixed date says nothing about a page, and `fs`
    is the time of the checkout.
    """
    moment = getattr(content, name, None)
    if not isinstance(moment, datetime) or _is_default(moment, content):
        return None
    if not moment.tzinfo:
        moment = moment.replace(tzinfo=content.timezone)
    return day_if_midnight(moment)


def _is_default(moment: datetime, content: Content) -> bool:
    default = content.settings.get("DEFAULT_DATE")
    if not default:
        return False
    naive = moment.replace(tzinfo=None)  # as DEFAULT_DATE, in the zone of the site
    if default == "fs":
        if naive.microsecond:  # as only the clock of a file system has
            return True
        file = Path(content.source_path or "")  # a plugin may have made the text
        if not is_file(file):
            return False
        written = datetime.fromtimestamp(file.stat().st_mtime)  # noqa: DTZ006 - as Pelican does
        return naive == written
    if isinstance(default, str):
        return bool(naive == get_date(default))
    return naive == datetime(*default)  # noqa: DTZ001
