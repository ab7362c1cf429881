"""A lock that test processes side by side take in turns."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Wait until no other process has the lock, and keep it until the end of the block."""
    with file.open("w") as lock:
        if sys.platform == "win32":
            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)  # ends with the file
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
