"""Where files that a commit added came from: exact renames by the log, others as git finds them."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from textdates.git.command import run_git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textdates.git.blobs import Texts
    from textdates.git.history import Change, Record, Target
    from textdates.git.repository import Repository

_MARKUP = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".rst", ".rest")
"""Suffixes of texts that are compared with each other; any other suffix is a kind of its own."""

_VERSION = re.compile(rb"(?:^|/)(?=[^/]++/)(?:version-|v\d|[^/]*\d\.[\dx])[^/]*/")
"""A folder for a version: `version-tea`, `v2`, `1.0`, `release-3.x`."""

_FIND = ("--no-literal-pathspecs", "diff-tree", "-r", "-z", "--name-status", "--diff-filter=R")

_HOW = ("--find-renames=40%", "-l1000")
"""How much of a text must be the same, and how many files are compared with each other: of a commit
that renames more, git finds those that keep the name of the file."""


class Move(Struct, frozen=True):
    """Where an added file came from."""

    origin: bytes
    targets: frozenset[Target]
    """What of it says the same there."""


def find_moves(
    root: str,
    record: Record,
    added: Mapping[bytes, Change],
    wanted: Mapping[bytes, Sequence[Target]],
    texts: Texts | None,
) -> dict[bytes, Move]:
    """Return the moves of files that one commit added, by their new names.

    `wanted` has what is to be dated of each. Without `texts` only files of exactly the same content
    are found. Raises GitError if git fails.
    """
    moves: dict[bytes, Move] = {}
    exact = _exact_renames(record.deleted, added)
    for name, origin in exact.items():
        moves[name] = Move(origin, frozenset(wanted[name]))
    if not texts:
        return moves
    # Git finds out which texts are alike, and the comparer whether a reader sees a difference.
    rest = added.keys() - exact.keys()
    likely = _likely_renames(root, record, rest, texts)
    changes: dict[bytes, Change] = {}
    for name, origin in likely.items():
        old = record.deleted[origin]
        changes[name] = replace(added[name], old=old, status=b"M", origin=origin)
    same = texts.unchanged(changes, wanted)
    for name, origin in likely.items():
        targets = same.intersection(wanted[name])
        if targets:
            moves[name] = Move(origin, frozenset(targets))
    return moves


def find_copies(
    repository: Repository, record: Record, added: Mapping[bytes, Change]
) -> dict[bytes, bytes]:
    """Return what the files of a new version were copied from, as when documentation is cut.

    That has the same content, and below some other folder the same path. Raises GitError if git
    fails.
    """
    copies: dict[bytes, list[tuple[bytes, bytes]]] = defaultdict(list)
    for name, change in added.items():
        if version := _VERSION.search(name):
            path = name[version.end() :]
            copies[change.new].append((name, b"/" + path))
    origins: dict[bytes, bytes] = {}
    if not copies or not record.parents:
        return origins
    for origin, content in repository.files(record.parents[0]):
        for name, path in copies.get(content, ()):
            if (b"/" + origin).endswith(path):
                origins[name] = origin
    return origins


def _exact_renames(
    deleted: Mapping[bytes, bytes], added: Mapping[bytes, Change]
) -> dict[bytes, bytes]:
    """Return the deleted files of the same content, by the names of added ones.

    Of several, that with the same file name is it.
    """
    paths_of: dict[bytes, list[bytes]] = defaultdict(list)
    for path, content in deleted.items():
        paths_of[content].append(path)
    origins: dict[bytes, bytes] = {}
    for name, change in added.items():
        for path in paths_of[change.new]:
            if name not in origins or _file_name(path) == _file_name(name):
                origins[name] = path
    return origins


def _file_name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _likely_renames(
    root: str, record: Record, names: set[bytes], texts: Texts
) -> dict[bytes, bytes]:
    """Return the deleted files that git takes for the old ones of `names`."""
    suffixes = {_suffix_of(name) for name in names} - {""}
    if not suffixes.isdisjoint(_MARKUP):
        suffixes.update(_MARKUP)
    candidates = [path for path in record.paths if _suffix_of(path) in suffixes]
    origins: dict[bytes, bytes] = {}
    if record.deleted.keys().isdisjoint(candidates):
        return origins
    if not texts.budget.take("renamed", len(candidates)):
        return origins
    patterns = [f":(icase)*{suffix}" for suffix in sorted(suffixes)]
    commits = [record.parents[0].decode(), record.commit.decode()]
    rows = run_git(root, *_FIND, *_HOW, *commits, "--", *patterns).split(b"\0")
    for old, new in zip(rows[1::3], rows[2::3], strict=False):  # the last row is empty
        if new in names and old in record.deleted:
            origins[new] = old
    for name in names:  # a text that was converted is less alike, but mostly where it was
        origin = name.rpartition(b".")[0] + b".rst"
        if origin in record.deleted:
            origins[name] = origin
    return origins


def _suffix_of(path: bytes) -> str:
    """Return the suffix of a file; none if it has a sign that means more in a pattern of git's."""
    suffix = os.path.splitext(os.fsdecode(path))[1].lower()  # noqa: PTH122 - text
    letters = suffix[1:]
    return suffix if letters.isascii() and letters.isalnum() else ""
