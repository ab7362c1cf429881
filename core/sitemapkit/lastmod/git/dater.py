"""The dates of one repository's files."""

from __future__ import annotations

import math
import os
from contextlib import ExitStack
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from sitemapkit.lastmod.git import remarks
from sitemapkit.lastmod.git.bodies import Bodies
from sitemapkit.lastmod.git.command import GitError, GitMissingError
from sitemapkit.lastmod.git.committed import Committed
from sitemapkit.lastmod.git.history import Stamp, Walk
from sitemapkit.lastmod.git.ignored import DEFAULT_FILE, Ignored, find_by_message, read_list
from sitemapkit.lastmod.git.landed import Landed
from sitemapkit.lastmod.git.repository import Repository, open_repository

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.model import Issue


class Unknown(StrEnum):
    """Why a file has no date."""

    UNTRACKED = "untracked"
    SHALLOW = "beyond the shallow boundary"
    OUTSIDE = "outside any repository"
    NO_GIT = "git is not installed"
    FAILED = "git failed"
    UNREADABLE = "its commit has no readable date"


class Wishes(Struct, frozen=True):
    """What counts as a change, and which of its dates is meant; see GitDates."""

    dates: Literal["landed", "commit"]
    bodies: bool
    ignore_revs: Sequence[Path] | None
    ignore_message: re.Pattern[str] | None


class Dater:
    """Dates files of one repository; git is asked when there is something to ask."""

    def __init__(self, root: str, wishes: Wishes) -> None:
        """`root` is the absolute path of the work tree, free of symbolic links."""
        self.remarks: dict[str, Issue] = {}
        """What is wrong with the repository, one remark of each kind."""
        self._root = root
        self._wishes = wishes
        self._ahead: Walk | None = None

    @cached_property
    def _repository(self) -> Repository:
        return open_repository(self._root)

    def start(self, folder: bytes) -> None:
        """Let git walk ahead, for files below `folder`, while the build does other things."""
        try:
            head = self._repository.head
            self._ahead = Walk(self._root, head, os.fsdecode(folder), spool=True)
        except GitError:
            return  # it is met again, and told, when dates are asked for

    def dates(self, names: set[bytes]) -> Mapping[bytes, datetime | Unknown]:
        """Return the date of each file, or why it has none; never raises for git's troubles."""
        try:
            tracked = self._repository.tracked
            spellings = {name: self._repository.spelling(name) for name in names - tracked}
            found = self._look({*spellings.values(), *names} & tracked)
        except GitError as error:
            self._remark(remarks.failed(self._root, error))
            no_git = isinstance(error, GitMissingError)
            return dict.fromkeys(names, Unknown.NO_GIT if no_git else Unknown.FAILED)
        known = {stamp: self._date(stamp) for stamp in {None, *found.values()}}
        dates = {name: known[found.get(spellings.get(name, name))] for name in names}
        self._remark_unknown(dates)
        return dates

    def has_history(self) -> bool:
        """Tell whether the checked-out commit has a parent; for files that have a date."""
        return self._repository.has_history

    def _look(self, names: set[bytes]) -> Mapping[bytes, Stamp]:
        """Return the commit that gives each tracked file its date."""
        if not names:
            return {}
        with ExitStack() as stack:
            finder = self._finder(stack)
            ahead, self._ahead = self._ahead, None
            if ahead:
                covered = {name for name in names if ahead.covers(name)}
                finder.look(ahead, covered)
                names -= covered
            if names:
                scope = self._repository.scope(names)
                finder.look(Walk(self._root, self._repository.head, scope), names)
        return finder.found

    def _finder(self, stack: ExitStack) -> Landed | Committed:
        ignored = Ignored(self._root, self._ignored_commits())
        if self._wishes.dates == "commit":
            return Committed(self._repository, ignored)
        return Landed(self._repository, ignored, self._bodies(stack))

    def _bodies(self, stack: ExitStack) -> Bodies | None:
        if not self._wishes.bodies:
            return None
        if self._repository.is_partial:
            self._remark(remarks.partial(self._root))
            return None
        bodies = Bodies(self._root)
        stack.callback(bodies.stop)
        return bodies

    def _ignored_commits(self) -> Iterator[bytes]:
        for path in self._lists():
            try:
                yield from read_list(path)
            except (OSError, ValueError) as error:
                self._remark(remarks.no_list(self._root, path, error))
        if pattern := self._wishes.ignore_message:
            yield from find_by_message(self._root, self._repository.head, pattern)

    def _lists(self) -> list[Path]:
        if self._wishes.ignore_revs is not None:
            return [Path(self._root, path) for path in self._wishes.ignore_revs]
        default = Path(self._root, DEFAULT_FILE)
        return [default] if self._wishes.dates == "landed" and default.is_file() else []

    def _date(self, found: Stamp | None) -> datetime | Unknown:
        if not found:
            return Unknown.UNTRACKED
        if found.commit in self._repository.boundary:
            return Unknown.SHALLOW
        try:
            return datetime.fromtimestamp(found.when or math.nan, UTC)
        except (ValueError, OverflowError, OSError):
            return Unknown.UNREADABLE

    def _remark_unknown(self, dates: Mapping[bytes, datetime | Unknown]) -> None:
        untracked = sorted(name for name, date in dates.items() if date is Unknown.UNTRACKED)
        if untracked:
            example = os.fsdecode(untracked[0])
            self._remark(remarks.untracked(self._root, example, len(untracked)))
        if Unknown.SHALLOW in dates.values():
            self._remark(remarks.shallow(self._root))

    def _remark(self, remark: Issue) -> None:
        self.remarks.setdefault(remark.rule.id, remark)
