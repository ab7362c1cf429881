"""When the content of files reached the checked-out branch.

That is the newest commit on the line of first parents that changed the content of a file, however
old the change was on the branch that it was merged from: nobody could read it before that day.
A changed mode or an exact rename does not change the content.
"""

from __future__ import annotations

from posixpath import basename
from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.history import read_commits, start_walk
from sitemapkit.lastmod.git.text import unchanged_texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sitemapkit.lastmod.git.command import GitProcess
    from sitemapkit.lastmod.git.history import Change, CommitDate, Log, Record
    from sitemapkit.lastmod.git.ignored import IgnoredCommits
    from sitemapkit.lastmod.git.repository import Repository

_Names = dict[bytes, list[bytes]]
"""The names that files were requested by, by their name at some point of the history."""


class FirstParentSearch:
    """Finds the commits that brought the content of files to the branch."""

    def __init__(
        self, repository: Repository, ignored: IgnoredCommits, reader: GitProcess | None
    ) -> None:
        """Start with nothing found; without a `reader` of texts every change of content counts."""
        self.found: dict[bytes, CommitDate] = {}
        """The commit that brought each file's content, by requested name."""
        self._repository = repository
        self._ignored = ignored
        self._reader = reader
        self._wanted: _Names = {}
        self._waiting: dict[bytes, _Names] = {}
        """Files to look for once the walk has passed a commit, by that commit."""
        self._arrivals: list[tuple[Record, bytes, list[bytes]]] = []
        """Files that a commit added, perhaps from a folder that is not in the log: the commit, the
        name that it gave the file, and the requested names."""

    def search(self, log: Log, names: Iterable[bytes]) -> None:
        """Follow the log from the checked-out commit until all files are found."""
        self._wanted = {name: [name] for name in names}
        self._follow(log)
        while self._arrivals:
            self._follow_arrivals()

    def _follow(self, log: Log) -> None:
        for record in log:
            if names := self._wanted.keys() & record.paths:
                self._take_changed(record, names, sees_all=not log.scope)
            if self._waiting:
                for name, requested in self._waiting.pop(record.commit, {}).items():
                    self._wanted.setdefault(name, []).extend(requested)
            if not self._wanted and not self._waiting:
                break
        log.stop()

    def _take_changed(self, record: Record, names: Iterable[bytes], *, sees_all: bool) -> None:
        """Take from the wanted files those whose content the commit changed."""
        changes = {name: record.change(name) for name in names}
        for name in self._counted(record, changes):
            requested = self._wanted.pop(name)
            change = changes[name]
            is_new = change.status == b"A"
            if is_new and (origin := _origin(name, record.deleted.get(change.new, ()))):
                self._wanted.setdefault(origin, []).extend(requested)
            elif is_new and not sees_all:
                self._arrivals.append((record, name, requested))
            else:
                self.found.update(dict.fromkeys(requested, record.date))

    def _counted(self, record: Record, changes: Mapping[bytes, Change]) -> Iterable[bytes]:
        """Return the files that a commit added, or whose content it changed."""
        counted = {n: c for n, c in changes.items() if c.status == b"A" or self._counts(record, c)}
        return counted.keys() - unchanged_texts(self._reader, counted) if self._reader else counted

    def _counts(self, record: Record, change: Change) -> bool:
        """Return whether a modification changed a file's content, not its mode alone."""
        if record.commit in self._ignored.ids:
            return False
        if change.old == change.new:
            return change.status == b"T"
        return not (record.is_merge and self._ignored.made(change))

    def _follow_arrivals(self) -> None:
        """Continue with the files that came from folders which were not in the log."""
        root = self._repository.root
        arrivals, self._arrivals = self._arrivals, []
        commits = dict.fromkeys(record.commit for record, _, _ in arrivals)
        complete = {record.commit: record for record in read_commits(root, commits)}
        for record, name, requested in arrivals:
            deleted = complete[record.commit].deleted.get(record.change(name).new, ())
            if origin := _origin(name, deleted):
                waiting = self._waiting.setdefault(record.commit, {})
                waiting.setdefault(origin, []).extend(requested)
            else:
                self.found.update(dict.fromkeys(requested, record.date))
        if self._waiting:
            origins = {origin for waiting in self._waiting.values() for origin in waiting}
            newest = next(iter(self._waiting))
            self._follow(start_walk(root, newest, self._repository.scope(origins)))


def _origin(name: bytes, deleted: Collection[bytes]) -> bytes | None:
    """Return which file of the same content, deleted in the same commit, was renamed to `name`."""
    same_name = [path for path in deleted if basename(path) == basename(name)]
    return min(same_name or deleted, default=None)
