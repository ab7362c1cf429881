"""A repository as of its checked-out commit: the root, the commit, the files that it tracks."""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from pathlib import Path
from posixpath import commonpath
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.bounds import NoFileError, is_file, is_folder, is_there, read_file
from textdates.git.command import GitError, TooLargeError, chunks, is_object_id, run_git, start_git

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_PARTIAL = {b"promisor", b"partialclone"}
"""`remote.<name>.promisor`, or the older `extensions.partialClone`, in a configuration."""

MAX_SETTINGS = 64 * 1024 * 1024
"""Bytes that are read of a file of the repository itself, such as its list of references."""

_MAX_ROW = 1024 * 1024
"""Bytes of what git says of one file; no system has paths that long."""

_SPECIAL = (b"extensions", b"worktree")
"""What in a configuration may mean that files are elsewhere, or of other formats."""


class Repository(Struct, frozen=True):
    """The checked-out commit of one repository; paths are bytes, relative to `root`."""

    root: str
    """Absolute path of the work tree, free of symbolic links."""

    head: bytes
    """Object id of the checked-out commit."""

    boundary: frozenset[bytes]
    """Commits whose parents a shallow clone lacks: their changes cannot be dated."""

    is_partial: bool
    """Whether old texts may be missing, because it was cloned with `--filter`."""

    def tracked(self, names: Collection[bytes], *folders: str) -> Mapping[bytes, bytes]:
        """Return the object ids of those of the files `names` that are in the commit.

        If git has another spelling for one, that is the name returned: names may differ where the
        file system takes upper and lower case, or composed and decomposed letters, for the same. To
        look only into some folders is faster in a large repository. Raises GitError if git fails.
        """
        folded = {_fold(name) for name in names}
        tracked: dict[bytes, bytes] = {}
        for name, content in self.files(self.head, *folders):
            if name in names or _fold(name) in folded:
                tracked[name] = content
        return tracked

    def spellings(self, names: Iterable[bytes], tracked: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return which of the tracked files each of some others is, where it is one."""
        by_folded: dict[str, list[bytes]] = defaultdict(list)
        for name in tracked:
            by_folded[_fold(name)].append(name)
        found: dict[bytes, bytes] = {}
        for name in names:
            alike = by_folded.get(_fold(name), ())
            same = [other for other in alike if self._is_same_file(other, name)]
            if len(same) == 1:
                found[name] = same[0]
        return found

    def files(self, commit: bytes, *folders: str) -> Iterator[tuple[bytes, bytes]]:
        """Yield each file in a commit and its object id: they may be very many.

        Raises GitError if git fails.
        """
        git = start_git(self.root, "ls-tree", "-r", "-z", "--", commit.decode(), *folders)
        rest = b""
        for chunk in chunks(git):
            *rows, rest = (rest + chunk).split(b"\0")
            for row in rows:
                properties, _, name = row.partition(b"\t")
                object_id = properties.rpartition(b" ")[2]
                yield name, object_id
            if len(rest) > _MAX_ROW:
                raise TooLargeError("a file has too long a name")

    def _is_same_file(self, one: bytes, other: bytes) -> bool:
        root = Path(self.root)
        try:
            return (root / os.fsdecode(one)).samefile(root / os.fsdecode(other))
        except OSError:  # one of them does not exist, so they are not the same
            return False


def scope_of(names: Collection[bytes]) -> str:
    """Return the folder to limit git to for these files; empty for everything."""
    first, last = min(names), max(names)  # all others sort between them
    return os.fsdecode(commonpath((first, last)))


def open_repository(root: str) -> Repository:
    """Return the repository whose work tree is `root`; raise GitError if git cannot read it."""
    try:
        found = _read_files(Path(root, ".git"))
    except NoFileError as error:  # git would wait for it, or read it without end
        raise GitError(f"{error.filename} cannot be read: {error.strerror}") from error
    except OSError:  # it belongs to a linked work tree, is broken, or has no commit
        found = None
    head, folder = found or _run_rev_parse(root)
    boundary = _read(folder / "shallow").split()
    is_partial = False
    # The configuration is read here, as asking git would take longer than all the rest.
    for line in _read(folder / "config").lower().splitlines():
        key, is_set, _ = line.partition(b"=")
        if is_set and key.strip() in _PARTIAL:
            is_partial = True
    return Repository(root, head, frozenset(boundary), is_partial)


def _read_files(folder: Path) -> tuple[bytes, Path] | None:
    """Return what git would, from the files of gitrepository-layout(5), or None if unsure."""
    config = read_file(folder / "config", MAX_SETTINGS).lower()
    head = read_file(folder / "HEAD", MAX_SETTINGS).strip()
    if head.startswith(b"ref: refs/") and b".." not in head:
        head = _read_branch(folder, head.removeprefix(b"ref: "))
    is_whole = is_folder(folder / "objects") and is_folder(folder / "refs")
    if not is_whole or not is_object_id(head):
        return None
    if any(each in config for each in _SPECIAL):
        return None
    return head, folder


def _read_branch(folder: Path, name: bytes) -> bytes:
    file = folder / os.fsdecode(name)
    if is_file(file) and (loose := read_file(file, MAX_SETTINGS).strip()):
        return loose
    packed = read_file(folder / "packed-refs", MAX_SETTINGS)
    before = packed.partition(b" %b\n" % name)[0]
    return before.rpartition(b"\n")[2]


def _run_rev_parse(root: str) -> tuple[bytes, Path]:
    """Return the checked-out commit, and the folder of the repository."""
    output = run_git(root, "rev-parse", "HEAD^{commit}", "--show-prefix", "--git-common-dir")
    head, prefix, *lines = output.removesuffix(b"\n").split(b"\n")
    if prefix:
        raise GitError(f"not a git repository: {root}")
    path = b"\n".join(lines)  # which may contain line feeds
    return head, Path(root, os.fsdecode(path))


def _read(path: Path) -> bytes:
    """Return the content of a file; nothing if there is none."""
    if not is_there(path):
        return b""
    try:
        return read_file(path, MAX_SETTINGS)
    except OSError as error:
        raise GitError(f"{path} cannot be read: {error.strerror}") from error


def _fold(name: bytes) -> str:
    if name.isascii():  # nearly always, and much faster
        return name.lower().decode()
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()
