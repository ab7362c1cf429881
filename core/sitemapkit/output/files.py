"""Files that are replaced whole or not at all, and only if their bytes change.

All new files of a run lie complete beside their targets before the first is put in its place, so
that a disk that is full or a process that is killed leaves the files of the last run whole. What
a killed process leaves behind is a temporary file, which the next run removes. Files are not
flushed to the disk one by one: a loss of power may cost a file its last run, which another mends.
"""

from __future__ import annotations

import errno
import gzip
import os
import sys
import zlib
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemapkit.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from sitemapkit.report import Report

if sys.platform != "win32":
    import fcntl

_TEMPORARY = ".sitemapkit-tmp"
_BUFFER = 1 << 20
_GZIP_LEVEL = 6  # 9 makes files smaller by 1 to 5 % in more than twice the time

_NO_ROOM = "Free some room on that disk and build again."
_NO_RIGHT = "Make its folder writable for the user who builds."
_ADVICE = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.EROFS: _NO_RIGHT,
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.ENAMETOOLONG: "Choose a shorter `filename`.",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A file to be: where, and its bytes in chunks; compressed if its name ends in .gz."""

    path: Path
    chunks: Sequence[bytes]

    replaces_link: bool = False
    """Whether a link that leads out of the output may give way to it."""

    def is_written(self) -> bool:
        """Tell whether the file holds these bytes already."""
        if self.path.suffix != ".gz":
            return self._is_plain_file_written()
        try:
            with gzip.open(self.path) as file:
                return self._agrees(file)
        except (FileNotFoundError, gzip.BadGzipFile, EOFError, zlib.error):
            return False

    def write_to(self, file: BinaryIO) -> None:
        """Write the bytes; a .gz gets neither a name nor a time: same input, same bytes."""
        if self.path.suffix != ".gz":
            file.writelines(self.chunks)
            return
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, file, mtime=0) as packed:
            packed.writelines(self.chunks)

    def _is_plain_file_written(self) -> bool:
        try:
            with self.path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                return size == sum(map(len, self.chunks)) and self._agrees(file)
        except FileNotFoundError:
            return False

    def _agrees(self, file: BinaryIO | gzip.GzipFile) -> bool:
        return all(file.read(len(c)) == c for c in self.chunks) and not file.read(1)


class Publication:
    """New files beside their targets, until `commit` puts them all in place."""

    def __init__(self, root: Path, *, alone: bool) -> None:
        """Write below `root`; `alone` says that no other process does so now."""
        self.written: list[Path] = []
        self.unchanged: list[Path] = []
        self.removed: list[Path] = []
        self._root = root
        self._alone = alone
        self._swept: set[Path] = set()
        self._staged: list[tuple[Path, Path]] = []

    def stage(self, document: Document) -> None:
        """Write a document beside its target, unless the target holds those bytes already.

        Raises OutputError if it cannot be written.
        """
        target = document.path
        with _explained(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            self._check(document)
            self._sweep(target.parent)
            if document.is_written():
                self.unchanged.append(target)
                return
            temporary = target.with_name(f".{os.urandom(8).hex()}{_TEMPORARY}")
            self._staged.append((temporary, target))
            with temporary.open("xb", _BUFFER) as file:
                document.write_to(file)

    def commit(self, obsolete: Iterable[Path] = ()) -> None:
        """Put the documents in place in the order they were staged, then remove `obsolete` files.

        Raises OutputError if one cannot be replaced or removed.
        """
        for temporary, target in self._staged:
            with _explained(target):
                temporary.replace(target)
            self.written.append(target)
        for path in obsolete:
            with _explained(path):
                path.unlink()
            self.removed.append(path)

    def discard(self) -> None:
        """Remove temporary files that were not put in place."""
        for temporary, _ in self._staged:
            with suppress(OSError):  # it would hide the error that brought us here
                temporary.unlink(missing_ok=True)

    def _check(self, document: Document) -> None:
        target = document.path
        place = target.parent if document.replaces_link else target
        if not place.resolve().is_relative_to(self._root.resolve()):
            raise OutputError(
                f"{target} leads out of {self._root} by a symbolic link; remove the link"
            )
        if target.exists() and not target.is_file():
            raise OutputError(
                f"{target} is a directory or device; remove it or choose another `filename`"
            )

    def _sweep(self, directory: Path) -> None:
        """Remove what killed processes left behind."""
        if self._alone and directory not in self._swept:
            self._swept.add(directory)
            for leftover in directory.glob(f".*{_TEMPORARY}"):
                leftover.unlink(missing_ok=True)


@contextmanager
def publication(root: Path, *, shared: bool = False) -> Generator[Publication]:
    """Open a publication below `root`; others wait until it is closed, unless all are `shared`."""
    with _explained(root):
        root.mkdir(parents=True, exist_ok=True)
    with _lock(root, shared=shared) as alone:
        new = Publication(root, alone=alone)
        try:
            yield new
        finally:
            new.discard()


@contextmanager
def _lock(directory: Path, *, shared: bool) -> Generator[bool]:
    """Yield whether no other process writes to the directory until the end of this block."""
    if sys.platform == "win32":  # where files are replaced whole all the same
        yield False
        return
    with _explained(directory):
        handle = os.open(directory, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
            alone = not shared
        except OSError:  # a network file system without locks, as on Windows
            alone = False
        yield alone
    finally:
        os.close(handle)


@contextmanager
def _explained(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "Mend that and build again.")
        raise OutputError(f"cannot write {path}: {error.strerror or error}. {advice}") from error


def write_file(path: Path, data: bytes, report: Report) -> None:
    """Write one file that is no part of a sitemap, just as safely.

    Raises OutputError if it cannot be written.
    """
    with publication(path.parent) as new:
        new.stage(Document(path, [data], replaces_link=True))
        new.commit()
    report.written += new.written
    report.unchanged += new.unchanged
