"""Disks that are small, or full."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@contextmanager
def small_disk(folder: Path, size: str) -> Generator[Path]:
    """Mount a disk of a size in a new folder; only root can, so else the test is skipped."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    is_there = shutil.which("mount")
    if not is_there or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path) -> None:
    """Leave no room on a disk."""
    with (disk / "filled").open("wb", 0) as file, suppress(OSError):
        while file.write(bytes(4_096)):
            pass
