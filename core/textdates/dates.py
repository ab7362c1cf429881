"""Dates of files, whichever repository each of them is in."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from textdates.bounds import is_there
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
        found: list[Diagnostic] = []
        for repository in self._repositories.values():
            found += repository.diagnostics.values()
        if self._budget.refused:
            root = min(self._repositories)
            found.append(Diagnostic("git-budget", root, str(self._budget)))
        if self._outside and self._repositories:
            file = min(self._outside)
            found.append(Diagnostic("git-outside", file, count=len(self._outside)))
        elif self._outside:
            files = map(Path, self._outside)
            highest = min(files, key=lambda file: (len(file.parts), file))
            found.append(Diagnostic("git-none", str(highest.parent)))
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
        new = {*files} - self._dates.keys()
        self._look_up(new)
        changed: dict[FileOrPart, datetime] = {}
        for file in files:
            date = self._dates.get(file)
            if isinstance(date, datetime):
                changed[file] = date
        return changed

    def why_unknown(self, file: FileOrPart) -> str:
        """Return why what was given to `last_changed` has no date; empty if it has one."""
        if file_of(file) in self._outside:
            return Unknown.OUTSIDE
        why = self._dates.get(file)
        return why if isinstance(why, str) else ""

    def is_older(self, file: FileOrPart, than: datetime) -> bool:
        """Return whether a file without a date must be older than a known one.

        It is where a shallow clone does not reach its last change, as it does the other.
        """
        return self._is_older(self.why_unknown(file), than)

    def may_have_changed(self, files: Iterable[FileOrPart]) -> bool:
        """Return whether one has no date although git has its text: that may be a new one."""
        for file in files:
            found = self._dates.get(file)
            if isinstance(found, str) and found not in (Unknown.UNTRACKED, Unknown.OUTSIDE):
                return True
        return False

    def made(self, files: Collection[str]) -> set[str]:
        """Return the files that a build makes: those that git ignores, and those that are gone.

        They are no texts of an author's, and show what other files say. None where git fails.
        """
        found: set[str] = set()
        names: dict[str, dict[bytes, str]] = defaultdict(dict)
        for file in {*files}:
            if not is_there(file):
                found.add(file)
            elif path := self._work_trees.locate(file).file:
                names[path.root][path.name] = file
        for root, known in names.items():
            for name in self._repository(root).ignored(known):
                found.add(known[name])
        return found

    def commit(self, file: FileOrPart) -> str:
        """Return the object id of the commit that decided the date of `file`; "" if none did."""
        root, target = self._target(file)
        if not target:
            return ""
        return self._repository(root).commit(target)

    def has_history(self, file: FileOrPart) -> bool:
        """Return whether the repository that holds a dated file has more than one commit."""
        root, target = self._target(file)
        if not target:
            return True
        return self._repository(root).has_history(target)

    def sweeps(self, decisive: Iterable[FileOrPart]) -> list[Diagnostic]:
        """Return the commits that changed many files and decide a large share of the dates.

        `decisive` has for each date the file or part that it comes from; each has one.
        """
        targets: dict[str, list[Target]] = defaultdict(list)
        for file in decisive:
            root, target = self._target(file)
            if target:
                targets[root].append(target)
        sweeps: list[Diagnostic] = []
        for root, known in targets.items():
            if sweep := self._repository(root).sweep(known):
                sweeps.append(sweep)
        return sweeps

    def _target(self, file: FileOrPart) -> tuple[str, Target | None]:
        """Return the root of the repository with a file, and what is dated there; None outside."""
        path = self._work_trees.locate(file_of(file)).file
        if not path:
            return "", None
        return path.root, Target(path.name, _cut(file))

    def _look_up(self, files: Iterable[FileOrPart]) -> None:
        locations = self._locate(files)
        wanted: dict[str, set[Target]] = defaultdict(set)
        for file, location in locations.items():
            if own := location.file:
                wanted[own.root].add(Target(own.name, _cut(file)))
            for link in location.links:
                wanted[link.root].add(Target(link.name))
        dates: _Dates = {}
        for root, targets in wanted.items():
            dates[root] = self._repository(root).dates(targets)
        for file, location in locations.items():
            date = self._newest(location, _cut(file), dates)
            self._dates[file] = date
            if date == Unknown.OUTSIDE:
                self._outside.add(file_of(file))

    def _newest(self, location: FileLocation, cut: Cut | None, dates: _Dates) -> datetime | str:
        """Return the newest date of a file, or a part of it, and of the links that lead to it."""
        found: list[datetime | str] = []
        for link in location.links:
            date = dates[link.root][Target(link.name)]
            # A link that is not in git was made for the build: the file's content is the same.
            if date != Unknown.UNTRACKED:
                found.append(date)
        if file := location.file:
            found.append(dates[file.root][Target(file.name, cut)])
        known = [date for date in found if isinstance(date, datetime)]
        newest = max(known, default=None)
        for why in found:
            if isinstance(why, str) and not self._is_older(why, newest):
                return why
        return newest or Unknown.OUTSIDE

    def _is_older(self, why: str, than: datetime | None) -> bool:
        """Return whether what a shallow clone does not reach must be older than a known date."""
        if why != Unknown.SHALLOW or not than:
            return False
        for repository in self._repositories.values():
            oldest = repository.oldest
            if isinstance(oldest, datetime) and oldest > than:
                return False
        return True

    def _locate(self, files: Iterable[FileOrPart]) -> Mapping[FileOrPart, FileLocation]:
        """Return where files are that are in a repository, or to which a link in one leads."""
        locations: dict[FileOrPart, FileLocation] = {}
        located: dict[str, FileLocation] = {}  # lists show many parts of the same files
        for each in files:
            file = file_of(each)
            if file in self._outside:
                continue
            if file not in located:
                located[file] = self._work_trees.locate(file)
            location = located[file]
            if location.file or location.links:
                locations[each] = location
            else:
                self._outside.add(file)
        return locations

    def _repository(self, root: str) -> RepositoryDates:
        if root not in self._repositories:
            self._repositories[root] = RepositoryDates(root, self._rules, self._budget)
        return self._repositories[root]


def _cut(source: FileOrPart) -> Cut | None:
    return source.cut if isinstance(source, Part) else None
