"""Dates of files, whichever repository each of them is in."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from sitemapkit.errors import OptionError
from sitemapkit.lastmod.git import diagnostics
from sitemapkit.lastmod.git.repository_dates import DateRules, RepositoryDates, Unknown
from sitemapkit.lastmod.git.worktrees import FileLocation, WorkTrees

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from sitemapkit.model import FilePath, Issue

_Dates = dict[str, "Mapping[bytes, datetime | Unknown]"]
"""Dates of files by the root of their work tree and their path in it."""


class GitDates:
    """Dates of files, each from the repository that holds it; one object serves one build.

    Problems with git never raise: a file then has no date, and `diagnostics` say why.
    """

    def __init__(
        self,
        *,
        dates: Literal["landed", "commit"] = "landed",
        bodies: bool = True,
        ignore_revs: Sequence[str | Path] | None = None,
        ignore_message: str | None = None,
    ) -> None:
        """Choose which commits count, and which of their dates to use.

        `landed`: when the text of the file reached the checked-out branch, by the committer date of
        the commit on the branch's line of first parents. Changed modes and exact renames do not
        count. With `bodies`, changes to front matter, white space and line endings alone do not
        count either; that takes about a tenth of a millisecond per file. A partial clone lacks the
        old texts, so there they do count.

        `commit`: the date that `git log -1 -- file` gives, whatever the change was.

        `ignore_revs`: files that list commits which do not count, in the format of `git blame`,
        relative to the root of each repository; None uses `.git-blame-ignore-revs` if it exists
        (not with `commit`). `ignore_message`: a regular expression; commits whose message it
        matches anywhere do not count either. The commit that created a file always counts.

        Raises OptionError if `ignore_message` is not a regular expression.
        """
        pattern = _compile(ignore_message) if ignore_message else None
        self._rules = DateRules(dates, bodies, ignore_revs, pattern)
        self._work_trees = WorkTrees()
        self._repositories: dict[str, RepositoryDates] = {}
        self._dates: dict[str, datetime | Unknown] = {}

    @property
    def diagnostics(self) -> Sequence[Issue]:
        """What limits the dates: severity `info`, each rule at most once per repository."""
        found = [d for repo in self._repositories.values() for d in repo.diagnostics.values()]
        outside = [file for file, date in self._dates.items() if date is Unknown.OUTSIDE]
        if outside:
            found.append(diagnostics.outside(min(outside), len(outside)))
        return found

    def start(self, folder: Path) -> None:
        """Start reading the history of the files below `folder` while the build does other work."""
        if path := self._work_trees.locate_folder(folder):
            self._repository(path.root).start(path.name)

    def last_changed(self, files: Iterable[FilePath]) -> Mapping[FilePath, datetime]:
        """Return when each file last changed, in UTC; files without a reliable date are absent.

        Each file is looked up in git once, however often this is called.
        """
        names = {file: os.fspath(file) for file in files}
        self._look_up({name for name in names.values() if name not in self._dates})
        dates = ((file, self._dates[name]) for file, name in names.items())
        return {file: date for file, date in dates if isinstance(date, datetime)}

    def why_unknown(self, file: FilePath) -> str:
        """Return why a file given to `last_changed` has no date; empty if it has one."""
        date = self._dates.get(os.fspath(file))
        return str(date) if isinstance(date, Unknown) else ""

    def has_history(self, file: FilePath) -> bool:
        """Return whether the repository that holds a dated file has more than one commit."""
        path = self._work_trees.locate(os.fspath(file)).file
        return path is None or self._repository(path.root).repository.has_history

    def _look_up(self, files: Iterable[str]) -> None:
        locations = {file: self._work_trees.locate(file) for file in files}
        names: dict[str, set[bytes]] = defaultdict(set)
        for location in locations.values():
            for path in filter(None, (location.file, *location.links)):
                names[path.root].add(path.name)
        dates = {root: self._repository(root).dates(paths) for root, paths in names.items()}
        self._dates |= {file: _newest(location, dates) for file, location in locations.items()}

    def _repository(self, root: str) -> RepositoryDates:
        return self._repositories.setdefault(root, RepositoryDates(root, self._rules))


def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise OptionError(
            f"git.ignore_message: {pattern!r} is not a regular expression ({error});"
            " put a backslash before each of . ^ $ * + ? { } [ ] \\ | ( ) that means itself."
        ) from error


def _newest(location: FileLocation, dates: _Dates) -> datetime | Unknown:
    """Return the newest date of a file and of the links that lead to it."""
    own = [dates[location.file.root][location.file.name]] if location.file else []
    if own and not location.links:  # nearly always
        return own[0]
    links = [dates[link.root][link.name] for link in location.links]
    # A link that is not in git was created for the build: it does not change the file's content.
    counted = [*(date for date in links if date is not Unknown.UNTRACKED), *own]
    unknown = [date for date in counted if isinstance(date, Unknown)]
    known = [date for date in counted if isinstance(date, datetime)]
    return unknown[0] if unknown else max(known, default=Unknown.OUTSIDE)
