"""Files that are replaced whole or not at all, and only if their bytes changed."""

from __future__ import annotations

import gzip
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.report import Report

try:
    import fcntl
except ImportError:  # Windows has no flock
    fcntl = None  # type: ignore[assignment]

_TEMPORARY = ".sitemapkit-tmp"


@dataclass(frozen=True, slots=True)
class Document:
    """A file to be: where, and the bytes it should hold, before compression if it is a .gz."""

    path: Path
    data: bytes

    def is_written(self) -> bool:
        """Tell whether the file holds these bytes already."""
        try:
            return self._content() == self.data
        except (FileNotFoundError, gzip.BadGzipFile, EOFError):
            return False

    def _content(self) -> bytes:
        held = self.path.read_bytes()
        return gzip.decompress(held) if self.path.suffix == ".gz" else held

    def encoded(self) -> bytes:
        """Return the bytes of the file; a .gz holds neither a name nor a time (same in, same out)."""
        if self.path.suffix != ".gz":
            return self.data
        target = BytesIO()
        with gzip.GzipFile(
            filename="", mode="wb", fileobj=target, mtime=0, compresslevel=6
        ) as packed:
            packed.write(self.data)
        return target.getvalue()


def publish(
    documents: Sequence[Document], obsolete: Iterable[Path], output_dir: Path, report: Report
) -> None:
    """Replace the files of `documents`, in that order, then remove `obsolete` ones.

    All new files lie complete beside their targets before the first one is replaced. Raises
    OutputError if one cannot be written; nothing is replaced then.
    """
    staged: list[tuple[Path, Path]] = []
    with _locked(output_dir):
        try:
            for document in documents:
                if document.is_written():
                    report.unchanged.append(document.path)
                else:
                    _stage(document, staged)
            for temporary, target in staged:
                os.replace(temporary, target)
                report.written.append(target)
            for path in obsolete:
                path.unlink(missing_ok=True)
                report.removed.append(path)
        except OSError as error:
            raise OutputError(
                f"cannot write {error.filename2 or error.filename}: {error.strerror}"
            ) from error
        finally:
            for temporary, _ in staged:
                temporary.unlink(missing_ok=True)


def _stage(document: Document, staged: list[tuple[Path, Path]]) -> None:
    target = document.path
    if target.is_dir():
        raise OutputError(f"{target} is a directory; remove it or choose another `filename`")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.urandom(6).hex()}{_TEMPORARY}")
    staged.append((temporary, target))
    with open(temporary, "xb") as file:
        file.write(document.encoded())


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Keep two builds of one site from mixing their files."""
    directory.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
