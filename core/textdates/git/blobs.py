"""Old texts of files, read from git, and which of them a commit left as they were for readers."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from hashlib import sha1, sha256
from subprocess import PIPE
from typing import IO, TYPE_CHECKING

from textdates.bounds import is_file, is_link, open_file
from textdates.budget import MAX_TEXT
from textdates.git.command import GitProcess, start_git, wait_for
from textdates.git.history import Target, in_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from textdates.budget import Budget
    from textdates.compare.same import Comparer
    from textdates.git.history import Change

_REGULAR = b"100"
"""Prefix of the modes of regular files."""

MAX_HASHED = 256 * 1024 * 1024
"""Bytes of a file in the work tree that is read to the end; a larger one counts as changed."""

_PIECE = 64 * 1024
_SHA1_LENGTH = 40
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_BATCH = 32
"""Texts requested before the answers are read. The requests of a batch fit into a pipe of 4 KiB,
which is its size on Windows and where the user's limit of pipe memory is reached. Larger ones could
deadlock: git would wait for us to read an answer, and we for git to read a request."""


class Texts:
    """Texts of the files of a repository."""

    def __init__(self, root: str, ids: Mapping[bytes, bytes], comparer: Comparer) -> None:
        """`ids` are those of the files in the checked-out commit."""
        self._root = root
        self._ids = ids
        self._comparer = comparer
        self.budget: Budget = comparer.budget

    def edited(self, targets: Collection[Target]) -> set[Target]:
        """Return the targets whose text in the work tree is not that of the checked-out commit.

        Line endings may differ, and a large file may have been fetched in place of its pointer
        (LFS). Raises GitError if git fails.
        """
        names = {target.name for target in targets}
        texts = dict(self._changed_files(names))
        committed: dict[bytes, bytes | None] = {}
        for name in texts:
            object_id = self._ids[name]
            committed[name] = next(self.read([object_id]))
        edited: set[Target] = set()
        for target in in_order(each for each in targets if each.name in texts):
            name = target.name
            if not self._is_same(committed[name], texts[name], target):
                edited.add(target)
        return edited

    def unchanged(
        self, changes: Mapping[bytes, Change], wanted: Mapping[bytes, Collection[Target]]
    ) -> set[Target]:
        """Return the targets, by the names of their files, that have the same text after a commit.

        Raises GitError if git fails.
        """
        names: list[bytes] = []
        ids: list[bytes] = []
        for name in sorted(changes):
            change = changes[name]
            if change.status == b"M" and change.mode.startswith(_REGULAR):
                names.append(name)
                ids += (change.old, change.new)
        texts = self.read(ids)
        unchanged: set[Target] = set()
        for name, old, new in zip(names, texts, texts, strict=True):
            if old is None or new is None:
                continue
            for target in in_order(wanted[name]):
                origin = changes[name].origin
                if self._comparer.is_same(old, new, name, target.cut, origin):
                    unchanged.add(target)
        return unchanged

    def read(self, ids: Sequence[bytes]) -> Iterator[bytes | None]:
        """Yield the texts; None for one that git lacks, or that is too large to compare.

        Raises GitError if git fails.
        """
        for start in range(0, len(ids), _BATCH):
            answers = self._ask(ids[start : start + _BATCH])
            yield from list(answers)  # all are read, whoever wants no more of them

    def _changed_files(self, names: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the files in the work tree that have other object ids, with their texts.

        Of a text that is too large to compare, only a part is kept.
        """
        folder = os.fsencode(f"{self._root}/")
        for name in names:
            path = folder + name
            if is_link(path) or not is_file(path):
                continue
            algorithm = sha1 if len(self._ids[name]) == _SHA1_LENGTH else sha256
            with os.fdopen(open_file(path), "rb", buffering=0) as file:
                size = os.fstat(file.fileno()).st_size
                text = file.read(MAX_TEXT + 1)
                digest = algorithm(b"blob %d\0" % size + text)
                while size <= MAX_HASHED and (piece := file.read(_PIECE)):
                    digest.update(piece)
            object_id = digest.hexdigest().encode()
            if object_id != self._ids[name]:
                yield name, text

    def _ask(self, ids: Sequence[bytes]) -> Iterator[bytes | None]:
        answers = self._git.process.stdout
        requests = self._git.process.stdin
        if not answers or not requests:
            return
        with suppress(BrokenPipeError):  # then there is no answer either, which raises below
            asked = b"".join(each + b"\n" for each in ids)
            os.write(requests.fileno(), asked)
            wait_for(answers)
        for _ in ids:
            header = answers.readline().strip()
            size = header.rpartition(b" ")[2]
            if size.isdigit():
                yield self._text(answers, int(size))
            elif size == b"missing":
                yield None
            else:
                raise self._git.error()

    def _text(self, answers: IO[bytes], size: int) -> bytes | None:
        if size <= MAX_TEXT:
            return answers.read(size + 1)[:-1]
        is_text = True
        for left in range(size + 1, 0, -_PIECE):
            piece = answers.read(min(left, _PIECE))
            if b"\0" in piece:
                is_text = False
        if is_text:
            self.budget.take("read", size)
        return None

    def _is_same(self, committed: bytes | None, text: bytes, target: Target) -> bool:
        if committed is None:
            return False
        if committed.startswith(_LFS_POINTER):
            return True
        return self._comparer.is_same(committed, text, target.name, target.cut)

    @cached_property
    def _git(self) -> GitProcess:
        return start_git(self._root, "cat-file", "--batch", stdin=PIPE)
