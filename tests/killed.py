"""Processes that are killed at each of their steps.

That is before a file is renamed or removed, and when the first byte of one is written.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_CHANGES = os.O_WRONLY | os.O_RDWR


def is_killed(work: Callable[[], object], step: int, *, named: str = "") -> bool:
    """Do the work in a process that is killed at this step; return whether it was.

    Only steps count that are about paths with `named` in them.
    """
    process = os.fork()
    if process == 0:
        sys.addaudithook(_Killer(step, named))
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert status in (0, -signal.SIGKILL, -signal.SIGXFSZ)
    return status != 0


class _Killer:
    def __init__(self, step: int, named: str) -> None:
        self._left, self._named = step, named

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        is_opened = event == "open" and isinstance(arguments[2], int) and arguments[2] & _CHANGES
        if not (is_opened or event in ("os.rename", "os.remove", "os.mkdir")):
            return
        if self._named not in str(arguments[0]):
            return
        self._left -= 1
        if self._left == -1 and is_opened:
            self._end_at_the_first_byte()
        elif self._left == -1:
            os.kill(os.getpid(), signal.SIGKILL)

    def _end_at_the_first_byte(self) -> None:
        import resource  # noqa: PLC0415 - Windows has none

        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
