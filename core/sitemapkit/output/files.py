"""Files that are replaced whole or not at all, and only if their bytes change.

All new files of a run lie complete beside their targets before the first is put in its place, so
that a disk that is full or a process that is killed leaves the files of the last run whole. What
a killed process leaves behind is a temporary file, which the next run removes. Files are not
flushed to the disk one by one: after a loss of power one may lack what the last run wrote, and the
next run writes it again.
"""

from __future__ import annotations

import errno
import gzip
import os
import sys
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from sitemapkit.errors import OutputError
from sitemapkit.model import OutputFile

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from sitemapkit.report import Report

    File = BinaryIO | gzip.GzipFile

if sys.platform != "win32":
    import fcntl

_TEMPORARY = ".sitemapkit-tmp"
_PIECE = 1 << 16
_BUFFER = 1 << 20
_GZIP_LEVEL = 6  # 9 makes files smaller by 1 to 5 % in more than twice the time

_NO_ROOM = "Free some room on that disk and build again."
_NO_RIGHT = "Let the user who builds read it and write to its folder."
_ADVICE = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.EROFS: _NO_RIGHT,
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.ENAMETOOLONG: "Choose a shorter `filename`.",
}


class Publication:
    """New files beside their targets, until `commit` puts them all in place.

    Its methods raise OutputError if a file cannot be read, written, replaced or removed.
    """

    def __init__(self, root: Path, *, alone: bool) -> None:
        """Write below `root`; `alone` says that no other process does so now."""
        self.written: list[Path] = []
        self.unchanged: list[Path] = []
        self.removed: list[Path] = []
        self._root = root
        self._alone = alone
        self._swept: set[Path] = set()
        self._opened: list[AtomicFile] = []
        self._finished: list[AtomicFile] = []

    def stage(self, new: OutputFile) -> None:
        """Write a file beside its target, unless the target holds those bytes already."""
        file = self.open(new.path, replaces_link=new.replaces_link)
        for chunk in new.chunks:
            file.write(chunk)
        self.finish(file)

    def open(self, target: Path, *, replaces_link: bool = False) -> AtomicFile:
        """Return a file to write to, beside its target; `finish` it when all is written."""
        with reraise_os_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            self._check(target, replaces_link=replaces_link)
            self._sweep(target.parent)
        file = AtomicFile(target, target.with_name(f".{os.urandom(8).hex()}{_TEMPORARY}"))
        self._opened.append(file)
        return file

    def finish(self, file: AtomicFile) -> None:
        """Have a file put in place by the next `commit`, if it differs from its target."""
        file.finish()
        if file.differs:
            self._finished.append(file)
        else:
            self.unchanged.append(file.target)

    def commit(self, obsolete: Iterable[Path] = ()) -> None:
        """Put the new files in place, in the order of `finish`, then remove `obsolete` ones."""
        for file in self._finished:
            with reraise_os_errors(file.target):
                file.temporary.replace(file.target)
            self.written.append(file.target)
        for path in obsolete:
            with reraise_os_errors(path):
                path.unlink()
            self.removed.append(path)

    def discard(self) -> None:
        """Remove temporary files that were not put in place."""
        for file in self._opened:
            file.discard()

    def _check(self, target: Path, *, replaces_link: bool) -> None:
        place = target.parent if replaces_link else target
        if not place.resolve().is_relative_to(self._root.resolve()):
            raise OutputError(
                f"{target} leads out of {self._root} by a symbolic link; remove the link"
            )
        if target.exists() and not target.is_file():
            raise OutputError(
                f"{target} is a directory or device; remove it, or let the file have another name"
            )

    def _sweep(self, directory: Path) -> None:
        """Remove what killed processes left behind."""
        if self._alone and directory not in self._swept:
            self._swept.add(directory)
            for name in os.listdir(directory):  # noqa: PTH208 - there may be very many
                if name.startswith(".") and name.endswith(_TEMPORARY):
                    (directory / name).unlink(missing_ok=True)


