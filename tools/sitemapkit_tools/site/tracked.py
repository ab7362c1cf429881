"""Which files git tracks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from textdates.git import GitError, run_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Set


def tracked_among(files: Iterable[Path]) -> Set[Path]:
    """Return those files that git tracks; none outside a repository, or without git."""
    wanted = {*files}
    if not wanted:
        return wanted
    folder = os.path.commonpath([file.parent for file in wanted])
    try:
        names = run_git(folder, "ls-files", "-z").split(b"\0")[:-1]
    except GitError:  # no repository
        return frozenset()
    return wanted & {Path(folder, os.fsdecode(name)) for name in names}
