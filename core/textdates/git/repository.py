"""A repository as of its checked-out commit: the root, the commit, the files that it tracks."""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from posixpath import commonpath
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.git.command import GitError, is_object_id, run_git

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_PARTIAL = {b"promisor", b"partialclone"}
"""`remote.<name>.promisor`, or the older `extensions.partialClone`, in a configuration."""

_SPECIAL = (b"extensions", b"worktree")
"""What in a configuration may mean that files are elsewhere, or of other formats."""


class Repository(Struct, frozen=True, dict=True):
    """The checked-out commit of one repository; paths are bytes, relative to `root`."""

    root: str
    """Absolute path of the work tree, free of symbolic links."""

    head: bytes
    """Object id of the checked-out commit."""

    boundary: frozenset[bytes]
    """Commits whose parents a shallow clone lacks: their changes cannot be dated."""

    is_partial: bool
    """Whether old texts may be missing, because it was cloned with `--filter`."""

    @cached_property
    def tracked(self) -> Mapping[bytes, bytes]:
        """The object id of each file in the commit; raises GitError if a tree cannot be read."""
        return self.tracked_below()

    def tracked_below(self, *folders: str) -> Mapping[bytes, bytes]:
        """Return those of some folders, which is faster in a large repository."""
        output = run_git(self.root, "ls-tree", "-r", "-z", self.head.decode(), *folders)
        rows = [row.partition(b"\t") for row in output.split(b"\0")[:-1]]
        return {name: properties[properties.rfind(b" ") + 1 :] for properties, _, name in rows}

    def tracked_name(self, name: bytes) -> bytes:
        """Return the name under which git tracks a file that it does not track as `name`, or that.

        The names may differ where the file system takes upper and lower case, or composed and
        decomposed letters, for the same.
        """
        candidates = self._by_folded_name.get(_fold(name), ())
        same = [other for other in candidates if self._is_same_file(other, name)]
        return same[0] if len(same) == 1 else name

    def scope(self, names: Collection[bytes]) -> str:
        """Return the folder to limit git to for these files; empty if it holds nearly all files.

        A pathspec makes git compare a folder twice, which pays only if it can skip others.
        """
        folder = commonpath((min(names), max(names))) + b"/"  # all others sort between them
        share = sum(name.startswith(folder) for name in self.tracked)
        return "" if share > 0.9 * len(self.tracked) else os.fsdecode(folder[:-1])

    @cached_property
    def _by_folded_name(self) -> Mapping[str, list[bytes]]:
        names: dict[str, list[bytes]] = defaultdict(list)
        for name in self.tracked:
            names[_fold(name)].append(name)
        return names

    def _is_same_file(self, one: bytes, other: bytes) -> bool:
        root = Path(self.root)
        try:
            return (root / os.fsdecode(one)).samefile(root / os.fsdecode(other))
        except OSError:  # one of them does not exist, so they are not the same
            return False


def open_repository(root: str) -> Repository:
    """Return the repository whose work tree is `root`; raise GitError if git cannot read it."""
    try:
        found = _read_files(Path(root, ".git"))
    except OSError:  # it belongs to a linked work tree, is broken, or has no commit
        found = None
    head, folder = found or _run_rev_parse(root)
    shallow = folder / "shallow"
    boundary = _read(shallow).split() if shallow.is_file() else ()
    config = folder / "config"  # read here, as asking git would take longer than all the rest
    lines = _read(config).lower().splitlines() if config.is_file() else []
    keys = [line.partition(b"=")[0].strip() for line in lines if b"=" in line]
    return Repository(root, head, frozenset(boundary), not _PARTIAL.isdisjoint(keys))


def _read_files(folder: Path) -> tuple[bytes, Path] | None:
    """Return what git would, from the files of gitrepository-layout(5), or None if unsure."""
    config, head = (folder / "config").read_bytes().lower(), (folder / "HEAD").read_bytes().strip()
    if head.startswith(b"ref: refs/"):
        name = head.removeprefix(b"ref: ")
        branch, packed = folder / os.fsdecode(name), folder / "packed-refs"
        loose = branch.read_bytes().strip() if branch.is_file() else b""
        head = loose or packed.read_bytes().partition(b" %b\n" % name)[0].rpartition(b"\n")[2]
    is_whole = (folder / "objects").is_dir() and (folder / "refs").is_dir()
    if not (is_whole and is_object_id(head)) or any(each in config for each in _SPECIAL):
        return None
    return head, folder


def _run_rev_parse(root: str) -> tuple[bytes, Path]:
    """Return the checked-out commit, and the folder of the repository."""
    output = run_git(root, "rev-parse", "HEAD^{commit}", "--show-prefix", "--git-common-dir")
    head, prefix, *path = output.removesuffix(b"\n").split(b"\n")  # which may contain line feeds
    if prefix:
        raise GitError(f"not a git repository: {root}")
    return head, Path(root, os.fsdecode(b"\n".join(path)))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise GitError(f"{path} cannot be read: {error.strerror}") from error


def _fold(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()
