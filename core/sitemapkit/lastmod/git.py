"""Honest dates from git: when the content of a file reached the checked-out branch.

One streamed walk of the history per repository, whatever the number of files. What git cannot know
(a file it does not track, a change beyond the edge of a shallow clone) has no date.
"""

from __future__ import annotations

import os
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sitemapkit.lastmod._command import GitError
from sitemapkit.lastmod._history import Record, walk
from sitemapkit.lastmod._repository import Repository, find_root, open_repository
from sitemapkit.report import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


class GitDates:
    """Dates of files, each from the repository that holds it; one object serves one build."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self._remarks: list[Problem] = []
        self._unknown: dict[Path, str] = {}

    @property
    def remarks(self) -> Sequence[Problem]:
        """What is wrong with the surroundings: one remark per repository and kind, all `info`."""
        return tuple(self._remarks)

    def last_changed(self, files: Iterable[Path]) -> Mapping[Path, datetime]:
        """Return when each file last changed, in UTC; a file without an honest date is absent."""
        found: dict[Path, datetime] = {}
        for root, names in self._by_repository(files).items():
            found |= self._ask(root, names)
        return found

    def why_unknown(self, file: Path) -> str:
        """Say why a file that `last_changed` was asked about has no date; empty if it has one."""
        return self._unknown.get(file, "")

    def _by_repository(self, files: Iterable[Path]) -> Mapping[str, Mapping[Path, bytes]]:
        groups: dict[str, dict[Path, bytes]] = defaultdict(dict)
        places: dict[Path, tuple[str, bytes] | None] = {}
        for file in files:
            if file.parent not in places:
                places[file.parent] = _place(file.parent.resolve())
            if place := places[file.parent]:
                root, prefix = place
                groups[root][file] = prefix + os.fsencode(file.name)
            else:
                self._unknown[file] = "outside any repository"
        return groups

    def _ask(self, root: str, names: Mapping[Path, bytes]) -> Mapping[Path, datetime]:
        try:
            repository = open_repository(root)
            times = _landed(repository, set(names.values()) & repository.tracked)
        except GitError as error:
            self._inform(root, "git", f"Git gave no dates: {error}.", "Mend that, or set no dates.")
            self._unknown |= dict.fromkeys(names, str(error))
            return {}
        if repository.boundary and any(time is None for time in times.values()):
            self._inform(
                root,
                "git-shallow",
                "The clone is shallow; changes beyond its edge have no date.",
                "Clone with the whole history (`fetch-depth: 0`).",
            )
        return dict(self._dated(names, times))

    def _dated(
        self, names: Mapping[Path, bytes], times: Mapping[bytes, int | None]
    ) -> Iterator[tuple[Path, datetime]]:
        for file, name in names.items():
            time = times.get(name)
            if time is not None:
                yield file, datetime.fromtimestamp(time, UTC)
            elif name in times:
                self._unknown[file] = "beyond the shallow boundary"
            else:
                self._unknown[file] = "untracked"

    def _inform(self, where: str, rule: str, message: str, fix: str) -> None:
        self._remarks.append(Problem(rule, where, message, fix, severity="info"))


def _place(folder: Path) -> tuple[str, bytes] | None:
    """Return the repository that holds `folder`, and what its files' names begin with there."""
    root = find_root(folder)
    if root is None:
        return None
    prefix = folder.relative_to(root).as_posix()
    return str(root), b"" if prefix == "." else os.fsencode(prefix) + b"/"


def _landed(repository: Repository, wanted: set[bytes]) -> Mapping[bytes, int | None]:
    """Return when each wanted file's content reached the branch; None: beyond a shallow edge."""
    found: dict[bytes, int | None] = {}
    if not wanted:
        return found
    scope = os.fsdecode(os.path.commonpath(wanted))
    records = walk(repository.root, repository.head, scope)
    for record in records:
        for path in _content_changes(record, wanted):
            found[path] = None if record.commit in repository.boundary else record.when
            wanted.discard(path)
        if not wanted:
            break
    records.close()
    return found


def _content_changes(record: Record, wanted: set[bytes]) -> Iterator[bytes]:
    for path, change in zip(record.paths, record.changes, strict=True):
        if path in wanted:
            _, _, old, new, status = change.split()
            if old != new or status == b"T":
                yield path
