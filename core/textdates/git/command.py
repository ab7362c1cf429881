"""Running git so that no configuration or environment of the user changes its answer.

Nothing that a repository contains is executed: no hook, pager, external diff, file system monitor
or signature check. Nothing is fetched either, not even the missing objects of a partial clone.
"""

from __future__ import annotations

import os
import select
import sys
import time
import weakref
from contextlib import ExitStack, suppress
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, BinaryIO

if sys.platform == "linux":
    import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

_Stream = int | BinaryIO
"""A constant of `subprocess`, or a file."""

_SETTINGS = (
    "color.diff=false",
    "color.ui=false",
    "core.bigFileThreshold=4m",  # what is larger is streamed, not held in memory
    "core.fsmonitor=false",
    "core.quotePath=false",
    "core.useReplaceRefs=true",
    "diff.ignoreSubmodules=none",
    "diff.noprefix=false",
    "diff.orderFile=" + os.devnull,
    "diff.relative=false",
    "diff.renames=false",
    "diff.submodule=short",
    "i18n.logOutputEncoding=UTF-8",
    "log.diffMerges=separate",
    "log.follow=false",
    "log.mailmap=false",
    "log.showRoot=true",
    "log.showSignature=false",
)

MAX_MEMORY = 320 * 1024 * 1024
"""Bytes that git may allocate, on Linux: a few kilobytes of a repository can describe a folder of
ten million files, all of which git would hold at once. Packs, which it maps, are not counted."""

MAX_SPOOL = 1024 * 1024 * 1024
"""Bytes that git may write to a temporary file, on Linux."""

_TOO_LARGE = ("out of memory", "cannot allocate memory", "file too large")
"""What git says where these limits end it, in lower case."""

_SIGXFSZ = 25
"""The signal that ends a process, on Linux, whose file gets larger than it may be."""

PATIENCE = 300.0
"""Seconds to wait for git to say anything: a damaged repository can make it wait for ever."""

_SILENT = f"git was silent for {PATIENCE:.0f} seconds"

_READ_SIZE = 256 * 1024

_PAUSE = 0.001
"""Seconds to let git write more: it flushes 4 KiB at a time, and each read is a context switch."""

_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH")
"""Prefixes of git's own variables that are passed on: where git is installed, and configuration,
which may hold `safe.directory`. Anything else in that configuration is overridden by `_SETTINGS`.
"""

