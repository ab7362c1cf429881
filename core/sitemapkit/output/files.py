"""Files that are replaced whole or not at all, and only if their bytes change.

All new files of a run lie complete beside their targets before the first is put in its place, so
that a disk that is full or a process that is killed leaves the files of the last run whole. What
a killed process leaves behind is a temporary file, which the next run removes. Files are not
flushed to the disk one by one: a loss of power may cost a file its last run, which another mends.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.errors import OutputError
from sitemapkit.output.draft import Draft
from sitemapkit.output.mishaps import explained

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from pathlib import Path

    from sitemapkit.report import Report

if sys.platform != "win32":
    import fcntl

_TEMPORARY = ".sitemapkit-tmp"


class Document(Struct, frozen=True):
    """A file to be: where, and its bytes in chunks; compressed if its name ends in .gz."""

    path: Path
    chunks: Sequence[bytes]

    replaces_link: bool = False
    """Whether a link that leads out of the output may give way to it."""


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
        self._drafts: list[Draft] = []
        self._finished: list[Draft] = []

    def stage(self, document: Document) -> None:
        """Write a document beside its target, unless the target holds those bytes already."""
        draft = self.draft(document.path, replaces_link=document.replaces_link)
        for chunk in document.chunks:
            draft.write(chunk)
        self.finish(draft)

    def draft(self, target: Path, *, replaces_link: bool = False) -> Draft:
        """Return a file to write to, beside its target; `finish` it when all is written."""
        with explained(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            self._check(target, replaces_link=replaces_link)
            self._sweep(target.parent)
        draft = Draft(target, target.with_name(f".{os.urandom(8).hex()}{_TEMPORARY}"))
        self._drafts.append(draft)
        return draft

    def finish(self, draft: Draft) -> None:
        """Have a draft put in place by the next `commit`, if it differs from its target."""
        draft.finish()
        if draft.differs:
            self._finished.append(draft)
        else:
            self.unchanged.append(draft.target)

    def commit(self, obsolete: Iterable[Path] = ()) -> None:
        """Put the new files in place, in the order of `finish`, then remove `obsolete` ones."""
        for draft in self._finished:
            with explained(draft.target):
                draft.temporary.replace(draft.target)
            self.written.append(draft.target)
        for path in obsolete:
            with explained(path):
                path.unlink()
            self.removed.append(path)

    def discard(self) -> None:
        """Remove temporary files that were not put in place."""
        for draft in self._drafts:
            draft.discard()

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
    with explained(root):
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
    with explained(directory):
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


def write_file(path: Path, data: bytes, report: Report) -> None:
    """Write one file that is no part of a sitemap, just as safely; a link to it stays a link.

    Raises OutputError if it cannot be written.
    """
    path = path.resolve() if path.is_symlink() else path
    with publication(path.parent) as new:
        new.stage(Document(path, [data]))
        new.commit()
    report.written += new.written
    report.unchanged += new.unchanged