@contextmanager
def publication(root: Path, *, shared: bool = False) -> Generator[Publication]:
    """Open a publication below `root`; others wait until it is closed, unless all are `shared`."""
    with reraise_os_errors(root):
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
    with reraise_os_errors(directory):
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


class AtomicFile:
    """What is to become `target`, written to `temporary` from the first byte that differs.

    What is written is compared with the file that is there, piece by piece, and nothing is held: an
    unchanged file costs a reading, a changed one a writing, and both the memory of one piece. A
    file whose name ends in .gz is compared by its content, and written without a name and a time,
    so that the same input gives the same bytes. Methods raise OutputError if a file cannot be read
    or written.
    """

    def __init__(self, target: Path, temporary: Path) -> None:
        """Open the old file, if there is one."""
        self.target = target
        self.temporary = temporary
        self.differs = False
        self._size = 0
        with reraise_os_errors(target):
            self._files: list[File] = [self._open(target)] if target.is_file() else []

    def write(self, data: bytes) -> None:
        """Add some bytes, as they are before compression."""
        if not data:
            return
        with reraise_os_errors(self.target):
            if self.differs or not self._is_next_of_old(data):
                self._begin()
                self._files[-1].write(data)
        self._size += len(data)

    def finish(self) -> None:
        """Close the file; from then on `differs` tells whether `temporary` is to replace it."""
        with reraise_os_errors(self.target):
            if not self.differs and not self._is_next_of_old(b""):
                self._begin()
            self._close()

    def written(self, start: int) -> Iterator[bytes]:
        """Close the file and yield what has been written from the byte `start` on."""
        with reraise_os_errors(self.target):
            self._close()
            yield from self._pieces(self.temporary if self.differs else self.target, start)

    def discard(self) -> None:
        """Close the files and remove the new one."""
        with suppress(OSError):  # it would hide the error that brought us here
            self._close()
        with suppress(OSError):
            self.temporary.unlink(missing_ok=True)

    def _is_next_of_old(self, data: bytes) -> bool:
        """Tell whether the old file goes on with these bytes; b"" asks whether it ends here."""
        if not self._files:
            return False
        try:
            return self._files[0].read(len(data) or 1) == data
        except (gzip.BadGzipFile, EOFError, zlib.error):
            return False

    def _begin(self) -> None:
        """Make the new file, unless it is made, with all that was the same up to now."""
        if self.differs:
            return
        self.differs = True
        new = self.temporary.open("xb", _BUFFER)
        self._files.append(new)
        if self._is_packed:
            self._files.append(gzip.GzipFile("", "wb", _GZIP_LEVEL, new, mtime=0))
        for piece in self._pieces(self.target, 0):
            self._files[-1].write(piece)

    def _pieces(self, path: Path, start: int) -> Iterator[bytes]:
        """Yield the content from `start` up to what has been written."""
        left = self._size - start
        if left <= 0:
            return
        with self._open(path) as file:
            file.seek(start)
            while left and (piece := file.read(min(left, _PIECE))):
                left -= len(piece)
                yield piece

    def _open(self, path: Path) -> File:
        return gzip.open(path) if self._is_packed else path.open("rb")

    @property
    def _is_packed(self) -> bool:
        return self.target.suffix == ".gz"

    def _close(self) -> None:
        while self._files:
            self._files.pop().close()  # a gzip file before the one that it is written to


@contextmanager
def reraise_os_errors(path: Path) -> Generator[None]:
    """Raise OutputError, with what to do, where the system refuses to read or write `path`."""
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "Fix that and build again.")
        raise OutputError(f"cannot write {path}: {error.strerror or error}. {advice}") from error


def write_file(path: Path, data: bytes, report: Report) -> None:
    """Write one file that is no part of a sitemap, just as safely; a link to it stays a link.

    Raises OutputError if it cannot be written.
    """
    path = path.resolve() if path.is_symlink() else path
    with publication(path.parent) as new:
        new.stage(OutputFile(path, [data]))
        new.commit()
    report.written += new.written
    report.unchanged += new.unchanged
