"""Which work tree a file is in, under which path, and behind which symbolic links."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.bounds import is_file, real_path

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGES = ("site-packages", "dist-packages")
"""Names of the folders of an environment, or of a Linux distribution, with installed packages."""

_MAX_LINKS = 40
"""A path that leads through more symbolic links than this is a loop; Linux has the same limit."""


class WorkTreePath(Struct, frozen=True, gc=False):
    """A file, folder or symbolic link in the work tree of a repository."""

    root: str
    """Absolute path of the work tree, free of symbolic links."""

    name: bytes
    """Path relative to `root`, with slashes; empty for the root itself."""


class FileLocation(Struct, frozen=True, gc=False):
    """What git has to date for one file or folder; paths outside any repository are absent."""

    file: WorkTreePath | None
    """The file itself, with all symbolic links resolved."""

    links: Sequence[WorkTreePath]
    """The symbolic links on the way to it."""


class WorkTrees:
    """Locates files; folders are cached, so one object serves one build."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._folders: dict[str, tuple[FileLocation, frozenset[str]]] = {}
        """Where each folder is, and the names of the symbolic links in it."""
        self._paths: dict[Path, WorkTreePath | None] = {}
        """Of folders whose path is free of symbolic links."""

    def locate(self, file: str) -> FileLocation:
        """Return where a file is, and the symbolic links on the way to it."""
        parent, name = os.path.split(file)
        if parent not in self._folders:
            absolute = Path(parent).absolute()
            self._folders[parent] = self._read_folder(absolute)
        folder, link_names = self._folders[parent]
        if name not in link_names:
            return FileLocation(_join(folder.file, name), folder.links)
        end, links = _follow(Path(file).absolute())
        return FileLocation(self._locate(end), self._locate_all(links))

    def locate_folder(self, folder: Path) -> WorkTreePath | None:
        """Return where a folder is; None outside any repository."""
        return self._locate_real(_real(folder))

    def _read_folder(self, folder: Path) -> tuple[FileLocation, frozenset[str]]:
        end = _real(folder)
        links: list[Path] = []
        if end != folder:
            _, links = _follow(folder)
        location = FileLocation(self._locate_real(end), self._locate_all(links))
        return location, frozenset(_links_in(end))

    def _locate_all(self, links: list[Path]) -> list[WorkTreePath]:
        paths: list[WorkTreePath] = []
        for link in links:
            if path := self._locate(link):
                paths.append(path)
        return paths

    def _locate(self, file: Path) -> WorkTreePath | None:
        folder = self._locate_real(file.parent)
        return _join(folder, file.name)

    def _locate_real(self, folder: Path) -> WorkTreePath | None:
        """Locate a folder whose path is free of symbolic links."""
        if folder not in self._paths:
            path: WorkTreePath | None = None
            if _is_root(folder):
                path = WorkTreePath(str(folder), b"")
            # An environment may be in a work tree, but what is installed in it is no part of that.
            elif folder.name not in ("", *PACKAGES):
                path = self._locate(folder)
            self._paths[folder] = path
        return self._paths[folder]


def _join(folder: WorkTreePath | None, name: str) -> WorkTreePath | None:
    if not folder:
        return None
    path = os.fsencode(name)
    if folder.name:
        path = folder.name + b"/" + path
    return WorkTreePath(folder.root, path)


def _real(path: Path) -> Path:
    return Path(real_path(path))


def _follow(path: Path, links_left: int = _MAX_LINKS) -> tuple[Path, list[Path]]:
    """Return what `_real` does, and each symbolic link on the way, its parents resolved."""
    if path == path.parent:
        return path, []
    parent, links = _follow(path.parent, links_left)
    if path.name == "..":
        return parent.parent, links
    here = parent / path.name
    target = _target(here)
    if not links_left or not target:
        return here, links
    end, more = _follow(parent / target, links_left - 1)
    return end, [*links, here, *more]


def _is_root(folder: Path) -> bool:
    git = folder / ".git"
    return is_file(git) or is_file(git / "HEAD")


def _target(path: Path) -> Path | None:
    try:
        return path.readlink()
    except OSError:  # not a symbolic link
        return None


def _links_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_symlink()]
    except OSError:  # missing or unreadable: then no page was made from a file in it
        return []
