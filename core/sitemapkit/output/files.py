"""Atomic files: replaced as a whole or not at all, and only if their bytes change.

All new files of a run are complete, in the folders of their targets, before the first replaces its
target, so that a full disk or a killed process leaves the files of the last run intact. A killed
process leaves temporary files, which the next run removes. Files are not synced to the disk one by
one: after a power failure a file may be incomplete, and the next run writes it again.

Only files that their content shows to be ours are replaced, and none is written through a link; a
file that is replaced keeps its mode and owner.
"""

from __future__ import annotations

import errno
import gzip
import logging
import os
import re
import sys
import time
import zlib
from contextlib import contextmanager, suppress
from io import BufferedWriter
from typing import TYPE_CHECKING, BinaryIO, cast

from sitemapkit.errors import OutputError
from sitemapkit.layout import beginning
from sitemapkit.model import OutputFile
from sitemapkit.report import Report
from textdates.bounds import is_file, is_folder, is_inside, is_link, is_there, read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from io import RawIOBase
    from pathlib import Path

if sys.platform != "win32":
    import fcntl

_TEMPORARY = ".sitemapkit-tmp"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_READABLE_BY_ALL = 0o004
_BUFFER = 1 << 18
_GZIP_LEVEL = 6  # 9 saves 1 to 5 % in more than twice the time

LONGEST_WAIT = 600.0
"""Seconds after which a build no longer waits for another one that writes to the same folder."""

_WARN_AFTER, _RETRY_EVERY = 3.0, 0.05
_log = logging.getLogger(__name__)

_NO_SPACE = "Free space on that disk and build again."
_NO_PERMISSION = "Give the user who builds permission to read it and to write to its folder."
_FIXES = {
    errno.ENOSPC: _NO_SPACE,
    errno.EDQUOT: _NO_SPACE,
    errno.EROFS: _NO_PERMISSION,
    errno.EACCES: _NO_PERMISSION,
    errno.EPERM: _NO_PERMISSION,
    errno.ENAMETOOLONG: "Choose a shorter `filename`.",
}


class Publication:
    """New files, kept in the folders of their targets until `commit` replaces all targets.

    Its methods raise OutputError if a file cannot be read, written, replaced or removed.
    """

    def __init__(self, root: Path, report: Report, *, alone: bool) -> None:
        """Write below `root`; `alone` means that no other process writes there now."""
        self._root = root
        self._report = report
        self._alone = alone
        self._swept: set[Path] = set()
        self._temporary: list[Path] = []
        self._staged: list[tuple[Path, Path]] = []
        """New files, each with its target."""

    def stage(self, new: OutputFile) -> None:
        """Write a new file, which replaces its target at the next `commit` if it differs."""
        if temporary := self._written(new):
            self._staged.append((temporary, new.path))
        else:
            self._report.unchanged.append(new.path)

    def _written(self, new: OutputFile) -> Path | None:
        """Write a new file beside its target; None if that has the same content."""
        target = new.path
        with reraise_os_errors(target):
            if objection := self._objection(new):
                raise OutputError(f"{target} {objection}")
            target.parent.mkdir(parents=True, exist_ok=True)
            self._sweep(target.parent)
        chunks = [*new.chunks]  # to be compared first, then written
        with reraise_os_errors(target):
            if is_file(target) and _holds(target, chunks):
                return None
            temporary = target.with_name(f".{os.urandom(8).hex()}{_TEMPORARY}")
            self._temporary.append(temporary)
            _write(temporary, chunks, target)
        return temporary

    def commit(self, obsolete: Iterable[Path] = ()) -> None:
        """Replace the targets, in the order of `stage`, then remove `obsolete` files."""
        for temporary, target in self._staged:
            _replace(target, temporary)
            self._report.written.append(target)
        for path in obsolete:
            with reraise_os_errors(path):
                path.unlink()
            self._report.removed.append(path)

    def discard(self) -> None:
        """Remove the temporary files that have not replaced their targets."""
        for file in self._temporary:
            with suppress(OSError):  # it would hide the original error
                file.unlink(missing_ok=True)

    def _objection(self, new: OutputFile) -> str:
        """Return why the target must stay as it is and what to do, or ""."""
        target = new.path
        inside = target.parent if new.replaces_link else target
        if not is_inside(inside, self._root):
            return f"is outside {self._root} because of a symbolic link; remove the link"
        if not is_there(target):
            return ""
        if not is_file(target):
            what = "folder; rename it" if is_folder(target) else "pipe or device; remove it"
            return f"is a {what}, or choose another name for the file"
        leads_on = is_link(target)  # only the link is replaced, not its target
        if leads_on and new.replaces_link and not target.stat().st_mode & _READABLE_BY_ALL:
            return "is a link to a private file; remove the link, or let everybody read the file"
        if leads_on or not (text := beginning(target)) or re.search(new.known, text):
            return ""
        other = (
            "leave llms out of the formats" if target.name == "llms.txt" else "choose another name"
        )
        return f"is not a file that sitemapkit wrote; move it, or {other}"

    def _sweep(self, directory: Path) -> None:
        """Remove the temporary files of killed processes."""
        if self._alone and directory not in self._swept:
            self._swept.add(directory)
            for name in os.listdir(directory):  # noqa: PTH208 - there may be very many
                if name.startswith(".") and name.endswith(_TEMPORARY):
                    (directory / name).unlink(missing_ok=True)


