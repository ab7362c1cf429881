"""When the content of files reached the checked-out branch.

That is the newest commit on the line of first parents that changed the content of a file, however
old the change was on the branch that it was merged from: readers could not see it before that day.
A changed mode or an exact rename does not change the content, nor does a move to another folder
with changes that no reader sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from textdates.git.history import ends, read_commits, start_walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

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
        self._repository = repository
        self._ignored = ignored
        self._texts = texts
        self._wanted: _Wanted = {}
        self._waiting: dict[bytes, _Wanted] = {}
        """Files to look for once the walk has passed a commit, by that commit."""
        self._arrivals: dict[bytes, _Wanted] = {}
        """Files that a commit added, perhaps from a folder that the log lacks, by that commit."""

    def search(self, log: Log, targets: Iterable[Target]) -> None:
        """Follow the log from the checked-out commit until all targets are found."""
        self._wanted = {}
        for target in targets:
            self._wanted.setdefault(target.name, []).append(target)
        self._follow(log)
        while self._arrivals:
            self._follow_arrivals()

    def _follow(self, log: Log) -> None:
        for record in log.records:
            if names := self._wanted.keys() & record.paths:
                self._take_changed(record, names, sees_all=not log.scope)
            if self._waiting:
                for name, requested in self._waiting.pop(record.commit, {}).items():
                    self._wanted.setdefault(name, []).extend(requested)
            if not self._wanted and not self._waiting:
                break
        log.stop()

    def _take_changed(self, record: Record, names: Iterable[bytes], *, sees_all: bool) -> None:
        """Take from the wanted targets those whose content the commit changed."""
        changes = {name: c for name in names if self._counts(record, c := record.change(name))}
        moved = {n: origin for n, c in changes.items() if (origin := _moved_from(n, c, record))}
        edits = {
            name: replace(changes[name], old=record.change(origin).old, status=b"M")
            for name, origin in moved.items()
        }
        same = self._texts.unchanged(changes | edits, self._wanted) if self._texts else ()
        for name, change in changes.items():
            requested = [target for target in self._wanted[name] if target not in same]
            if rest := [target for target in self._wanted.pop(name) if target in same]:
                self._wanted.setdefault(moved.get(name, name), []).extend(rest)
            if not requested:
                continue
            is_new = change.status == b"A"
            if is_new and (origin := _origin(name, record.deleted.get(change.new, ()))):
                self._wanted.setdefault(origin, []).extend(requested)
            elif is_new and record.parents and not sees_all:
                self._arrivals.setdefault(record.commit, {})[name] = requested
            else:
                self.found.update(dict.fromkeys(requested, record.date))

    def _counts(self, record: Record, change: Change) -> bool:
        """Return whether a commit added a file or changed its content, not its mode alone."""
        if change.status == b"A":
            return True
        if record.commit in self._ignored:
            return False
        return change.old != change.new or change.status == b"T"

    def _follow_arrivals(self) -> None:
        """Continue with the files that came from folders which were not in the log."""
        root, arrivals, self._arrivals = self._repository.root, self._arrivals, {}
        for record in read_commits(root, arrivals):
            self._wanted = arrivals[record.commit]
            self._take_changed(record, [*self._wanted], sees_all=True)
            if self._wanted:
                self._waiting[record.commit] = self._wanted
        self._wanted = {}
        if self._waiting:
            origins = {origin for waiting in self._waiting.values() for origin in waiting}
            newest = next(iter(self._waiting))
            self._follow(start_walk(root, newest, self._repository.scope(origins)))


def _moved_from(name: bytes, change: Change, record: Record) -> bytes | None:
    """Return the only deleted file whose name ends most like that of an added one."""
    added = ends(name) if change.status == b"A" else ()
    deleted = next((paths for end in added if (paths := record.deleted.get(end))), ())
    return deleted[0] if len(deleted) == 1 else None


def _origin(name: bytes, deleted: Collection[bytes]) -> bytes | None:
    """Return which file of the same content, deleted in the same commit, was renamed to `name`."""
    added = {*ends(name)}
    return max(deleted, key=lambda path: len(added.intersection(ends(path))), default=None)
