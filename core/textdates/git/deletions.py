"""The files that a commit deleted, and which of them may be where an added file came from.

A commit may delete very many files, whose paths may be very long, so nothing here takes more memory
than the paths do, nor looks at all of them for each added file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_KINDS = {
    **dict.fromkeys((b".markdown", b".mdown", b".mkd", b".mkdn", b".mdx"), b".md"),
    b".rest": b".rst",
    b".htm": b".html",
}
"""Suffixes of the same kind of text."""

_SLASH = ord("/")

_INDEXES = (b"index", b"README", b"_index")
"""Names, without suffix, of the page of a folder."""


def kind_of(name: bytes) -> bytes:
    """Return the suffix that stands for the kind of text of a file."""
    file = name[name.rfind(b"/") + 1 :]
    suffix = file[file.rfind(b".") :].lower() if b"." in file else b""
    return _KINDS.get(suffix, suffix)


class Deletions:
    """The files that one commit deleted."""

    def __init__(self, ids: Mapping[bytes, bytes]) -> None:
        """`ids` are the object ids of their content, by path, in the order of the paths."""
        self.ids = ids
        self._ends_by_content: dict[bytes, _Ends] = {}

    def renamed(self, name: bytes, content: bytes) -> bytes | None:
        """Return the deleted file with the object id `content` that became the file `name`."""
        same = self._by_content.get(content, ())
        if not same[1:]:  # nearly always
            return same[0] if same else None
        if content not in self._ends_by_content:
            self._ends_by_content[content] = _Ends(same)
        closest = self._ends_by_content[content].closest(name)
        return closest[0] if closest else _nearest(same, name)

    def likely(self, name: bytes) -> Iterator[bytes]:
        """Yield the deleted files that may have become `name`, according to their names.

        That is the only one whose path ends most like `name`, and the page `a.md` for that of a
        folder, `a/index.md`, and the reverse.
        """
        closest = self._ends.closest(name)
        if len(closest) == 1:
            yield closest[0]
        yield from filter(self.ids.__contains__, _other_forms(name))

    def neighbour(self, name: bytes) -> bytes | None:
        """Return the only deleted file of the same kind of text in the same folder."""
        return self._lone.get(_place(name))

    def of_kind(self, kind: bytes) -> Sequence[bytes]:
        """Return the deleted files of a kind of text."""
        return self._by_kind.get(kind, ())

    @cached_property
    def _ends(self) -> _Ends:
        return _Ends(self.ids)

    @cached_property
    def _by_content(self) -> Mapping[bytes, Sequence[bytes]]:
        paths: dict[bytes, list[bytes]] = defaultdict(list)
        for path, content in self.ids.items():
            paths[content].append(path)
        return paths

    @cached_property
    def _by_kind(self) -> Mapping[bytes, Sequence[bytes]]:
        paths: dict[bytes, list[bytes]] = defaultdict(list)
        for path in self.ids:
            paths[kind_of(path)].append(path)
        return paths

    @cached_property
    def _lone(self) -> Mapping[tuple[bytes, bytes], bytes | None]:
        """The file of each folder and kind of text, where there is but one."""
        found: dict[tuple[bytes, bytes], bytes | None] = {}
        for path in self.ids:
            place = _place(path)
            found[place] = None if place in found else path
        return found


class _Ends:
    """Paths sorted by how they end, in which those that end most like another are side by side."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._keys = sorted(map(_end, paths))

    def closest(self, name: bytes) -> Sequence[bytes]:
        """Return paths whose last parts are the same as those of `name`, for as many as possible.

        These are the first two at most, and none if not even the last part is the same.
        """
        key = _end(name)
        slashes = [at for at, letter in enumerate(key) if letter == _SLASH]
        # The more parts, the fewer paths end with them: so half of the possibilities can be left
        # out at a time.
        parts = bisect_left(slashes, True, key=lambda at: not self._first(key[: at + 1], 1))
        return [k[-2::-1] for k in self._first(key[: slashes[parts - 1] + 1], 2)] if parts else []

    def _first(self, start: bytes, count: int) -> Sequence[bytes]:
        at = bisect_left(self._keys, start)
        return [key for key in self._keys[at : at + count] if key.startswith(start)]


def _end(path: bytes) -> bytes:
    """Return a path from its end to its beginning, each part followed by a slash."""
    return path[::-1] + b"/"


def _nearest(paths: Sequence[bytes], name: bytes) -> bytes:
    """Return a path in the folder of `name`, or one that would stand next to it in a list."""
    at = bisect_left(paths, name)
    folder = name[: name.rfind(b"/") + 1]
    return max(paths[max(0, at - 1) : at + 1], key=lambda path: path.startswith(folder))


def _other_forms(name: bytes) -> Iterator[bytes]:
    """Yield the paths that a file may have whose page has the URL of the file `name`."""
    folder, _, file = name.rpartition(b"/")
    stem, dot, suffix = file.rpartition(b".")
    if stem in _INDEXES:
        if folder:
            yield folder + dot + suffix
        return
    start = name[: len(name) - len(dot + suffix)]
    for index in _INDEXES if dot else ():
        yield b"%b/%b.%b" % (start, index, suffix)


def _place(path: bytes) -> tuple[bytes, bytes]:
    """Return the folder and the kind of a file."""
    return path[: path.rfind(b"/") + 1], kind_of(path)
