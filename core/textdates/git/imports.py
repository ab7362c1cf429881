"""Histories that a merge took in: of another repository, perhaps into a folder of this one.

The texts were there before, and what a reader sees of them did not change with the merge. A branch
of this repository is another matter: nobody could read what is on it before it was merged.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.git.command import run_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from textdates.git.blobs import Texts
    from textdates.git.history import Change, Target
    from textdates.git.repository import Repository


class Merge(Struct, frozen=True):
    """A merge, and the files that its first parent lacks."""

    parents: Sequence[bytes]
    changes: dict[bytes, Change]
    wanted: dict[bytes, list[Target]]


class Origin(Struct, frozen=True):
    """Where a file is in the history that was taken in."""

    name: bytes
    content: bytes
    """Its object id."""


def imported(
    repository: Repository, merges: Iterable[Merge], objects: Texts
) -> Iterator[tuple[Merge, bytes, dict[bytes, Origin]]]:
    """Yield each merge that took in a history, the last commit of that, and where its files are.

    These are by the names that they have in the merge.
    """
    pairs = [(merge, other) for merge in merges for other in merge.parents[1:]]
    commits = (commit for merge, other in pairs for commit in (merge.parents[0], other))
    trees = objects.read([commit + b"^{tree}" for commit in commits])
    for (merge, other), ours, theirs in zip(pairs, trees, trees, strict=True):
        looks_foreign = _looks_foreign(ours or b"", theirs or b"", len(other) // 2)
        may_ask = looks_foreign and objects.budget.take("merges", 1)
        if may_ask and _is_unrelated(repository, merge.parents[0], other):
            yield merge, other, _origins(repository, other, merge.changes)


def _looks_foreign(ours: bytes, theirs: bytes, id_length: int) -> bool:
    """Return whether a tree lacks most of what is in the top folder of the first parent's.

    A branch of the same repository has nearly all of it. This takes no time, unlike being sure.
    """
    first, other = ({*_entries(tree, id_length)} for tree in (ours, theirs))
    return 2 * len(first & other) < len(first)


def _entries(tree: bytes, id_length: int) -> Iterator[bytes]:
    """Yield the entries of a tree object: mode, name and binary object id."""
    start = 0
    while (end := tree.find(b"\0", start)) >= 0:
        end += 1 + id_length
        yield tree[start:end]
        start = end


def _is_unrelated(repository: Repository, first: bytes, other: bytes) -> bool:
    """Return whether two commits have no common ancestor."""
    command = ("merge-base", first.decode(), other.decode())
    return not run_git(repository.root, *command, accepted=(0, 1))


def _origins(
    repository: Repository, commit: bytes, changes: Mapping[bytes, Change]
) -> dict[bytes, Origin]:
    """Return where a commit has added files, which it may have in another folder."""
    by_content = {change.new: name for name, change in changes.items()}
    folders = Counter[bytes]()
    for name, content in repository.files(commit):
        added = by_content.get(content, b"")
        if added == name or added.endswith(b"/" + name):
            folders[added[: len(added) - len(name)]] += 1
    if not folders:
        return {}
    [(folder, _)] = folders.most_common(1)
    return {
        folder + name: Origin(name, content)
        for name, content in repository.files(commit)
        if folder + name in changes
    }