@contextmanager
def publication(root: Path, report: Report, *, shared: bool = False) -> Generator[Publication]:
    """Write files below `root`; other processes wait for the end, unless all are `shared`.

    `report` gets the files that were written, unchanged and removed.
    """
    with reraise_os_errors(root):
        root.mkdir(parents=True, exist_ok=True)
    with _lock(root, shared=shared) as alone:
        new = Publication(root, report, alone=alone)
        try:
            yield new
        finally:
            new.discard()


@contextmanager
def _lock(directory: Path, *, shared: bool) -> Generator[bool]:
    """Lock the directory; yield whether no other process writes to it meanwhile."""
    if sys.platform == "win32":  # without locks, files are still replaced atomically
        yield False
        return
    with reraise_os_errors(directory):
        handle = os.open(directory, os.O_RDONLY)
    try:
        is_locked = _wait_for_lock(handle, directory, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield is_locked and not shared
    finally:
        os.close(handle)


def _wait_for_lock(handle: int, directory: Path, kind: int) -> bool:
    """Return whether the directory is locked: there are network file systems without locks."""
    start, has_warned = time.monotonic(), False
    while True:
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - start
        except OSError:
            return False
        else:
            return True
        if waited > LONGEST_WAIT:
            raise OutputError(
                f"another process has had a lock on {directory} for {LONGEST_WAIT:,.0f} seconds;"
                " wait until that build ends, or end it"
            )
        if waited > _WARN_AFTER and not has_warned:
            has_warned = True
            _log.warning("Waiting for another build, which has a lock on %s.", directory)
        time.sleep(_RETRY_EVERY)


def _holds(file: Path, chunks: Iterable[bytes]) -> bool:
    """Return whether a file has just this content, compressed or not."""
    with gzip.open(file) if _is_compressed(file) else file.open("rb") as old:
        try:
            return all(old.read(len(each)) == each for each in chunks) and not old.read(1)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            return False


def _write(file: Path, chunks: Iterable[bytes], target: Path) -> None:
    """Write a file in place of `target`; one that is compressed has no name and time in it.

    So the same content gives the same bytes.
    """
    with _create(file, target) as new:
        if _is_compressed(target):
            compressed = cast("RawIOBase", gzip.GzipFile("", "wb", _GZIP_LEVEL, new, mtime=0))
            # Each write to it takes long, and a chunk may be a line.
            with BufferedWriter(compressed, _BUFFER) as lines:  # which closes both
                lines.writelines(chunks)
        else:
            new.writelines(chunks)


def _create(file: Path, target: Path) -> BinaryIO:
    """Create a file; before it holds anything, it has the mode and owner of `target`."""
    old = target.stat() if is_file(target) else None
    new = os.fdopen(os.open(file, _NEW, 0o600 if old else 0o666), "wb")
    if old and sys.platform != "win32":
        mode = old.st_mode & 0o777
        try:
            os.fchown(new.fileno(), -1, old.st_gid)
        except OSError:  # we are not in that group; ours gets what everybody has
            mode = mode & 0o707 | (mode & 0o007) << 3
        with suppress(OSError):  # only root may give files away
            os.fchown(new.fileno(), old.st_uid, -1)
        os.fchmod(new.fileno(), mode)
    return new


def _is_compressed(file: Path) -> bool:
    return file.suffix == ".gz"


def _replace(target: Path, temporary: Path) -> None:
    with reraise_os_errors(target):
        temporary.replace(target)


@contextmanager
def reraise_os_errors(path: Path) -> Generator[None]:
    """Raise OutputError, which says how to fix it, for an OSError while reading or writing."""
    try:
        yield
    except OSError as error:
        fix = _FIXES.get(error.errno or 0, "Fix that and build again.")
        raise OutputError(f"cannot write {path}: {error.strerror or error}. {fix}") from error


def write_file(file: OutputFile, report: Report) -> None:
    """Write a file that is not part of a sitemap, as safely as those that are.

    Raises OutputError if it cannot be written.
    """
    if is_link(file.path):
        raise OutputError(f"{file.path} is a symbolic link; name the file itself")
    with publication(file.path.parent, report) as new:
        new.stage(file)
        new.commit()


def update_text(path: Path, change: Callable[[str], str]) -> None:
    """Change a text that builds keep for later ones, such as a list of names; "" if it is new.

    It is read and written under one lock and replaced as a whole, so builds at the same time add to
    each other, and a killed one leaves it as it was. What is not UTF-8 in it is replaced. Raises
    OutputError if it cannot be written, OSError if it cannot be read.
    """

    def changed() -> Iterator[bytes]:
        before = read_file(path, LONGEST_TEXT) if is_file(path) else b""
        yield change(before.decode("utf-8", "replace")).encode()

    write_file(OutputFile(path, changed(), known=""), Report())


LONGEST_TEXT = 64 * 1024 * 1024
"""Bytes of a text that builds keep: names of a million pages."""
