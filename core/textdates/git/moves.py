"""Added files that say the same to a reader as a file that was deleted in the same commit.

Such a file was renamed or moved, whatever its new name is, and whatever else changed that no reader
sees. What is compared is bounded: a few texts for each added file, and so many bytes in all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nlargest
from itertools import chain
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from textdates.front_matter import front_matter
from textdates.git.deletions import kind_of
from textdates.git.history import Target

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from textdates.git.blobs import Texts
    from textdates.git.deletions import Deletions
    from textdates.git.history import Change

    _Samples = Mapping[bytes, frozenset[int]]
    """Words of texts, as numbers, by the paths of their files."""

_MAX_TOP = 32 * 1024
"""Bytes of a text that are looked at, front matter and all."""

_BEGINNING = 4 * 1024
"""Characters of a text, below its front matter, in which words are looked for."""

_SAMPLE = 16
"""Words of a text that stand for all of them: always the same ones of the same text."""

_FEW = 8
"""Deleted texts that may share a word, so that it still tells them apart."""

_COMPARED = 2
"""Deleted texts that an added one is compared with because they share words: manuals that keep
their versions, as Jest's, delete several of one page in one commit."""


class Move(Struct, frozen=True):
    """Where an added file came from."""

    origin: bytes
    targets: frozenset[Target]
    """What of it says the same there."""


class Added(Struct, frozen=True):
    """Files that one commit added."""

    changes: Mapping[bytes, Change]
    """What the commit did, by their names."""

    wanted: Mapping[bytes, Sequence[Target]]
    """What of them is to be dated, by their names."""

    deleted: Deletions
    """The files that it deleted."""


def find_moves(texts: Texts | None, added: Added) -> dict[bytes, Move]:
    """Return the moves of files that one commit added, by their new names.

    Without `texts` only files of exactly the same content are found.
    """
    deleted = added.deleted
    moves = {
        name: Move(origin, frozenset(added.wanted[name]))
        for name, change in added.changes.items()
        if (origin := deleted.renamed(name, change.new))
    }
    if not (texts and deleted.ids):
        return moves
    rest = added.changes.keys() - moves.keys()
    likely = {name: [path] for name in rest if (path := deleted.likely(name))}
    moves |= _compared(texts, likely, added)
    rest -= moves.keys()
    alike = _alike(texts, rest, added)
    return moves | _compared(texts, alike, added)


def _alike(texts: Texts, names: Collection[bytes], added: Added) -> dict[bytes, Sequence[bytes]]:
    """Return the deleted files that share most words with each of some added ones."""
    found: dict[bytes, Sequence[bytes]] = {}
    for kind in sorted({*map(kind_of, names)}):
        if origins := added.deleted.of_kind(kind):
            old = _samples(texts, {path: added.deleted.ids[path] for path in origins}, kind)
            new = {n: added.changes[n].new for n in sorted(names) if kind_of(n) == kind}
            found |= _most_alike(_samples(texts, new, kind), old)
    return found


def _samples(texts: Texts, ids: Mapping[bytes, bytes], kind: bytes) -> _Samples:
    """Return words of the texts with these object ids, as far as the budget goes."""
    samples: dict[bytes, frozenset[int]] = {}
    contents = [*dict.fromkeys(ids.values())]
    for content, text in zip(contents, texts.read(contents), strict=True):
        if not texts.budget.take("moved", len(text or b"")):
            break
        samples[content] = _sample(text or b"", is_rest=kind == b".rst")
    return {path: samples[content] for path, content in ids.items() if content in samples}


def _compared(
    texts: Texts,
    candidates: Mapping[bytes, Sequence[bytes]],
    added: Added,
) -> dict[bytes, Move]:
    """Return the moves from the first of the candidates for each added file that says the same."""
    moves: dict[bytes, Move] = {}
    wanted = added.wanted
    for turn in range(max(map(len, candidates.values()), default=0)):
        origins = {
            name: paths[turn]
            for name, paths in candidates.items()
            if turn < len(paths) and name not in moves
        }
        changes = {
            name: replace(added.changes[name], old=added.deleted.ids[origin], status=b"M")
            for name, origin in origins.items()
        }
        # The whole file is compared too, as a part alone may say the same by chance.
        same = texts.unchanged(changes, {name: {*wanted[name], Target(name)} for name in origins})
        moves |= {
            name: Move(origin, frozenset(same.intersection(wanted[name])))
            for name, origin in origins.items()
            if Target(name) in same or (_keeps_name(name, origin) and same & {*wanted[name]})
        }
    return moves


def _keeps_name(name: bytes, origin: bytes) -> bool:
    return name.rpartition(b"/")[2] == origin.rpartition(b"/")[2]


def _sample(text: bytes, *, is_rest: bool) -> frozenset[int]:
    top = text[:_MAX_TOP].decode("utf-8", "replace").replace("\r\n", "\n")
    start, end = front_matter(top, is_rest=is_rest)
    beginning = top[:start] + top[end : end + _BEGINNING]
    words = {*beginning.encode("utf-8", "replace").split()}
    return frozenset(sorted(map(crc32, words))[:_SAMPLE])  # faster than with a heap


def _most_alike(new: _Samples, old: _Samples) -> dict[bytes, Sequence[bytes]]:
    """Return the old paths, by the new ones, whose texts share most words, the likeliest first.

    Words that many old texts have do not count; of the others, they share half at least.
    """
    paths: dict[int, list[bytes]] = defaultdict(list)
    for path, words in old.items():
        for word in words:
            paths[word].append(path)
    alike: dict[bytes, Sequence[bytes]] = {}
    for name, words in new.items():
        telling = [found for word in words if len(found := paths.get(word, [])) <= _FEW]
        shared = Counter(chain.from_iterable(telling))
        best = nlargest(_COMPARED, ((count, path) for path, count in shared.items()))
        alike[name] = [path for count, path in best if 2 * count >= len(telling)]
    return alike
