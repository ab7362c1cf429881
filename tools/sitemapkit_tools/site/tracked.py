"""Which files git tracks, and at which commit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textdates.git import GitError, run_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Set


class WorkTree(NamedTuple):
    """What is checked out of a repository."""

    root: Path
    files: frozenset[str]
    """The paths below the root that git tracks."""

    branches: frozenset[str]
    """The names of the checked-out commit."""


def work_tree(folder: Path) -> WorkTree | None:
    """Return the work tree that a folder is in; None outside a repository, or without git."""
    try:
        root = Path(os.fsdecode(run_git(str(folder), "rev-parse", "--show-toplevel")).strip())
        files = run_git(str(root), "ls-files", "-z").split(b"\0")[:-1]
        names = run_git(
            str(root), "for-each-ref", "--points-at=HEAD", "--format=%(refname:lstrip=2)"
        )
    except GitError:
        return None
    refs = os.fsdecode(names).split()
    remote = (name.partition("/")[2] for name in refs)
    return WorkTree(root, frozenset(map(os.fsdecode, files)), frozenset(["HEAD", *refs, *remote]))


def commit_of(folder: Path) -> str:
    """Return the short id of the commit that a folder is checked out at; "" if there is none."""
    try:
        return os.fsdecode(run_git(str(folder), "rev-parse", "--short", "HEAD")).strip()
    except GitError:
        return ""


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
