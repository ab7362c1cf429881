"""A file in the making, which comes into being at the first byte that differs from the old one.

What is written is compared with the file that is there, piece by piece, and nothing is held: an
unchanged file costs a reading, a changed one a writing, and both the memory of one piece. A file
whose name ends in .gz is compared by its content, and written without a name and a time, so that
the same input gives the same bytes.
"""

from __future__ import annotations

import gzip
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from sitemapkit.output.mishaps import explained

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    File = BinaryIO | gzip.GzipFile

_PIECE = 1 << 16
_BUFFER = 1 << 20
_GZIP_LEVEL = 6  # 9 makes files smaller by 1 to 5 % in more than twice the time


class Draft:
    """What is to become `target`, in `temporary` as soon as it differs.

    Its methods raise OutputError if a file cannot be read or written.
    """

    def __init__(self, target: Path, temporary: Path) -> None:
        """Open the old file, if there is one."""
        self.target = target
        self.temporary = temporary
        self.differs = False
        self._size = 0
        with explained(target):
            self._files: list[File] = [self._open(target)] if target.is_file() else []

    def write(self, data: bytes) -> None:
        """Add some bytes, as they are before compression."""
        if not data:
            return
        with explained(self.target):
            if self.differs or not self._is_next_of_old(data):
                self._begin()
                self._files[-1].write(data)
        self._size += len(data)

    def finish(self) -> None:
        """Close the file; from then on `differs` tells whether `temporary` is to replace it."""
        with explained(self.target):
            if not self.differs and not self._is_next_of_old(b""):
                self._begin()
            self._close()

    def written(self, start: int) -> Iterator[bytes]:
        """Close the file and yield what has been written from the byte `start` on."""
        with explained(self.target):
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