_FIXED = {
    "GIT_ALLOW_PROTOCOL": "none",  # no fetch of missing objects, in every version of git
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",  # the same without a process for each object (git 2.44)
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class GitError(Exception):
    """Git failed; the message is what it printed."""


class GitMissingError(GitError):
    """Git cannot be run."""


class TooLargeError(GitError):
    """What git was asked for is larger than is read of a repository."""


class GitProcess:
    """A running git command; `stop` ends it, and so does garbage collection."""

    def __init__(
        self, process: Popen[bytes], errors: BinaryIO, spool: BinaryIO | None, stack: ExitStack
    ) -> None:
        """Take over a process and the files it writes to; `stack` ends it and closes them."""
        self.process = process
        self.spool = spool
        self.stop: Callable[[], object] = weakref.finalize(self, stack.close)
        self._errors = errors

    def error(self) -> GitError:
        """Return the error that git reported, or the limit that ended it."""
        self._errors.seek(0)
        error = _error(self._errors.read(10_000))
        said = str(error).lower()
        is_over = self.process.returncode == -_SIGXFSZ
        if is_over or any(sign in said for sign in _TOO_LARGE):
            return TooLargeError(str(error))
        return error


def is_object_id(text: bytes) -> bool:
    """Return whether a text is a full object id, SHA-1 or SHA-256."""
    return len(text) in (40, 64) and not text.strip(b"0123456789abcdef")


def run_git(
    root: str, *arguments: str, lines: Iterable[bytes] = (), accepted: Collection[int] = (0,)
) -> bytes:
    """Return the standard output of a git command run in `root`; `lines` are its standard input.

    Raises GitError if it fails: if it ends with a code that is not `accepted`.
    """
    process = _spawn(root, arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        given = b"".join(line + b"\n" for line in lines)
        output, errors = process.communicate(given, timeout=PATIENCE)
    except TimeoutExpired:
        process.kill()
        process.communicate()
        raise GitError(_SILENT) from None
    if process.returncode not in accepted:
        raise _error(errors)
    return output


def start_git(
    root: str, *arguments: str, stdin: _Stream = DEVNULL, spool: bool = False
) -> GitProcess:
    """Start a git command in `root`; raise GitMissingError if git cannot be run.

    It writes to a pipe, or with `spool` to a temporary file. Its errors go to a file too, because
    a pipe that is not being read could fill up and block git.
    """
    with ExitStack() as stack:
        errors = stack.enter_context(TemporaryFile())
        output = stack.enter_context(TemporaryFile()) if spool else None
        process = _spawn(root, arguments, stdin=stdin, stdout=output or PIPE, stderr=errors)
        stack.enter_context(process)  # closes its pipes and waits for its end
        stack.callback(process.kill)
        return GitProcess(process, errors, output, stack.pop_all())


def chunks(git: GitProcess) -> Iterator[bytes]:
    """Yield what a command writes; raise GitError, or TooLargeError, if it fails."""
    process, spool = git.process, git.spool
    yield from _read_spool(spool, process) if spool else _read_pipe(process.stdout)
    if process.wait():  # its reader does not see the end of the output, which may be cut short
        raise git.error()


def _read_pipe(pipe: IO[bytes] | None) -> Iterator[bytes]:
    while pipe and (chunk := _read_once(pipe)):
        yield chunk


def _read_once(pipe: IO[bytes]) -> bytes:
    wait_for(pipe)
    return os.read(pipe.fileno(), _READ_SIZE)


def wait_for(pipe: IO[bytes]) -> None:
    """Wait until git has written something to a pipe; raise GitError if that takes too long."""
    if sys.platform == "win32":  # there one cannot wait for a pipe
        return
    written = select.poll()
    written.register(pipe, select.POLLIN)
    if not written.poll(PATIENCE * 1000):
        raise GitError(_SILENT)


def _read_spool(spool: BinaryIO, process: Popen[bytes]) -> Iterator[bytes]:
    """Yield what a process has written to a file, and what it writes from now on."""
    offset, since = 0, time.monotonic()
    while True:
        ended = process.poll() is not None  # before the read, which then sees all of its output
        if chunk := os.pread(spool.fileno(), _READ_SIZE, offset):  # git's own position stays
            offset += len(chunk)
            yield chunk
            since = time.monotonic()
        elif ended:
            return
        elif time.monotonic() - since > PATIENCE:
            raise GitError(_SILENT)
        else:
            time.sleep(_PAUSE)


def _spawn(
    root: str, arguments: Iterable[str], *, stdin: _Stream, stdout: _Stream, stderr: _Stream
) -> Popen[bytes]:
    command = ["git", "-C", root]
    for setting in _SETTINGS:
        command += ("-c", setting)
    command += arguments
    env: dict[str, str] = {}
    for name, value in os.environ.items():
        if not name.startswith("GIT_") or name.startswith(_KEPT):
            env[name] = value
    env |= _FIXED
    try:
        process = Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, env=env)
    except OSError as error:
        raise GitMissingError(f"git cannot be run ({error.strerror})") from error
    if sys.platform == "linux":  # elsewhere one process cannot limit another
        with suppress(OSError):  # it has ended, or the system does not allow it
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (MAX_SPOOL, MAX_SPOOL))
    return process


def _error(output: bytes) -> GitError:
    """Return the fatal error in what git wrote to its standard error, or else the first line."""
    lines = output.decode("utf-8", "replace").replace("\n\t", " ").splitlines()
    said = lines[0] if lines else "git failed without a message"
    for line in lines:
        if line.startswith("fatal: "):
            said = line.removeprefix("fatal: ")
            break
    return GitError(said.strip())
