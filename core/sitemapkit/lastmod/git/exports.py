"""Exports: the files of a commit, written outside of their repository to be built from there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sitemapkit.lastmod.git.command import GitError, is_object_id, run_git

if TYPE_CHECKING:
    from pathlib import Path


def link_export(folder: Path, clone: Path) -> bool:
    """Give the export that `folder` is in the history of the repository that `clone` is in.

    The root of an export is named after its commit, as sphinx-multiversion does. It gets what a
    linked work tree has, a `.git` that leads to the repository, in which nothing changes. Returns
    whether there is such an export.
    """
    folders = (folder, *folder.parents)
    root = next((each for each in folders if is_object_id(os.fsencode(each.name))), None)
    if not root:
        return False
    try:
        found = run_git(str(clone), "rev-parse", f"{root.name}^{{commit}}", "--git-common-dir")
        commit, _, path = found.removesuffix(b"\n").partition(b"\n")
        git = root / ".git"
        git.mkdir()
        (git / "HEAD").write_bytes(commit + b"\n")
        (git / "commondir").write_bytes(os.fsencode((clone / os.fsdecode(path)).resolve()))
    except (GitError, OSError):  # then its files stay outside of git, which the report says
        return False
    return True
