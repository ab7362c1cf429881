"""The history of the checked-out branch, newest commit first: one streamed walk for all files.

Only first parents are followed, so that a record says what its commit changed on the branch itself.
That makes the first record which names a file exact, whatever the clocks of the committers said.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import weakref
from contextlib import ExitStack, suppress
from functools import cached_property
from typing import IO, TYPE_CHECKING, BinaryIO

from msgspec import Struct

from sitemapkit.lastmod.git.command import GitError, complaint, spawn, stop

if sys.platform == "linux":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_LOG = (
    "log",
    "-z",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--root",
    "-m",
    "--first-parent",
    "--no-color",
    "--no-notes",
    "--no-ext-diff",
    "--no-show-signature",
    "--format=/%H%x00%P%x00%ct",
)

_PIPE = 1024 * 1024
_READ = 256 * 1024
_LITTLE = 64 * 1024

_NAP = 0.001
"""Seconds to let git write more: it hands out 4 KiB at a time, and each read costs a switch."""

_CAN_SPOOL = hasattr(os, "pread")
"""Elsewhere (Windows) git shares its place in the file with us; a pipe lets it run ahead a bit."""


class Change(Struct, frozen=True, gc=False):
    """What a commit did to one path; modes and ids are git's, all zeros for a missing side."""

    old_mode: bytes
    mode: bytes
    old: bytes
    new: bytes
    status: bytes
    """`A`dded, `D`eleted, `M`odified (also its mode alone) or its `T`ype changed."""


class Stamp(Struct, frozen=True, gc=False):
    """What dates a file."""

    commit: bytes
    when: int
    """Committer date, seconds since 1970; 0 if git cannot read it."""


class Record:
    """One commit, and what it changed against its first parent; most are not looked at closely."""

    def __init__(self, text: bytes) -> None:
        """Take the record as git writes it, fields ended by NUL: see `_LOG`."""
        self._fields = text.split(b"\0")
        self.paths: Sequence[bytes] = self._fields[4::2]

    @property
    def commit(self) -> bytes:
        """Its object id."""
        return self._fields[0]

    @property
    def parents(self) -> Sequence[bytes]:
        """The object ids of its parents."""
        return self._fields[1].split()

    @cached_property
    def stamp(self) -> Stamp:
        """What dates a file that it changed."""
        return Stamp(self.commit, int(self._fields[2] or 0))

    @property
    def is_merge(self) -> bool:
        """Whether it has more than one parent."""
        return len(self.parents) > 1

    def change(self, path: bytes) -> Change:
        """Return what the commit did to one of the paths."""
        return Change(*self._by_path[path].lstrip(b"\n:").split(b" "))

    @cached_property
    def deleted(self) -> Mapping[bytes, Sequence[bytes]]:
        """The deleted paths, by their content."""
        paths: dict[bytes, list[bytes]] = {}
        for path, line in self._by_path.items():
            if line.endswith(b"D"):
                paths.setdefault(self.change(path).old, []).append(path)
        return paths

    @cached_property
    def _by_path(self) -> Mapping[bytes, bytes]:
        """The raw line of each path: `:old-mode new-mode old-id new-id status`."""
        return dict(zip(self.paths, self._fields[3::2], strict=True))


class Log:
    """A `git log` under way; iterating it once yields its records, and git may be ahead of us."""

    def __init__(
        self, root: str, *arguments: str, commits: Iterable[bytes] = (), spool: bool = False
    ) -> None:
        """Start git; `commits` are for its standard input.

        With `spool` git writes to a file and needs nobody to read while it walks. Raises GitError
        if there is no git.
        """
        with ExitStack() as stack:
            names = stack.enter_context(tempfile.TemporaryFile())
            names.writelines(commit + b"\n" for commit in commits)
            names.seek(0)
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            self._spool = (
                stack.enter_context(tempfile.TemporaryFile()) if spool and _CAN_SPOOL else None
            )
            stdout = self._spool or subprocess.PIPE
            self._process = spawn(
                root, [*_LOG, *arguments], stdin=names, stdout=stdout, stderr=self._errors
            )
            stack.callback(stop, self._process)
            _widen(self._process.stdout)
            self.stop = weakref.finalize(self, stack.pop_all().close)

    def __iter__(self) -> Iterator[Record]:
        """Yield the records; raise GitError if git fails on the way."""
        return parse(self._chunks())

    def _chunks(self) -> Iterator[bytes]:
        yield from _follow(self._spool, self._process) if self._spool else _read(self._process)
        if self._process.wait():  # before its last record, which may be cut short, is believed
            raise GitError(complaint(self._errors))


class Walk(Log):
    """The branch that ends at a commit, as far as it touches one folder or file."""

    def __init__(self, root: str, start: bytes, scope: str = "", *, spool: bool = False) -> None:
        """Start git; `scope` is a path below `root`, or empty for everything."""
        super().__init__(root, start.decode(), "--", *([scope] if scope else []), spool=spool)
        self.scope = os.fsencode(scope)

    def covers(self, name: bytes) -> bool:
        """Tell whether the walk sees the file `name`."""
        return not self.scope or name == self.scope or name.startswith(self.scope + b"/")


def pick(root: str, commits: Iterable[bytes]) -> Log:
    """Read the records of single commits, each once, in the given order.

    A commit is an id or an expression such as `<id>~3`; what does not exist is left out.
    """
    return Log(root, "--no-walk=unsorted", "--ignore-missing", "--stdin", commits=commits)


def parse(chunks: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records of git's output, which may be cut anywhere.

    A record begins with a slash, after the NUL that ends the last one: nothing else does.
    """
    pending, last = [b"\0"], b"\0"
    for chunk in chunks:
        pending.append(chunk)
        if b"\0/" in last + chunk:  # the separator may be cut in two
            *whole, rest = b"".join(pending).split(b"\0/")
            yield from map(Record, filter(None, whole))
            pending = [rest]
        last = chunk[-1:]
    if rest := b"".join(pending).removesuffix(b"\0"):
        yield Record(rest)


def _read(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    while process.stdout and (chunk := os.read(process.stdout.fileno(), _READ)):
        if len(chunk) < _LITTLE:
            time.sleep(_NAP)
        yield chunk


def _follow(spool: BinaryIO, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Yield what a process has written to a file, and what it still writes."""
    offset = 0
    while True:
        ended = process.poll() is not None  # asked first: what it wrote before its end counts
        if chunk := os.pread(spool.fileno(), _READ, offset):  # leaves git's own place alone
            offset += len(chunk)
            yield chunk
        elif ended:
            return
        else:
            time.sleep(_NAP)


def _widen(pipe: IO[bytes] | None) -> None:
    """Let git run further ahead of us, where the system allows it."""
    if sys.platform == "linux" and pipe:
        with suppress(OSError):  # the user's share of pipe memory is spent: slower, not wrong
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
