"""When the content of files reached the checked-out branch.

The newest commit on the line of first parents that changed a file's content, however old the
change was on the branch that it was merged from: before that day no reader could have seen it.
A changed mode or an exact rename changes no content.
"""

from __future__ import annotations

from posixpath import basename
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.lastmod.git.history import Walk, pick

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sitemapkit.lastmod.git.bodies import Bodies
    from sitemapkit.lastmod.git.history import Change, Record, Stamp
    from sitemapkit.lastmod.git.ignored import Ignored
    from sitemapkit.lastmod.git.repository import Repository

_Names = dict[bytes, list[bytes]]
"""Files by the name they have at some point of the history: the names they were asked for by."""


class _Arrival(Struct, frozen=True):
    """A file that a walk saw appear, perhaps from a folder that the walk did not look at."""

    record: Record
    name: bytes
    asked: list[bytes]


class Landed:
    """Looks for the commits that brought the content of files."""

    def __init__(self, repository: Repository, ignored: Ignored, bodies: Bodies | None) -> None:
        """Begin with nothing found; without `bodies` every change of content counts."""
        self.found: dict[bytes, Stamp] = {}
        """The commit that brought each file's content, by the name it was asked for by."""
        self._repository = repository
        self._ignored = ignored
        self._bodies = bodies
        self._wanted: _Names = {}
        self._waiting: dict[bytes, _Names] = {}
        """Files that are wanted once the walk has passed a commit, by that commit."""
        self._arrivals: list[_Arrival] = []

    def look(self, walk: Walk, names: Iterable[bytes]) -> None:
        """Follow the walk from the checked-out commit until all files are found."""
        self._wanted = {name: [name] for name in names}
        self._follow(walk)
        while self._arrivals:
            self._look_elsewhere()

    def _follow(self, walk: Walk) -> None:
        for record in walk:
            if hits := self._wanted.keys() & record.paths:
                self._settle(record, hits, sees_all=not walk.scope)
            if self._waiting:
                self._awaken(record.commit)
            if not self._wanted and not self._waiting:
                break
        walk.stop()

    def _awaken(self, commit: bytes) -> None:
        for name, asked in self._waiting.pop(commit, {}).items():
            self._wanted.setdefault(name, []).extend(asked)

    def _settle(self, record: Record, names: Iterable[bytes], *, sees_all: bool) -> None:
        changes = {name: record.change(name) for name in names}
        for name in self._counting(record, changes):
            asked = self._wanted.pop(name)
            if changes[name].status != b"A":
                self._find(record, asked)
            elif origin := _origin(name, record.deleted.get(changes[name].new, ())):
                self._wanted.setdefault(origin, []).extend(asked)
            elif sees_all:
                self._find(record, asked)
            else:
                self._arrivals.append(_Arrival(record, name, asked))

    def _counting(self, record: Record, changes: Mapping[bytes, Change]) -> Iterable[bytes]:
        """Return the files that a commit added, or whose content it changed."""
        counting = {
            name: change
            for name, change in changes.items()
            if change.status == b"A" or self._counts(record, change)
        }
        return counting.keys() - self._bodies.alike(counting) if self._bodies else counting

    def _counts(self, record: Record, change: Change) -> bool:
        """Tell whether a modification changed a file's content, not its mode alone."""
        if record.commit in self._ignored.commits:
            return False
        if change.old == change.new:
            return change.status == b"T"
        return not (record.is_merge and self._ignored.is_their_work(change))

    def _find(self, record: Record, asked: list[bytes]) -> None:
        for name in asked:
            self.found[name] = record.stamp

    def _look_elsewhere(self) -> None:
        """Go on with the files that came from a folder which the walk did not look at."""
        root = self._repository.root
        arrivals, self._arrivals = self._arrivals, []
        commits = dict.fromkeys(arrival.record.commit for arrival in arrivals)
        whole = {record.commit: record for record in pick(root, commits)}
        for arrival in arrivals:
            record, name = arrival.record, arrival.name
            content = record.change(name).new
            if origin := _origin(name, whole[record.commit].deleted.get(content, ())):
                waiting = self._waiting.setdefault(record.commit, {})
                waiting.setdefault(origin, []).extend(arrival.asked)
            else:
                self._find(record, arrival.asked)
        if self._waiting:
            origins = {origin for waiting in self._waiting.values() for origin in waiting}
            newest = next(iter(self._waiting))
            self._follow(Walk(root, newest, self._repository.scope(origins)))


def _origin(name: bytes, deleted: Collection[bytes]) -> bytes | None:
    """Return which file of the same content, deleted in the same commit, was renamed to `name`."""
    same_name = [path for path in deleted if basename(path) == basename(name)]
    return min(same_name or deleted, default=None)
