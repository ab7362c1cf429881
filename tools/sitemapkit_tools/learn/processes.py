"""Processes that `learn` starts: with few variables, for a limited time, and none is left."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable

_PASSED = {
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LANGUAGE", "TMPDIR"),
    *("VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION", "LD_LIBRARY_PATH"),
    *("SOURCE_DATE_EPOCH", "NO_COLOR"),
    # Without these, little starts on Windows.
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE"),
    *("APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"),
}
"""Variables that programs need to start, and that say where they are and how they write."""

_PREFIXES = ("LC_", "PYTHON")


def clean_environment(also: Iterable[str] = ()) -> dict[str, str]:
    """Return the variables that a build of an old commit gets, and `also` those of these names."""
    passed = _PASSED.union(also)
    return {
        name: value
        for name, value in os.environ.items()
        if name in passed or name.upper() in _PASSED or name.startswith(_PREFIXES)
    }


def adopt_orphans() -> None:
    """Become the parent of processes whose parent ends, so that they can be found (Linux)."""
    if sys.platform == "linux":
        from ctypes import CDLL  # noqa: PLC0415 - only here

        CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


_PR_SET_CHILD_SUBREAPER = 36


def children() -> set[int]:
    """Return the ids of our processes, as far as the system tells (Linux)."""
    found: set[int] = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = status.read_bytes().rpartition(b") ")[2].split()
            if int(fields[1]) == os.getpid():
                found.add(int(status.parent.name))
    return found


def end(process: subprocess.Popen[bytes] | None, earlier: set[int]) -> None:
    """End a process and whatever it has started, and wait for it.

    It is the leader of a group; what has left the group is adopted by us, unlike `earlier`. So is
    the process itself where a signal came before it had a name (None).
    """
    if process and sys.platform == "win32":
        process.kill()
        process.wait()
    elif process:
        with suppress(ProcessLookupError):  # all have ended
            os.killpg(process.pid, signal.SIGKILL)
        if process.returncode is None:  # a signal may have ended its own `wait` with the lock held
            _, status = os.waitpid(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    while sys.platform == "linux" and (left := children() - earlier):
        for each in left:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(each, 0)
