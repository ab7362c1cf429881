"""Dates of files, whichever repository each of them is in."""

from __future__ import annotations

import os
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from textdates.budget import Budget
from textdates.git.history import Target
from textdates.git.repository_dates import RepositoryDates, Unknown
from textdates.git.worktrees import FileLocation, WorkTrees
from textdates.model import Diagnostic, Part, Rules, file_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from textdates.model import Cut, FileOrPart

_Dates = dict[str, "Mapping[Target, datetime | str]"]
"""Dates of files and of parts of them, by the root of their work tree."""


class TextDates:
    """Dates of files, each from the repository that holds it; one object serves one build.

    Problems with git never raise: a file then has no date, and `diagnostics` say why.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        """Set which changes count.

        A date is when the text of the file reached the checked-out branch: the committer date of
        the commit on the branch's line of first parents. Changed modes and exact renames do not
        count, nor do changes that no reader sees; to compare the texts takes about a tenth of a
        millisecond per file. A partial clone lacks the old texts, so there they do count.
        """
        self._rules = rules or Rules()
        self._budget = Budget()
        self._work_trees = WorkTrees()
        self._repositories: dict[str, RepositoryDates] = {}
        self._dates: dict[FileOrPart, datetime | str] = {}
        self._outside: set[str] = set()
        """Files outside any repository; they may be many."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """What limits the dates, each id at most once per repository."""
        found = [d for repo in self._repositories.values() for d in repo.diagnostics.values()]
        if self._budget.refused:
            found.append(Diagnostic("git-budget", min(self._repositories), str(self._budget)))
        if self._outside and self._repositories:
            found.append(Diagnostic("git-outside", min(self._outside), count=len(self._outside)))
        elif self._outside:
            top = min(map(Path, self._outside), key=lambda file: (len(file.parts), file))
            found.append(Diagnostic("git-none", str(top.parent)))
        return found

    def start(self, folder: Path) -> None:
        """Start reading the history of the files below `folder` while the build does other work."""
        if path := self._work_trees.locate_folder(folder):
            self._repository(path.root).start(path.name)

    def last_changed(self, files: Collection[FileOrPart]) -> Mapping[FileOrPart, datetime]:
        """Return when each file or part of one last changed, in UTC.

        What has no reliable date is absent. Each file and part is looked up in git once, however
        often this is called.
        """
        self._look_up({*files} - self._dates.keys())
        known = ((each, self._dates[each]) for each in files if each in self._dates)
        return {each: date for each, date in known if isinstance(date, datetime)}

    def why_unknown(self, file: FileOrPart) -> str:
        """Return why what was given to `last_changed` has no date; empty if it has one."""
        why = Unknown.OUTSIDE if file_of(file) in self._outside else self._dates.get(file)
        return why if isinstance(why, str) else ""

    def may_have_changed(self, files: Iterable[FileOrPart]) -> bool:
        """Return whether one has no date although git has its text: that may be a new one."""
        found = {*map(self._dates.get, files)} - {Unknown.UNTRACKED, Unknown.OUTSIDE}
        return any(isinstance(each, str) for each in found)

    def made(self, files: Collection[str]) -> set[str]:
        """Return the files that a build makes: those that git ignores, and those that are gone.

        They are no texts of an author's, and show what other files say. None where git fails.
        """
        found = {file for file in files if not os.path.exists(file)}  # noqa: PTH110 - may be many
        names: dict[str, dict[bytes, str]] = defaultdict(dict)
        for file in {*files} - found:
            if path := self._work_trees.locate(file).file:
                names[path.root][path.name] = file
        for root, known in names.items():
            found.update(known[name] for name in self._repository(root).ignored(known))
        return found

    def commit(self, file: FileOrPart) -> str:
        """Return the object id of the commit that decided the date of `file`; "" if none did."""
        path = self._work_trees.locate(file_of(file)).file
        return self._repository(path.root).commit(Target(path.name, _cut(file))) if path else ""

    def has_history(self, file: FileOrPart) -> bool:
        """Return whether the repository that holds a dated file has more than one commit."""
        path = self._work_trees.locate(file_of(file)).file
        return not path or self._repository(path.root).has_history(Target(path.name, _cut(file)))

    def sweeps(self, decisive: Iterable[FileOrPart]) -> list[Diagnostic]:
        """Return the commits that changed many files and decide a large share of the dates.

        `decisive` has for each date the file or part that it comes from; each has one.
        """
        targets: dict[str, list[Target]] = defaultdict(list)
        for each in decisive:
            if path := self._work_trees.locate(file_of(each)).file:
                targets[path.root].append(Target(path.name, _cut(each)))
        found = (self._repository(root).sweep(each) for root, each in targets.items())
        return [*filter(None, found)]

    def _look_up(self, files: Iterable[FileOrPart]) -> None:
        parts: dict[str, list[FileOrPart]] = defaultdict(list)
        for each in files:  # lists show many parts of the same files
            parts[file_of(each)].append(each)
        located = {file: self._work_trees.locate(file) for file in parts.keys() - self._outside}
        locations = {file: at for file, at in located.items() if at.file or at.links}
        self._outside |= located.keys() - locations.keys()
        targets: dict[str, set[Target]] = defaultdict(set)
        for file, location in locations.items():
            if own := location.file:
                targets[own.root].update(Target(own.name, _cut(part)) for part in parts[file])
            for link in location.links:
                targets[link.root].add(Target(link.name))
        dates = {root: self._repository(root).dates(wanted) for root, wanted in targets.items()}
        for file, location in locations.items():
            found = {part: _newest(location, _cut(part), dates) for part in parts[file]}
            self._dates |= found
            if Unknown.OUTSIDE in found.values():
                self._outside.add(file)

    def _repository(self, root: str) -> RepositoryDates:
        return self._repositories.setdefault(root, RepositoryDates(root, self._rules, self._budget))


def _cut(source: FileOrPart) -> Cut | None:
    return source.cut if isinstance(source, Part) else None


def _newest(location: FileLocation, cut: Cut | None, dates: _Dates) -> datetime | str:
    """Return the newest date of a file, or a part of it, and of the links that lead to it."""
    file = location.file
    if not location.links:  # nearly always
        return dates[file.root][Target(file.name, cut)] if file else Unknown.OUTSIDE
    own = [dates[file.root][Target(file.name, cut)]] if file else []
    links = [dates[link.root][Target(link.name)] for link in location.links]
    # A link that is not in git was created for the build: it does not change the file's content.
    counted = [*(date for date in links if date != Unknown.UNTRACKED), *own]
    unknown = [date for date in counted if isinstance(date, str)]
    known = [date for date in counted if isinstance(date, datetime)]
    return unknown[0] if unknown else max(known, default=Unknown.OUTSIDE)
