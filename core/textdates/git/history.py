"""The history of the checked-out branch, newest commit first: one streamed walk for all files.

Only first parents are followed, so each record says what its commit changed on the branch itself.
The first record that names a file is therefore the right one, whatever the clocks of the committers
said.
"""

from __future__ import annotations

import os
from functools import cached_property
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.git.command import GitProcess, TooLargeError, chunks, start_git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from textdates.model import Cut

_LOG = (
    "log -z --raw --no-abbrev --no-renames --root -m --first-parent --no-color --no-notes"
    " --no-ext-diff --no-show-signature --format=/%H%x00%P%x00%ct"
)

_HEADER = 3
"""Fields of a record before its changes: commit, parents, date."""

MAX_COMMIT = 32 * 1024 * 1024
"""Bytes that are read of one commit: some 250,000 changed files. The walk ends at a larger one."""

_CAN_SPOOL = hasattr(os, "pread")
"""Without it (Windows) reading would move git's own position in the file; so there git writes to
the pipe, which lets it run ahead a little."""


class Change(Struct, frozen=True, gc=False):
    """What a commit did to one path; modes and object ids as git writes them, zeros for none."""

    old_mode: bytes
    mode: bytes
    old: bytes
    new: bytes
    status: bytes
    """`A`dded, `D`eleted, `M`odified (even if only the mode is), or `T`ype changed."""

    origin: bytes = b""
    """The path that it had before, if that was another one."""


class Target(Struct, frozen=True, gc=False):
    """What is dated: a file, or a part of it."""

    name: bytes
    """Path of the file, relative to the root of its work tree."""

    cut: Cut | None = None


def in_order(targets: Iterable[Target]) -> Sequence[Target]:
    """Return targets in an order that is always the same."""
    return sorted(targets, key=lambda target: (target.name, repr(target.cut)))


class CommitDate(Struct, frozen=True, gc=False):
    """The commit that a file has its date from."""

    commit: bytes
    timestamp: int
    """Committer date, seconds since 1970; 0 if git cannot read it."""

    has_parent: bool = True


Known = dict[str, tuple[str, dict[Target, tuple[CommitDate, bool]]]]
"""What is known of texts as they are in a commit, for the next build; by the roots of work trees.

First what it hangs on: the commit, its history, and the rules. Then for each target the commit that
it has its date from, and whether that changed a file which was there before.
"""


class Record:
    """One commit and what it changed from its first parent; parsed lazily, as most are skipped."""

    def __init__(self, fields: Sequence[bytes]) -> None:
        """Take the NUL-terminated fields that git wrote for one commit: see `_LOG`."""
        self._fields = fields
        self.commit: bytes = fields[0]
        self.paths: Sequence[bytes] = fields[4::2]

    @property
    def parents(self) -> Sequence[bytes]:
        """The object ids of its parents."""
        return self._fields[1].split()

    @cached_property
    def date(self) -> CommitDate:
        """The date of the files that it changed."""
        timestamp = int(self._fields[2] or 0)
        return CommitDate(self.commit, timestamp, bool(self.parents))

    def change(self, path: bytes) -> Change:
        """Return what the commit did to one of the paths."""
        line = self._by_path[path].lstrip(b"\n:")
        return Change(*line.split(b" "))

    @cached_property
    def deleted(self) -> Mapping[bytes, bytes]:
        """The object ids of the deleted files, by their paths."""
        deleted: dict[bytes, bytes] = {}
        for path, line in self._by_path.items():
            if line.endswith(b"D"):
                deleted[path] = self.change(path).old
        return deleted

    @cached_property
    def _by_path(self) -> Mapping[bytes, bytes]:
        """The raw line of each path: `:old-mode new-mode old-id new-id status`."""
        lines = self._fields[3::2]
        return dict(zip(self.paths, lines, strict=True))


class Log:
    """The output of `git log`; git may run ahead of us."""

    def __init__(self, git: GitProcess, scope: bytes = b"") -> None:
        """`scope` is the path that the log is limited to, relative to the root; empty for none."""
        self.scope = scope
        self.stop: Callable[[], object] = git.stop
        self.end: End = End()
        self._records = _records(git, self.end)  # without a reference back: git would stay alive

    def covers(self, name: bytes) -> bool:
        """Return whether changes to the file `name` are in the log."""
        if not self.scope or name == self.scope:
            return True
        return name.startswith(self.scope + b"/")

    def records(self) -> Iterator[Record]:
        """Yield the commits; raise GitError if git fails."""
        return self._records


class End(Struct):
    """How a log ended."""

    too_large: bool = False
    """Whether it ended at a commit that changed more than is read of one."""


def _records(git: GitProcess, end: End) -> Iterator[Record]:
    try:
        yield from parse(_up_to_limit(git, end))
    except TooLargeError:
        end.too_large = True


def _up_to_limit(git: GitProcess, end: End) -> Iterator[bytes]:
    """Yield what git writes, up to where a limit ended it."""
    try:
        yield from chunks(git)
    except TooLargeError:
        end.too_large = True


def start_walk(root: str, start: bytes, scope: str = "") -> Log:
    """Start reading the branch that ends at the commit `start`, limited to one folder or file.

    `scope` is a path relative to `root`; empty for everything. Git writes to a file, so that it
    does not have to wait for a reader. Raises GitMissingError if git cannot be run.
    """
    command = [*_LOG.split(), start.decode(), "--"]
    if scope:
        command.append(scope)
    git = start_git(root, *command, spool=_CAN_SPOOL)
    return Log(git, os.fsencode(scope))


def read_commits(root: str, commits: Iterable[bytes]) -> Log:
    """Start reading the records of single commits, each once, in the given order.

    Those that do not exist are skipped.
    """
    options = ("--no-walk=unsorted", "--ignore-missing", "--stdin")
    with TemporaryFile() as names:  # as a pipe it could fill up while git waits for a reader
        for commit in commits:
            names.write(commit + b"\n")
        names.seek(0)
        git = start_git(root, *_LOG.split(), *options, stdin=names)
        return Log(git)


def parse(chunks: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records in git's output, which may be split anywhere.

    A record begins with a slash after the NUL that ends the previous one; nothing else does.
    Raises TooLargeError at a commit of more than `MAX_COMMIT` bytes.
    """
    pending, size = [b"\0"], 0
    last = b"\0"
    for chunk in chunks:
        pending.append(chunk)
        size += len(chunk)
        if b"\0/" in last + chunk:  # the separator may be split
            *whole, rest = b"".join(pending).split(b"\0/")
            for text in whole:
                if text:
                    yield Record(text.split(b"\0"))
            pending, size = [rest], len(rest)
        elif size > MAX_COMMIT:
            raise TooLargeError("a commit changes too many files")
        last = chunk[-1:]
    fields = b"".join(pending).split(b"\0")[:-1]  # a limit may have cut the last field short
    if len(fields) >= _HEADER:
        is_halved = (len(fields) - _HEADER) % 2  # of a pair only the first is there
        yield Record(fields[: len(fields) - is_halved])
