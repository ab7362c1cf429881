"""Running git so that nothing of the user's configuration or environment changes its answer.

Nothing that a repository holds is executed: no hook, pager, external diff, file system monitor or
signature check. Nothing is fetched either, not even the missing objects of a partial clone.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable

_SETTINGS = (
    "color.diff=false",
    "color.ui=false",
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

_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH")
"""What stays of git's own variables: where it is installed, and configuration that may say
`safe.directory`. What else that configuration says is overruled by `_SETTINGS`."""

_FIXED = {
    "GIT_ALLOW_PROTOCOL": "none",  # no fetch of missing objects, in every version of git
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",  # the same without a process for each object (git 2.44)
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


OBJECT_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""A whole id, of SHA-1 or SHA-256."""


class GitError(Exception):
    """Git could not answer; the message is what it said."""


class GitMissingError(GitError):
    """There is no git to run."""


def ask(root: str, *arguments: str, lines: Iterable[bytes] = ()) -> bytes:
    """Return the standard output of a git command run in `root`; raise GitError if it fails.

    `lines` are for its standard input.
    """
    with tempfile.TemporaryFile() as errors:
        process = spawn(
            root, arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
        output, _ = process.communicate(b"".join(line + b"\n" for line in lines))
        if process.returncode:
            raise GitError(complaint(errors))
    return output


def spawn(
    root: str,
    arguments: Iterable[str],
    *,
    stdin: int | BinaryIO,
    stdout: int | BinaryIO,
    stderr: BinaryIO,
) -> subprocess.Popen[bytes]:
    """Start a git command in `root`; raise GitError if there is no git.

    `stderr` is a file, because a pipe that nobody reads could fill up and stop git.
    """
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = ["git", "-C", root, *settings, *arguments]
    try:
        return subprocess.Popen(
            command, stdin=stdin, stdout=stdout, stderr=stderr, env=_environment()
        )
    except OSError as error:
        raise GitMissingError(f"git cannot be run ({error.strerror})") from error


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process, whatever it is at, and leave nothing of it behind."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    process.wait()


def complaint(errors: BinaryIO) -> str:
    """Return what git died of, or else the first line of what it wrote to its standard error."""
    errors.seek(0)
    lines = errors.read(10_000).decode("utf-8", "replace").splitlines()
    fatal = [line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")]
    return next(iter(fatal + lines), "git failed without a word").strip()


def _environment() -> dict[str, str]:
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return own | _FIXED
