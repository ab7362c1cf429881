"""A repository as the checked-out commit has it: its root, its head, what it tracks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sitemapkit.lastmod._command import GitError, ask


@dataclass(frozen=True, slots=True)
class Repository:
    """The checked-out commit of one repository."""

    root: str
    """Absolute path of the work tree, free of symbolic links."""

    head: str
    """Object id of the checked-out commit."""

    boundary: frozenset[bytes]
    """Commits whose parents a shallow clone does not have: their changes cannot be dated."""

    tracked: frozenset[bytes]
    """Paths of all files of that commit, relative to the root, with slashes."""


def open_repository(root: str) -> Repository:
    """Ask git about the repository whose work tree is `root`; raise GitError if it cannot say."""
    answer = ask(
        root,
        "rev-parse",
        "--show-prefix",
        "--is-shallow-repository",
        "--git-path",
        "shallow",
        "--verify",
        "HEAD^{commit}",
    )
    prefix, shallow, *path, head = os.fsdecode(answer).removesuffix("\n").split("\n")
    if prefix:
        raise GitError(f"not a git repository: {root}")
    if shallow not in ("true", "false"):
        raise GitError("this git is too old; 2.15 is the first that serves")
    boundary = _read_boundary(Path(root, "\n".join(path))) if shallow == "true" else ()
    names = ask(root, "ls-tree", "-r", "-z", "--name-only", head)
    return Repository(root, head, frozenset(boundary), frozenset(names.split(b"\0")[:-1]))


def _read_boundary(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().split()
    except OSError as error:
        raise GitError(f"{path} cannot be read: {error.strerror}") from error


def find_root(folder: Path) -> Path | None:
    """Return the work tree that holds `folder`: the nearest folder with a `.git`."""
    for candidate in (folder, *folder.parents):
        mark = candidate / ".git"
        if mark.is_file() or (mark / "HEAD").is_file():
            return candidate
    return None
