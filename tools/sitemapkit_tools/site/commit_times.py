"""When the sources of pages were committed, where pages state dates that may be of commits."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit_tools.site.tracked import tracked_among
from textdates import file_of
from textdates.git import GitError, run_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.model import Page

    Moment = int | str
    """A moment as themes write it: seconds since 1970, or a day."""

_TIMES = ("--date=format:%z", "--format=%x01%H %at %ad %ct %cd")
_FILES = ("-m", "--no-renames", "--name-only", "--relative")

_LARGEST_OFFSET = timedelta(hours=14)
"""That of the zone where a day begins first."""

_LAST_SECOND = int(datetime(9999, 12, 31, tzinfo=UTC).timestamp())


class _Commit(NamedTuple):
    """A commit, or what it changed from one of its parents."""

    id: bytes
    times: Sequence[tuple[int, int]]
    """When it was written and when it was committed: seconds since 1970, and the offset of the
    clock."""

    files: Sequence[str]


class LastCommit(NamedTuple):
    """The last commit of a file; before all asked dates, if it is as `LONG_AGO`."""

    seconds: int
    day: str

    def is_before(self, stated: date) -> bool:
        """Return whether a date is later."""
        moment = moment_of(stated)
        return moment > self.seconds if isinstance(moment, int) else moment > self.day


LONG_AGO = LastCommit(0, "")


class CommitTimes:
    """When the sources of pages were committed; nothing is known outside a repository."""

    def __init__(self, pages: Iterable[Page]) -> None:
        """Take the pages of a site."""
        self._files: set[Path] = set()
        for page in pages:
            self._files.update(Path(file_of(source)) for source in page.sources)
        self._folder = ""
        with suppress(ValueError):  # no folder is above all, or there is no source
            self._folder = os.path.commonpath([file.parent for file in self._files])

    def files_at(self, stated: Sequence[date]) -> dict[Moment, set[str]]:
        """Return the files that were committed at one of these dates, by the moment."""
        moments = {moment_of(each) for each in stated}
        found: dict[Moment, set[str]] = defaultdict(set)
        if not moments:
            return found
        hits: dict[bytes, set[Moment]] = {}
        for commit in self._log(_since(stated)):
            written: set[Moment] = set()
            for seconds, offset in commit.times:
                written.update(_written(seconds, offset))
            if meant := written & moments:
                hits[commit.id] = meant
        if hits:
            for commit in self._log("--no-walk=unsorted", "--stdin", *_FILES, lines=hits):
                for moment in hits[commit.id]:
                    found[moment].update(commit.files)
        return found

    def committed_since(self, stated: Sequence[date]) -> dict[str, LastCommit]:
        """Return the last commit of each tracked source; `LONG_AGO` if it is before all dates."""
        if not stated:
            return {}
        last = {str(file): LONG_AGO for file in tracked_among(self._files)}
        for commit in self._log(_since(stated), *_FILES):
            if not commit.times:
                continue
            seconds, offset = commit.times[-1]
            day = _day(max(seconds, seconds + offset))  # the later of UTC's and the author's
            for file in commit.files:
                if file in last:
                    last[file] = max(last[file], LastCommit(seconds, day))
        return last

    def _log(self, *arguments: str, lines: Iterable[bytes] = ()) -> Iterator[_Commit]:
        if not self._folder:
            return
        try:
            output = run_git(self._folder, "log", *_TIMES, *arguments, lines=lines)
        except GitError:  # no repository
            return
        for record in output.split(b"\1")[1:]:
            header, *names = filter(None, record.split(b"\n"))
            commit, *times = header.split()
            files = [f"{self._folder}/{os.fsdecode(name)}" for name in names]
            yield _Commit(commit, [*_times(times)], files)


def moment_of(stated: date) -> Moment:
    """Return the moment that a date means: at midnight, a day without a time was stated."""
    if isinstance(stated, datetime) and stated.time() != time():
        return int(stated.timestamp())
    return stated.isoformat()[:10]


def _since(stated: Iterable[date]) -> str:
    first = min(each.isoformat()[:10] for each in stated)
    begin = datetime.combine(date.fromisoformat(first), time(), UTC) - _LARGEST_OFFSET
    return f"--since={int(begin.timestamp())}"


def _times(words: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the times of a commit that are in the calendar: git has any number for one."""
    for number, zone in zip(words[::2], words[1::2], strict=False):
        seconds = int(number)
        offset = int(zone[:1] + zone[3:]) * 60 + int(zone[:3]) * 3600
        if 0 <= seconds + offset < _LAST_SECOND and 0 <= seconds < _LAST_SECOND:
            yield seconds, offset


def _written(seconds: int, offset: int) -> Iterator[Moment]:
    """Yield how a theme may write the time of a commit: in UTC, or as the clock of its author."""
    for moment in (seconds, seconds + offset):
        yield from (moment, moment - moment % 60, _day(moment))


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
