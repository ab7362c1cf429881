"""Where a file lies: in which repository, under which name, behind which symbolic links."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_LINKS = 40
"""So many links on the way to a file are a loop; Linux stops there too."""


class Place(Struct, frozen=True):
    """A file or symbolic link in the work tree of a repository."""

    root: str
    """Absolute path of the work tree, free of symbolic links."""

    name: bytes
    """Path relative to `root`, with slashes."""


class Whereabouts(Struct, frozen=True):
    """What git must know to date a file; what lies outside any repository is not mentioned."""

    file: Place | None
    """The file itself, behind all symbolic links."""

    links: Sequence[Place]
    """The symbolic links on the way to it."""


class _Folder(Struct, frozen=True):
    """A folder free of symbolic links."""

    root: str | None
    prefix: bytes
    """What the names of files in it begin with, seen from the root of the repository."""

    def place(self, name: str) -> Place | None:
        return Place(self.root, self.prefix + os.fsencode(name)) if self.root else None


class _Way(Struct, frozen=True):
    """The way that leads to a folder."""

    end: _Folder
    links: list[Place]
    link_names: frozenset[str]
    """Names of the symbolic links in the folder."""


class Places:
    """Finds files; remembers the folders it has seen, so one object serves one build."""

    def __init__(self) -> None:
        """Begin with no folder seen."""
        self._folders: dict[Path, _Folder] = {}
        self._ways: dict[str, _Way] = {}

    def find(self, file: str) -> Whereabouts:
        """Return where a file and the symbolic links on the way to it lie."""
        folder, name = os.path.split(file)
        way = self._ways.get(folder) or self._ways.setdefault(folder, self._way(Path(folder)))
        if name not in way.link_names:
            return Whereabouts(way.end.place(name), way.links)
        end, links = _follow(Path(file).absolute())
        return Whereabouts(self._place(end), self._places(links))

    def find_folder(self, folder: Path) -> Place | None:
        """Return the place of a folder; its name is empty at the root of a repository."""
        found = self._folder(_real(folder))
        return Place(found.root, found.prefix.removesuffix(b"/")) if found.root else None

    def _way(self, folder: Path) -> _Way:
        path = folder.absolute()
        end = _real(path)
        links = [] if end == path else _follow(path)[1]
        return _Way(self._folder(end), self._places(links), frozenset(_links_in(end)))

    def _places(self, links: list[Path]) -> list[Place]:
        return [place for link in links if (place := self._place(link))]

    def _place(self, path: Path) -> Place | None:
        return self._folder(path.parent).place(path.name)

    def _folder(self, path: Path) -> _Folder:
        if path not in self._folders:
            self._folders[path] = self._read(path)
        return self._folders[path]

    def _read(self, path: Path) -> _Folder:
        if _is_root(path):
            return _Folder(str(path), b"")
        if path == path.parent:
            return _Folder(None, b"")
        above = self._folder(path.parent)
        return _Folder(above.root, above.prefix + os.fsencode(path.name) + b"/")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # unlike Path.resolve it never raises, not even on loops


def _follow(path: Path, links_left: int = _MOST_LINKS) -> tuple[Path, list[Path]]:
    """Return what `_real` does, and each symbolic link on the way, as a path free of others."""
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
    mark = folder / ".git"
    try:
        return mark.is_file() or (mark / "HEAD").is_file()
    except OSError:  # a name that cannot be, or not ours to read
        return False


def _target(path: Path) -> Path | None:
    try:
        return path.readlink()
    except OSError:  # no symbolic link
        return None


def _links_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_symlink()]
    except OSError:  # not there or not readable: then nothing in it is a page
        return []
