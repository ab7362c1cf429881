"""When the content of files reached the checked-out branch.

That is the newest commit on the line of first parents that changed the content of a file, however
old the change was on the branch that it was merged from: readers could not see it before that day.
A changed mode does not change the content, nor does a rename or a move, even together with changes
that no reader sees.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from textdates.git.history import Target, read_commits, start_walk
from textdates.git.imports import Merge, imported
from textdates.git.moves import Added, find_moves
from textdates.git.repository import scope_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from textdates.git.blobs import Texts
    from textdates.git.history import Change, CommitDate, Log, Record
    from textdates.git.repository import Repository

_Wanted = dict[bytes, "list[Target]"]
"""The requested targets, by the name that their file has at some point of the history."""


class FirstParentSearch:
    """Finds the commits that brought the content of files to the branch."""

    def __init__(
        self, repository: Repository, ignored: Collection[bytes], objects: Texts, *, compares: bool
    ) -> None:
        """Start with nothing found; unless it `compares` texts, every change of content counts.

        `ignored` are the ids of commits that do not count.
        """
        self.found: dict[Target, CommitDate] = {}
        """The commit that brought the content of each target."""
        self.edited: set[Target] = set()
        """Targets whose commit changed a file that was there before."""
        self.beyond: dict[Target, bytes] = {}
        """Targets behind a commit that is too large to read, with the last one before it."""
        self._repository = repository
        self._ignored = ignored
        self._objects = objects
        self._texts = objects if compares else None
        self._wanted: _Wanted = {}
        self._waiting: dict[bytes, _Wanted] = {}
        """Files to look for once the walk has passed a commit, by that commit."""
        self._merges: dict[bytes, Merge] = {}
        """Files that a merge added, perhaps with a history of their own, by the merge."""
        self._arrivals: dict[CommitDate, _Wanted] = {}
        """Files that a commit added, perhaps from a folder that the log lacks, by that commit."""

    def search(self, walks: Iterable[tuple[Log, Iterable[Target]]]) -> None:
        """Follow each log from the checked-out commit until all its targets are found."""
        for log, targets in walks:
            self._wanted = {}
            for target in targets:
                self._wanted.setdefault(target.name, []).append(target)
            self._follow(log)
        while self._arrivals or self._merges:
            if self._arrivals:
                self._follow_arrivals()
            else:
                self._follow_imports()

    def _follow(self, log: Log) -> None:
        """Take what is wanted from the commits of the log; what it cannot tell is beyond it."""
        last = b""
        for record in log.records():
            last = record.commit
            if names := self._wanted.keys() & record.paths:
                self._take_changed(record, names, sees_all=not log.scope)
            if self._waiting:
                for name, requested in self._waiting.pop(record.commit, {}).items():
                    self._wanted.setdefault(name, []).extend(requested)
            if not self._wanted and not self._waiting:
                break
        log.stop()
        if log.end.too_large:
            for wanted in (self._wanted, *self._waiting.values()):
                self.beyond.update(dict.fromkeys(chain.from_iterable(wanted.values()), last))
            self._waiting = {}

    def _take_changed(self, record: Record, names: Iterable[bytes], *, sees_all: bool) -> None:
        """Take from the wanted targets those whose content the commit changed."""
        changes = {name: c for name in names if self._counts(record, c := record.change(name))}
        added = {name: change for name, change in changes.items() if change.status == b"A"}
        moves = find_moves(self._texts, Added(added, self._wanted, record.deleted)) if added else {}
        same = self._texts.unchanged(changes, self._wanted) if self._texts else set[Target]()
        for name, change in changes.items():
            requested = self._wanted.pop(name)
            move = moves.get(name)
            known = move.targets if move else same
            if rest := [target for target in requested if target in known]:
                self._wanted.setdefault(move.origin if move else name, []).extend(rest)
            if not (new := [target for target in requested if target not in known]):
                continue
            if name in added and record.parents and not sees_all:
                self._arrivals.setdefault(record.date, {})[name] = new
                continue
            self.found.update(dict.fromkeys(new, record.date))
            if name not in added:
                self.edited.update(new)
            elif len(record.parents) > 1:
                merge = self._merges.setdefault(record.commit, Merge(record.parents, {}, {}))
                merge.changes[name], merge.wanted[name] = change, new

    def _counts(self, record: Record, change: Change) -> bool:
        """Return whether a commit added a file or changed its content, not its mode alone."""
        is_new = change.status == b"A"
        return is_new or (record.commit not in self._ignored and change.old != change.new)

    def _follow_arrivals(self) -> None:
        """Continue with the files that came from folders which were not in the log."""
        root, self._waiting = self._repository.root, {}
        arrivals = {date.commit: wanted for date, wanted in self._arrivals.items()}
        dates, self._arrivals = [*self._arrivals], {}
        log = read_commits(root, arrivals)
        for record in log.records():
            self._wanted = arrivals.pop(record.commit)
            self._take_changed(record, [*self._wanted], sees_all=True)
            if self._wanted:
                self._waiting[record.commit] = self._wanted
        for date in dates if log.end.too_large else ():  # it is unknown where the rest came from
            rest = chain.from_iterable(arrivals.get(date.commit, {}).values())
            self.found.update(dict.fromkeys(rest, date))
        self._wanted = {}
        if self._waiting:
            origins = {origin for waiting in self._waiting.values() for origin in waiting}
            newest = next(iter(self._waiting))
            self._follow(start_walk(root, newest, scope_of(origins)))

    def _follow_imports(self) -> None:
        """Continue with the files of histories that were taken in, where they were before."""
        merges, self._merges = [*self._merges.values()], {}
        for merge, commit, origins in imported(self._repository, merges, self._objects):
            changes = {
                name: replace(merge.changes[name], old=origin.content, status=b"M")
                for name, origin in origins.items()
            }
            same = self._texts.unchanged(changes, merge.wanted) if self._texts else set[Target]()
            self._wanted = {}
            for name, origin in origins.items():
                is_same = origin.content == merge.changes[name].new
                if rest := [t for t in merge.wanted[name] if is_same or t in same]:
                    self._wanted.setdefault(origin.name, []).extend(rest)
            if self._wanted:
                self._follow(start_walk(self._repository.root, commit, ""))
