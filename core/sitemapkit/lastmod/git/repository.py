"""A repository as of its checked-out commit: the root, the commit, the files that it tracks."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import defaultdict
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from posixpath import commonpath
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.lastmod.git.command import OBJECT_ID, GitError, run_git

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_PARTIAL = re.compile(rb"^\s*(?:promisor|partialclone)\s*=", re.IGNORECASE | re.MULTILINE)
"""`remote.<name>.promisor`, or the older `extensions.partialClone`, in a configuration."""


class Repository(Struct, frozen=True, dict=True):
    """The checked-out commit of one repository; paths are bytes, relative to `root`."""

    root: str
    """Absolute path of the work tree, free of symbolic links."""

    head: bytes
    """Object id of the checked-out commit."""

    has_history: bool
    """Whether that commit has a parent."""

    boundary: frozenset[bytes]
    """Commits whose parents a shallow clone lacks: their changes cannot be dated."""

    is_partial: bool
    """Whether old texts may be missing, because it was cloned with `--filter`."""

    @cached_property
    def tracked(self) -> Mapping[bytes, bytes]:
        """The object id of each file in the commit; raises GitError if a tree cannot be read."""
        output = run_git(self.root, "ls-tree", "-r", "-z", self.head.decode())
        rows = [row.partition(b"\t") for row in output.split(b"\0")[:-1]]
        return {name: properties[properties.rfind(b" ") + 1 :] for properties, _, name in rows}

    def tracked_name(self, name: bytes) -> bytes:
        """Return the name under which git tracks a file; `name` itself if it is not tracked.

        The names may differ where the file system takes upper and lower case, or composed and
        decomposed letters, for the same.
        """
        if name in self.tracked:
            return name
        candidates = self._by_folded_name.get(_fold(name), ())
        same = [other for other in candidates if self._is_same_file(other, name)]
        return same[0] if len(same) == 1 else name

    def scope(self, names: Collection[bytes]) -> str:
        """Return the folder to limit git to for these files; empty if it holds nearly all files.

        A pathspec makes git compare a folder twice, which pays only if it can skip others.
        """
        common = commonpath((min(names), max(names)))  # all others sort between them
        below = common + b"/"
        share = sum(name.startswith(below) for name in self.tracked)
        return "" if share > 0.9 * len(self.tracked) else os.fsdecode(common)

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
    """Ask git about the repository whose work tree is `root`; raise GitError if it cannot tell."""
    properties = ("--show-prefix", "--is-shallow-repository", "--git-common-dir")
    output = run_git(root, "rev-parse", "HEAD^{commit}", "HEAD^@", *properties)
    head, *rest = output.removesuffix(b"\n").split(b"\n")
    parents = list(takewhile(OBJECT_ID.fullmatch, rest))
    prefix, shallow, *path = rest[len(parents) :]  # a path may contain line feeds
    if prefix:
        raise GitError(f"not a git repository: {root}")
    if shallow not in (b"true", b"false"):
        raise GitError("this git is too old, 2.15 or later is required")
    folder = Path(root, os.fsdecode(b"\n".join(path)))
    boundary = _read(folder / "shallow").split() if shallow == b"true" else ()
    config = folder / "config"  # read here, as asking git would take longer than all the rest
    is_partial = config.is_file() and bool(_PARTIAL.search(_read(config)))
    return Repository(root, head, bool(parents), frozenset(boundary), is_partial)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise GitError(f"{path} cannot be read: {error.strerror}") from error


def _fold(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()
