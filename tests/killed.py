"""Processes that are killed before each of their steps: whatever is written, renamed or removed."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def is_killed(work: Callable[[], object], step: int) -> bool:
    """Do the work in a process that is killed just before this step; return whether it was."""
    process = os.fork()
    if process == 0:
        left = step

        def before(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            is_step = event in ("os.rename", "os.remove", "os.truncate", "os.mkdir") or (
                event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & _CHANGES)
            )
            left -= is_step
            if is_step and left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(before)
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert status in (0, -signal.SIGKILL)
    return status != 0
