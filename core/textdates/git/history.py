"""The history of the checked-out branch, newest commit first: one streamed walk for all files.

Only first parents are followed, so each record says what its commit changed on the branch itself.
The first record that names a file is therefore the right one, whatever the clocks of the committers
said.
"""

from __future__ import annotations

import os
import time
from functools import cached_property
from typing import IO, TYPE_CHECKING, BinaryIO

from msgspec import Struct

from textdates.git.command import GitProcess, run_git, start_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from subprocess import Popen

    from textdates.model import Cut

_LOG = (
    "log -z --raw --no-abbrev --no-renames --root -m --first-parent --no-color --no-notes"
    " --no-ext-diff --no-show-signature --format=/%H%x00%P%x00%ct"
)

_READ_SIZE = 256 * 1024

_PAUSE = 0.001
"""Seconds to let git write more: it flushes 4 KiB at a time, and each read is a context switch."""

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


class Target(Struct, frozen=True, gc=False):
    """What is dated: a file, or a part of it."""

    name: bytes
    """Path of the file, relative to the root of its work tree."""

    cut: Cut | None = None


class CommitDate(Struct, frozen=True, gc=False):
    """The commit that a file has its date from."""

    commit: bytes
    timestamp: int
    """Committer date, seconds since 1970; 0 if git cannot read it."""

    has_parent: bool = True


class Record:
    """One commit and what it changed from its first parent; parsed lazily, as most are skipped."""

    def __init__(self, text: bytes) -> None:
        """Split what git wrote for one commit, NUL-terminated fields: see `_LOG`."""
        self._fields = text.split(b"\0")
        self.commit = self._fields[0]
        self.paths: Sequence[bytes] = self._fields[4::2]

    @property
    def parents(self) -> Sequence[bytes]:
        """The object ids of its parents."""
        return self._fields[1].split()

    @cached_property
    def date(self) -> CommitDate:
        """The date of the files that it changed."""
        return CommitDate(self.commit, int(self._fields[2] or 0), bool(self.parents))

    def change(self, path: bytes) -> Change:
        """Return what the commit did to one of the paths."""
        return Change(*self._by_path[path].lstrip(b"\n:").split(b" "))

    @cached_property
    def deleted(self) -> Mapping[bytes, Sequence[bytes]]:
        """The deleted paths, by the object id of their content, and by each end of their name."""
        paths: dict[bytes, list[bytes]] = {}
        for path, line in self._by_path.items():
            if line.endswith(b"D"):
                for key in (self.change(path).old, *ends(path)):
                    paths.setdefault(key, []).append(path)
        return paths

    @cached_property
    def _by_path(self) -> Mapping[bytes, bytes]:
        """The raw line of each path: `:old-mode new-mode old-id new-id status`."""
        return dict(zip(self.paths, self._fields[3::2], strict=True))


def ends(path: bytes) -> Sequence[bytes]:
    """Return a path without its first folders: without none of them, one, and so on."""
    parts = path.split(b"/")
    return [b"/".join(parts[start:]) for start in range(len(parts))]


class Log:
    """The output of `git log`; git may run ahead of us."""

    def __init__(self, git: GitProcess, scope: bytes) -> None:
        """`scope` is the path that the log is limited to, relative to the root; empty for none."""
        self.scope = scope
        self.stop = git.stop
        self.records = parse(_chunks(git))  # without a reference back, which would keep git alive
        """The commits; raises GitError if git fails on the way."""

    def covers(self, name: bytes) -> bool:
        """Return whether changes to the file `name` are in the log."""
        return not self.scope or name == self.scope or name.startswith(self.scope + b"/")


def _chunks(git: GitProcess) -> Iterator[bytes]:
    process, spool = git.process, git.spool
    yield from _read_spool(spool, process) if spool else _read_pipe(process.stdout)
    if process.wait():  # checked before parsing its last record, which may be cut short
        raise git.error()


def start_walk(root: str, start: bytes, scope: str) -> Log:
    """Start reading the branch that ends at the commit `start`, limited to one folder or file.

    `scope` is a path relative to `root`; empty for everything. Git writes to a file, so that it
    does not have to wait for a reader. Raises GitMissingError if git cannot be run.
    """
    return _start(root, start, scope, spool=_CAN_SPOOL)


def read_log(root: str, start: bytes, scope: str = "") -> Iterator[Record]:
    """Read the same, at the reader's pace: it takes no room on the disk, however long it is.

    Raises GitError if git fails on the way.
    """
    return _start(root, start, scope, spool=False).records


def _start(root: str, start: bytes, scope: str, *, spool: bool) -> Log:
    paths = ["--", scope] if scope else ["--"]
    git = start_git(root, *_LOG.split(), start.decode(), *paths, spool=spool)
    return Log(git, os.fsencode(scope))


def read_commits(root: str, commits: Iterable[bytes]) -> Iterator[Record]:
    """Read the records of single commits, each once, in the given order.

    A commit is an id or an expression such as `<id>~3`; those that do not exist are skipped.
    """
    options = ("--no-walk=unsorted", "--ignore-missing", "--stdin")
    return parse([run_git(root, *_LOG.split(), *options, lines=commits)])


def parse(chunks: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records in git's output, which may be split anywhere.

    A record begins with a slash after the NUL that ends the previous one; nothing else does.
    """
    pending, last = [b"\0"], b"\0"
    for chunk in chunks:
        pending.append(chunk)
        if b"\0/" in last + chunk:  # the separator may be split
            *whole, rest = b"".join(pending).split(b"\0/")
            yield from map(Record, filter(None, whole))
            pending = [rest]
        last = chunk[-1:]
    if rest := b"".join(pending).removesuffix(b"\0"):
        yield Record(rest)


def _read_pipe(pipe: IO[bytes] | None) -> Iterator[bytes]:
    while pipe and (chunk := os.read(pipe.fileno(), _READ_SIZE)):
        yield chunk


def _read_spool(spool: BinaryIO, process: Popen[bytes]) -> Iterator[bytes]:
    """Yield what a process has written to a file, and what it writes from now on."""
    offset = 0
    while True:
        ended = process.poll() is not None  # before the read, which then sees all of its output
        if chunk := os.pread(spool.fileno(), _READ_SIZE, offset):  # git's own position stays
            offset += len(chunk)
            yield chunk
        elif ended:
            return
        else:
            time.sleep(_PAUSE)
