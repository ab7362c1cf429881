"""Honest dates from git: when the content of a file reached the checked-out branch.

One streamed walk of the history per repository, whatever the number of files. What git cannot know
has no date: a file that it does not track, a change beyond the edge of a shallow clone.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sitemapkit.errors import OptionError
from sitemapkit.lastmod.git import remarks
from sitemapkit.lastmod.git.dater import Dater, Unknown, Wishes
from sitemapkit.lastmod.git.places import Place, Places, Whereabouts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.model import FilePath, Issue

_Answers = dict[str, "Mapping[bytes, datetime | Unknown]"]


class GitDates:
    """Dates of files, each from the repository that holds it; one object serves one build.

    Git's troubles never raise: a file is then without a date, and `remarks` say why.
    """

    def __init__(
        self,
        *,
        dates: Literal["landed", "commit"] = "landed",
        bodies: bool = True,
        ignore_revs: Sequence[str | Path] | None = None,
        ignore_message: str | None = None,
    ) -> None:
        """Say which commits count, and which of their dates is meant.

        `landed`: when what the file says reached the checked-out branch, by the committer date of
        the commit on its line of first parents. Changed modes and exact renames do not count. With
        `bodies` neither do changes of front matter, white space and line ends alone; that takes
        about a tenth of a millisecond a file, and a partial clone, which has no old texts, goes
        without it.

        `commit`: what `git log -1 -- file` says, whatever the change was.

        `ignore_revs`: files that list commits which do not count, as `git blame` reads them,
        relative to the root of each repository; None takes `.git-blame-ignore-revs` where there is
        one (not with `commit`). `ignore_message`: a regular expression that is searched for in the
        messages of commits; those do not count either. The commit that made a file always counts.

        Raises OptionError if `ignore_message` is not a regular expression.
        """
        revs = None if ignore_revs is None else [Path(path) for path in ignore_revs]
        message = _compile(ignore_message) if ignore_message else None
        self._wishes = Wishes(dates, bodies, revs, message)
        self._places = Places()
        self._daters: dict[str, Dater] = {}
        self._answers: dict[str, datetime | Unknown] = {}

    @property
    def remarks(self) -> Sequence[Issue]:
        """What is wrong with the surroundings: `info`, one of a kind for each repository."""
        outside = [file for file, date in self._answers.items() if date is Unknown.OUTSIDE]
        told = [remarks.outside(min(outside), len(outside))] if outside else []
        return [*(r for dater in self._daters.values() for r in dater.remarks.values()), *told]

    def start(self, folder: Path) -> None:
        """Begin with the history of the files below `folder`, while the build does other things."""
        if place := self._places.find_folder(folder):
            self._dater(place.root).start(place.name)

    def last_changed(self, files: Iterable[FilePath]) -> Mapping[FilePath, datetime]:
        """Return when each file last changed, in UTC; a file without an honest date is absent.

        Git is asked once about a file, however often this is called.
        """
        wanted = {file: os.fspath(file) for file in files}
        self._ask({name for name in wanted.values() if name not in self._answers})
        answers = ((file, self._answers[name]) for file, name in wanted.items())
        return {file: date for file, date in answers if isinstance(date, datetime)}

    def why_unknown(self, file: FilePath) -> str:
        """Say why a file that `last_changed` was asked about has no date; empty if it has one."""
        date = self._answers.get(os.fspath(file))
        return str(date) if isinstance(date, Unknown) else ""

    def has_history(self, file: FilePath) -> bool:
        """Tell whether the repository that holds a dated file has more than one commit."""
        place = self._places.find(os.fspath(file)).file
        return place is None or self._dater(place.root).has_history()

    def _ask(self, files: Iterable[str]) -> None:
        found = {file: self._places.find(file) for file in files}
        wanted: dict[str, set[bytes]] = defaultdict(set)
        for where in found.values():
            for place in _mentioned(where):
                wanted[place.root].add(place.name)
        answers = {root: self._dater(root).dates(names) for root, names in wanted.items()}
        self._answers |= {file: _date(where, answers) for file, where in found.items()}

    def _dater(self, root: str) -> Dater:
        return self._daters.setdefault(root, Dater(root, self._wishes))


def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise OptionError(
            f"git.ignore_message: {pattern!r} is not a regular expression ({error});"
            " put a backslash before each of . ^ $ * + ? { } [ ] \\ | ( ) that means itself."
        ) from error


def _mentioned(where: Whereabouts) -> Sequence[Place]:
    return [where.file, *where.links] if where.file else where.links


def _date(where: Whereabouts, answers: _Answers) -> datetime | Unknown:
    """Return the newest date of the file and of the links that lead to it."""
    if where.file and not where.links:  # as nearly always
        return answers[where.file.root][where.file.name]
    links = [answers[link.root][link.name] for link in where.links]
    # A link that is not in git was made for the build: it changes nothing that the file says.
    dates: list[datetime | Unknown] = [date for date in links if date is not Unknown.UNTRACKED]
    if where.file:
        dates.append(answers[where.file.root][where.file.name])
    unknown = [date for date in dates if isinstance(date, Unknown)]
    known = [date for date in dates if isinstance(date, datetime)]
    return unknown[0] if unknown else max(known, default=Unknown.OUTSIDE)
