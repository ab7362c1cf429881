"""The history of the checked-out branch, newest commit first, one streamed walk for all files.

Only first parents are followed: a record says what its commit changed on the branch itself, so the
first record that names a file is exact, whatever the clocks of the committers said.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemapkit.lastmod._command import GitError, first_line, spawn

if sys.platform == "linux":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

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

_READ = 256 * 1024
_PIPE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One commit and what it changed against its first parent."""

    commit: bytes
    parents: bytes
    when: int
    """Committer date, seconds since 1970."""

    paths: list[bytes]
    changes: list[bytes]
    """For each path git's raw line: `:old-mode new-mode old-id new-id status`."""


def walk(root: str, head: str, scope: str) -> Generator[Record, None, None]:
    """Yield the records of `head`'s branch; `scope` is a folder or file below `root`, or empty.

    Closing the iterator stops git. Raises GitError if git fails on the way.
    """
    paths = ("--", scope) if scope else ("--",)
    with tempfile.TemporaryFile() as errors:
        process = spawn(root, [*_LOG, head, *paths], stdout=subprocess.PIPE, stderr=errors)
        try:
            yield from parse(_chunks(process))
            if process.wait():
                raise GitError(first_line(errors))
        finally:
            process.kill()
            if process.stdout:
                process.stdout.close()
            process.wait()


def _chunks(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    if process.stdout is None:
        return
    _widen(process.stdout.fileno())
    while chunk := os.read(process.stdout.fileno(), _READ):
        yield chunk


def _widen(pipe: int) -> None:
    """Let git run ahead of us where the system allows it."""
    if sys.platform == "linux":
        with suppress(OSError):  # the user's limit of pipe memory is spent: slower, not wrong
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def parse(chunks: Iterator[bytes]) -> Iterator[Record]:
    """Yield the records of git's output, which may be cut anywhere.

    A record begins with NUL and a slash: no path and no raw line begins with a slash.
    """
    pending: list[bytes] = []
    last = b"\0"
    for chunk in chunks:
        # the separator may be cut in two
        if b"\0/" in last + chunk:
            *whole, rest = b"".join([*pending, chunk]).split(b"\0/")
            yield from map(_record, filter(None, whole))
            pending = [rest]
        else:
            pending.append(chunk)
        last = chunk[-1:]
    if rest := b"".join(pending):
        yield _record(rest)


def _record(text: bytes) -> Record:
    commit, parents, when, *changes = text.removesuffix(b"\0").split(b"\0")
    return Record(commit.removeprefix(b"/"), parents, int(when), changes[1::2], changes[0::2])
