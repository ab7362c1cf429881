"""A repository as its checked-out commit has it: the root, the commit, the files it tracks."""

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

from sitemapkit.lastmod.git.command import OBJECT_ID, GitError, ask

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
    """Commits whose parents a shallow clone does not have: their changes cannot be dated."""

    is_partial: bool
    """Whether old texts may be missing, because the clone was made with a `--filter`."""

    @cached_property
    def tracked(self) -> frozenset[bytes]:
        """All files in the commit; raises GitError if a tree cannot be read."""
        names = ask(self.root, "ls-tree", "-r", "-z", "--name-only", self.head.decode())
        return frozenset(names.split(b"\0")[:-1])

    def spelling(self, name: bytes) -> bytes:
        """Return how git spells a file's name, where the file system knows more spellings.

        Where upper and lower case, or composed and decomposed letters, are one file to the system,
        it may be named otherwise than it was committed.
        """
        if name in self.tracked:
            return name
        alike = self._folded.get(_fold(name), ())
        same = [other for other in alike if self._is_same_file(other, name)]
        return same[0] if len(same) == 1 else name

    def scope(self, names: Collection[bytes]) -> str:
        """Return the folder that git need look at for these files; empty if it is nearly all.

        A pathspec makes git compare a folder twice, which pays only if it spares others.
        """
        common = commonpath((min(names), max(names)))  # the others lie between them
        below = common + b"/"
        share = sum(name.startswith(below) for name in self.tracked)
        return "" if share > 0.9 * len(self.tracked) else os.fsdecode(common)

    @cached_property
    def _folded(self) -> Mapping[str, list[bytes]]:
        alike: dict[str, list[bytes]] = defaultdict(list)
        for name in self.tracked:
            alike[_fold(name)].append(name)
        return alike

    def _is_same_file(self, one: bytes, other: bytes) -> bool:
        root = Path(self.root)
        try:
            return (root / os.fsdecode(one)).samefile(root / os.fsdecode(other))
        except OSError:  # one of them does not exist: they are not the same
            return False


def open_repository(root: str) -> Repository:
    """Ask git about the repository whose work tree is `root`; raise GitError if it cannot say."""
    wanted = ("--show-prefix", "--is-shallow-repository", "--git-common-dir")
    answer = ask(root, "rev-parse", "HEAD^{commit}", "HEAD^@", *wanted)
    head, *rest = answer.removesuffix(b"\n").split(b"\n")
    parents = list(takewhile(OBJECT_ID.fullmatch, rest))
    prefix, shallow, *path = rest[len(parents) :]  # a path may hold line ends
    if prefix:
        raise GitError(f"not a git repository: {root}")
    if shallow not in (b"true", b"false"):
        raise GitError("this git is too old, 2.15 is the first that serves")
    folder = Path(root, os.fsdecode(b"\n".join(path)))
    boundary = _read(folder / "shallow").split() if shallow == b"true" else ()
    is_partial = _is_partial(folder / "config")
    return Repository(root, head, bool(parents), frozenset(boundary), is_partial)


def _is_partial(config: Path) -> bool:
    """Tell whether `git clone --filter` has left its mark.

    To ask git for it would take longer than all that is done with the answer.
    """
    return config.is_file() and bool(_PARTIAL.search(_read(config)))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise GitError(f"{path} cannot be read: {error.strerror}") from error


def _fold(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()
