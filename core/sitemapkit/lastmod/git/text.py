"""Old texts of files, read from git, and which of them a commit left as they were for readers."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha1, sha256
from subprocess import PIPE
from typing import IO, TYPE_CHECKING

from sitemapkit.lastmod.git.command import GitProcess, start_git
from sitemapkit.lastmod.git.history import Target
from sitemapkit.lastmod.text_changes import MAX_TEXT, is_same_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemapkit.lastmod.git.history import Change

_REGULAR_FILE = b"100"
"""Prefix of the modes of regular files."""

_PIECE = 64 * 1024
_SHA1_LENGTH = 40
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_BATCH = 31
"""Files requested before the answers are read. The requests of a batch, two SHA-256 ids per file,
fit into a pipe of 4 KiB, which is its size on Windows and where the user's limit of pipe memory is
reached. Larger ones could deadlock: git would wait for us to read an answer, and we for git to read
a request."""


def start_reader(root: str) -> GitProcess:
    """Start the process that reads all old texts; raise GitMissingError if git cannot be run."""
    return start_git(root, "cat-file", "--batch", stdin=PIPE)


def unchanged(
    reader: GitProcess, changes: Mapping[bytes, Change], wanted: Mapping[bytes, Sequence[Target]]
) -> set[Target]:
    """Return the targets, by the names of their files, that have the same text after a commit.

    Raises GitError if git fails.
    """
    names = [n for n, c in changes.items() if c.status == b"M" and c.mode.startswith(_REGULAR_FILE)]
    found = set[Target]()
    for start in range(0, len(names), _BATCH):
        batch = names[start : start + _BATCH]
        texts = _read(reader, [i for name in batch for i in (changes[name].old, changes[name].new)])
        for name, old, new in zip(batch, texts, texts, strict=True):
            if old is not None and new is not None:
                found |= {t for t in wanted[name] if is_same_text(old, new, name, t.cut)}
    return found


def _read(reader: GitProcess, ids: Sequence[bytes]) -> Iterator[bytes | None]:
    """Yield the texts; None for one that the repository lacks, or that is too large to compare."""
    answers, requests = reader.process.stdout, reader.process.stdin
    if not (answers and requests):
        return
    with suppress(BrokenPipeError):  # then there is no answer either, which raises below
        os.write(requests.fileno(), b"".join(i + b"\n" for i in ids))
    for _ in ids:
        _, _, size = answers.readline().strip().rpartition(b" ")
        if size.isdigit():
            yield _text(answers, int(size))
        elif size == b"missing":
            yield None
        else:
            raise reader.error()


def _text(answers: IO[bytes], size: int) -> bytes | None:
    if size <= MAX_TEXT:
        return answers.read(size + 1)[:-1]
    for left in range(size + 1, 0, -_PIECE):
        answers.read(min(left, _PIECE))
    return None


def changed_files(root: str, ids: Mapping[bytes, bytes]) -> Mapping[bytes, bytes]:
    """Return the bytes of those files of a work tree that do not have these object ids."""
    changed: dict[bytes, bytes] = {}
    folder = os.fsencode(root)
    for name, object_id in ids.items():
        path = os.path.join(folder, name)  # noqa: PTH118 - names are bytes
        if os.path.islink(path) or not os.path.isfile(path):  # noqa: PTH113, PTH114
            continue
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        algorithm = sha1 if len(object_id) == _SHA1_LENGTH else sha256
        if algorithm(b"blob %d\0" % len(data) + data).hexdigest().encode() != object_id:
            changed[name] = data
    return changed


def edited(
    reader: GitProcess,
    texts: Mapping[bytes, bytes],
    ids: Mapping[bytes, bytes],
    targets: Iterable[Target],
) -> set[Target]:
    """Return the targets whose text differs from the one with the object id of the same name.

    Line endings may differ, and a large file may have been fetched in place of its pointer (LFS).
    """
    committed = {name: next(_read(reader, [ids[name]])) for name in texts}
    return {
        target
        for target in targets
        if target.name in texts and not _is_same(committed[target.name], texts[target.name], target)
    }


def _is_same(committed: bytes | None, text: bytes, target: Target) -> bool:
    if committed is None:
        return False
    is_pointer = committed.startswith(_LFS_POINTER)
    return is_pointer or is_same_text(committed, text, target.name, target.cut)
