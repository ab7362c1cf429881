"""Which dates that pages state are their authors'.

Themes also state when git last changed a file, as a rename does, and when the site was built.
Neither says when the text changed, which git is asked instead.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, date, datetime, time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit import dates
from sitemapkit_tools.bounds import MAX_PAGE
from textdates import FileOrPart, file_of
from textdates.bounds import read_file
from textdates.git import GitError, run_git

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Page
    from sitemapkit.options import Options

    _Moment = int | str
    """A moment as themes write it: seconds since 1970, with or without those of the minute; or a
    day."""

_BUILD = "the day that it states is that of the build"
_COMMIT = "it states the last commit of its source, which is not always a change of the text"

_STATED = re.compile(
    r"""(?mx)
    (?: ^[ \t]*:?["']?[\w.-]{1,40}["']?[ \t]*[:=][ \t]*  # a key, perhaps below another
    | \bcontent= ) ["']? (?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"""
)
"""A day in front matter, or in the head of HTML."""

_COMMITS = ("log", "--date=format:%z", "--format=%H %at %ad %ct %cd")
_NAMES = (
    *("log", "--no-walk=unsorted", "--stdin", "-m", "--no-renames", "--name-only", "--relative"),
    "--format=%x01%H",
)


def with_authors_dates(pages: Sequence[Page], options: Options) -> list[Page]:
    """Return the pages without the dates that no author states, where git may be asked instead."""
    if "git" not in options.date_sources:
        return [*pages]
    days = [_day(page.modified) for page in pages if isinstance(page.modified, date)]
    of_build = days[0] if len({*days}) == 1 < len(days) else ""
    committed = _Committed(pages)
    return [_without_taken(page, of_build, committed) for page in pages]


def text_of(source: FileOrPart) -> str:
    """Return the text of the file of a source."""
    return read_file(file_of(source), MAX_PAGE, cut=True).decode("utf-8", "replace")


def days_in_front_matter(text: str) -> set[str]:
    """Return the days that the front matter of a text states, or the head of HTML."""
    text = text.lstrip()
    if text.startswith(("---", "+++")):
        top = text[: text.find(f"\n{text[:3]}", 3)]
    elif text.startswith("<"):
        top = text.partition("<body")[0]
    else:  # below a title, too
        top = "\n\n".join(text.split("\n\n", 2)[:2])
    return {found["day"] for found in _STATED.finditer(top)}


def _without_taken(page: Page, of_build: str, committed: _Committed) -> Page:
    """Return a page without the dates that its theme took from git, or from the clock."""
    modified, published = page.modified, page.published
    if isinstance(modified, date):
        if committed.at(modified, page):
            modified = _COMMIT
        elif _may_be_of_build(page, modified, of_build):
            modified = _BUILD
    if published and (
        committed.at(published, page)
        or (page.sources and _may_be_of_build(page, published, of_build))
    ):
        published = None
    is_kept = modified is page.modified and published is page.published
    return page if is_kept else replace(page, modified=modified, published=published)


def _may_be_of_build(page: Page, stated: date, of_build: str) -> bool:
    """Return whether a date may be of today, or of the day that all pages state, by the clock.

    That of a page with a source is its author's if the source states it.
    """
    day, today = _day(stated), _day(dates.build_time())
    if not page.sources:
        return day == of_build == today
    return day in (of_build, today) and not _states(page.sources[0], day)


def _states(source: FileOrPart, day: str) -> bool:
    """Return whether a source states a day, in its front matter or its name."""
    return day in file_of(source) or day in days_in_front_matter(text_of(source))


class _Committed:
    """When the sources of pages were committed, as far as pages state the same."""

    def __init__(self, pages: Sequence[Page]) -> None:
        """Ask git for the commits of stated moments, and which files they changed."""
        self._files: dict[_Moment, set[str]] = defaultdict(set)
        dated = [page for page in pages if page.sources and (page.modified or page.published)]
        stated = {each for page in dated for each in _stated(page)}
        if not stated:
            return
        folders = {Path(file_of(page.sources[0])).parent for page in dated}
        with suppress(GitError, ValueError):  # no repository, or no folder above all
            self._ask(os.path.commonpath(folders), stated)

    def at(self, stated: date, page: Page) -> bool:
        """Return whether a date that a page states is of a commit of its source, not its author.

        A page without a source is a list, which states the newest date of its pages.
        """
        files = self._files.get(_moment(stated), ())
        if not page.sources:
            return bool(files)
        is_of_commit = any(file_of(source) in files for source in page.sources)
        return is_of_commit and not _states(page.sources[0], _day(stated))

    def _ask(self, folder: str, stated: set[date]) -> None:
        moments = {*map(_moment, stated)}
        since = f"--since={min(map(_day, stated))}T00:00:00+14:00"
        hits: dict[bytes, set[_Moment]] = {}
        for line in run_git(folder, *_COMMITS, since).splitlines():
            commit, *times = line.split()
            written = {*chain(*map(_written, times[::2], times[1::2]))}
            if found := written & moments:
                hits[commit] = found
        if not hits:
            return
        for record in run_git(folder, *_NAMES, lines=hits).split(b"\1")[1:]:
            commit, *names = filter(None, record.split(b"\n"))
            for moment in hits[commit]:
                self._files[moment].update(f"{folder}/{os.fsdecode(name)}" for name in names)


def _stated(page: Page) -> Iterator[date]:
    yield from (each for each in (page.modified, page.published) if isinstance(each, date))


def _day(value: date) -> str:
    return value.isoformat()[:10]


def _moment(stated: date) -> _Moment:
    if isinstance(stated, datetime) and stated.time() != time():
        return int(stated.timestamp())
    return _day(stated)


def _written(seconds: bytes, zone: bytes) -> Iterator[_Moment]:
    """Yield how a theme may write the time of a commit: in UTC, or as the clock of its author."""
    offset = int(zone[:1] + zone[3:]) * 60 + int(zone[:3]) * 3600
    for moment in (int(seconds), int(seconds) + offset):
        yield from (moment, moment - moment % 60)
        with suppress(ValueError, OverflowError, OSError):  # git has any number for a time
            yield _day(datetime.fromtimestamp(moment, UTC))
