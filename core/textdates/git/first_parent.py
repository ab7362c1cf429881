"""When the content of files reached the checked-out branch.

That is the newest commit on the line of first parents that changed the content of a file, however
old the change was on the branch that it was merged from: readers could not see it before that day.
A changed mode does not change the content, nor does a rename or a move, even together with changes
that no reader sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textdates.git.history import read_commits, start_walk
from textdates.git.renames import Move, find_copies, find_moves

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from textdates.git.blobs import Texts
    from textdates.git.history import Change, CommitDate, Log, Record, Target
    from textdates.git.repository import Repository

_Wanted = dict[bytes, "list[Target]"]
"""The requested targets, by the name that their file has at some point of the history."""


class FirstParentSearch:
    """Finds the commits that brought the content of files to the branch."""

    def __init__(
        self, repository: Repository, ignored: Collection[bytes], texts: Texts | None
    ) -> None:
        """Start with nothing found; without `texts` every change of content counts.

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
        self._texts = texts
        self._wanted: _Wanted = {}
        self._waiting: dict[bytes, _Wanted] = {}
        """Files to look for once the walk has passed a commit, by that commit."""
        self._arrivals: dict[bytes, _Wanted] = {}
        """Files that a commit added, perhaps from a folder that the log lacks, by that commit."""

    def search(self, walks: Iterable[tuple[Log, Iterable[Target]]]) -> None:
        """Follow each log from the checked-out commit until all its targets are found."""
        for log, targets in walks:
            self._wanted = {}
            for target in targets:
                self._wanted.setdefault(target.name, []).append(target)
            self._follow(log)
        while self._arrivals:
            self._follow_arrivals()

    def _follow(self, log: Log) -> None:
        """Take what is wanted from the commits of the log; what it cannot tell is beyond it."""
        last = b""
        for record in log.records():
            last = record.commit
            names = self._wanted.keys() & record.paths
            if names:
                self._take_changed(record, names, sees_all=not log.scope)
            if last in self._waiting:
                _add(self._wanted, self._waiting.pop(last))
            if not self._wanted and not self._waiting:
                break
        log.stop()
        if log.end.too_large:
            self._give_up(self._wanted, last)
            for wanted in self._waiting.values():
                self._give_up(wanted, last)
            self._waiting = {}

    def _take_changed(self, record: Record, names: Iterable[bytes], *, sees_all: bool) -> None:
        """Take from the wanted targets those whose content the commit changed.

        Unless the log `sees_all`, it has only what is in one folder.
        """
        changes = self._counted(record, names)
        moves = self._moves(record, changes, sees_all=sees_all)
        staying: _Wanted = {}
        for name, change in changes.items():
            requested = self._wanted.pop(name)
            move = moves[name]
            if move.targets:
                staying.setdefault(move.origin, []).extend(move.targets)
            new = [target for target in requested if target not in move.targets]
            if not new:
                continue
            is_added = change.status == b"A"
            if is_added and record.parents and not sees_all:
                self._arrivals.setdefault(record.commit, {})[name] = new
                continue
            for target in new:
                self.found[target] = record.date
            if not is_added:
                self.edited.update(new)
        _add(self._wanted, staying)  # not earlier: what was copied may have changed as well

    def _moves(
        self, record: Record, changes: Mapping[bytes, Change], *, sees_all: bool
    ) -> Mapping[bytes, Move]:
        """Return where each changed file came from, mostly itself, and what says the same there."""
        moves: dict[bytes, Move] = {}
        same: set[Target] = set()
        if self._texts:
            same = self._texts.unchanged(changes, self._wanted)
        for name in changes:
            moves[name] = Move(name, frozenset(same.intersection(self._wanted[name])))
        added = {name: change for name, change in changes.items() if change.status == b"A"}
        if added and sees_all:
            for name, origin in find_copies(self._repository, record, added).items():
                moves[name] = Move(origin, frozenset(self._wanted[name]))
        if added and record.deleted:
            root = self._repository.root
            moves.update(find_moves(root, record, added, self._wanted, self._texts))
        return moves

    def _counted(self, record: Record, names: Iterable[bytes]) -> dict[bytes, Change]:
        """Return the changes of files that a commit added, or changed in more than their mode."""
        changes: dict[bytes, Change] = {}
        for name in names:
            change = record.change(name)
            is_edited = change.old != change.new and record.commit not in self._ignored
            if is_edited or change.status == b"A":
                changes[name] = change
        return changes

    def _follow_arrivals(self) -> None:
        """Continue with the files that came from folders which were not in the log."""
        arrivals = self._arrivals
        self._arrivals = {}
        self._waiting = {}
        log = read_commits(self._repository.root, arrivals)
        for record in log.records():
            self._wanted = arrivals.pop(record.commit)
            self._take_changed(record, [*self._wanted], sees_all=True)
            if self._wanted:
                self._waiting[record.commit] = self._wanted
        self._wanted = {}
        if log.end.too_large:
            for commit, wanted in arrivals.items():
                self._give_up(wanted, commit)
        if self._waiting:
            newest = next(iter(self._waiting))
            self._follow(start_walk(self._repository.root, newest))  # all: they may be anywhere

    def _give_up(self, wanted: _Wanted, last: bytes) -> None:
        """Note what a commit is too large to tell of, and the `last` one that was looked at."""
        for targets in wanted.values():
            for target in targets:
                self.beyond[target] = last


def _add(wanted: _Wanted, more: _Wanted) -> None:
    for name, targets in more.items():
        wanted.setdefault(name, []).extend(targets)
