"""Sources and pages whose paths are alike, however their generator spells addresses."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Key = tuple[str, ...]
"""The parts of a path without what generators change: case, punctuation, numbers, indexes."""


class Pair(NamedTuple):
    """A folder of pages, and the folder of their sources."""

    pages: Key
    sources: Key


class Alike(NamedTuple):
    """A source whose path is like that of a page."""

    source: str
    common: int
    """How many parts the ends of both paths have in common."""

    pair: Pair


_OF_A_DATE = re.compile(r"(?:^|(?<=/))\d{4}/\d{1,2}/(?:\d{1,2}/)?")
_NUMBER = re.compile(r"^(?:\d{4}-\d\d?-\d\d?|\d+)[\s._-]+(?=[^\W\d])")
MOST_NAMESAKES = 100
"""Sources of one name whose words are compared with those of a page."""

_MOST_PARTS = 4
"""Last parts of paths by which very many of one name are told apart."""

_INDEXES = ("index", "readme")


def key_of(path: str) -> Key:
    """Return the key of a file."""
    stem = posixpath.splitext(_OF_A_DATE.sub("", path))[0]
    key: list[str] = []
    for part in stem.split("/"):
        name = re.sub(r"[\W_]+", "", _NUMBER.sub("", part, count=1).lower())
        if name:
            key.append(name)
    if key and key[-1] in _INDEXES:
        key.pop()
    if len(key) > 1 and key[-1] == key[-2]:  # `sorts/sorts.md` may be the index of its folder
        key.pop()
    return tuple(key)


class AlikePaths:
    """The sources of a project by their paths."""

    def __init__(self, sources: Iterable[str]) -> None:
        """Take the paths of the sources."""
        self._by_end: dict[Key, list[tuple[Key, str]]] = defaultdict(list)
        self._by_key: dict[Key, list[str]] = defaultdict(list)
        for source in sources:
            key = key_of(source)
            self._by_key[key].append(source)
            for parts in range(1, min(len(key), _MOST_PARTS) + 1):
                self._by_end[key[-parts:]].append((key, source))

    def of(self, page: str) -> Iterator[Alike]:
        """Yield the sources of the same name as a page; of very many, those of its folder's too."""
        key = key_of(page)
        for parts in range(1, min(len(key), _MOST_PARTS) + 1):
            found = self._by_end.get(key[-parts:], ())
            if len(found) <= MOST_NAMESAKES:
                for other, source in found:
                    yield _alike(key, other, source)
                return

    def indexes(self, pairs: Iterable[Pair]) -> Iterator[Alike]:
        """Yield the sources that are indexes of the folders of sources in pairs."""
        for pair in pairs:
            for source in self._by_key.get(pair.sources, ()):
                yield Alike(source, 0, pair)


def alike(page: str, source: str) -> Alike | None:
    """Return in what a page and a source of the same name are alike."""
    key, other = key_of(page), key_of(source)
    return _alike(key, other, source) if key and key[-1:] == other[-1:] else None


def _alike(page: Key, source: Key, file: str) -> Alike:
    common = len(posixpath.commonprefix([page[::-1], source[::-1]]))
    return Alike(file, common, Pair(page[:-common], source[:-common]))
