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
    from collections.abc import Iterable, Mapping, Sequence

_KINDS: Mapping[bytes, bytes] = dict.fromkeys(
    (b".markdown", b".mdown", b".mkd", b".mkdn", b".mdx"), b".md"
)
"""Suffixes of the same kind of text."""

_SLASH = ord("/")


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
        return (closest or same)[0]

    def likely(self, name: bytes) -> bytes | None:
        """Return the only deleted file whose path ends most like `name`."""
        closest = self._ends.closest(name)
        return closest[0] if len(closest) == 1 else None

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
