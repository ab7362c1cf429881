"""Running git so that nothing of the user's configuration or environment changes its answer.

Nothing of a repository is executed: no hook, pager, external diff, file system monitor or signature
check; and nothing is fetched, not even the missing objects of a partial clone.
"""

from __future__ import annotations

import os
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

_KEPT = ("GIT_CONFIG", "GIT_EXEC_PATH")
"""Git's own variables that stay: where it is installed, and the configuration that may say
`safe.directory`; what else they set is overruled by `_SETTINGS`."""

_FIXED = {
    "GIT_ALLOW_PROTOCOL": "none",  # no fetch of missing objects, in every version of git
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",  # the same, without a process for each (git 2.44)
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class GitError(Exception):
    """Git could not answer; the message is the first line of what it said."""


def ask(root: str, *arguments: str) -> bytes:
    """Return the standard output of a git command run in `root`; raise GitError if it fails."""
    with tempfile.TemporaryFile() as errors:
        process = spawn(root, arguments, stdout=subprocess.PIPE, stderr=errors)
        output, _ = process.communicate()
        if process.returncode:
            raise GitError(first_line(errors))
    return output


def spawn(
    root: str, arguments: Iterable[str], *, stdout: int | BinaryIO, stderr: BinaryIO
) -> subprocess.Popen[bytes]:
    """Start a git command in `root`; raise GitError if there is no git."""
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = ["git", "-C", root, *settings, *arguments]
    try:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, env=_environment()
        )
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror}") from error


def first_line(errors: BinaryIO) -> str:
    """Return the first line that git wrote to its standard error."""
    errors.seek(0)
    return errors.readline(500).decode("utf-8", "replace").strip() or "git failed without a word"


def _environment() -> dict[str, str]:
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return own | _FIXED
