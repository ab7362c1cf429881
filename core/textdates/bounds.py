"""How files are read: whatever is there, it cannot hang us, fill the memory, or be told to others.

Only regular files are read, and only as many bytes as they say they have and we can use. So neither
a pipe nor a device is waited for, and nothing is read of the files in which a system tells of
itself (/proc), which say that they are empty. A leaf, which sitemapkit uses as well.
"""

from __future__ import annotations

import os
import stat
from errno import EFBIG, EISDIR

__all__ = ["NoFileError", "is_inside", "open_file", "read_file", "root_of"]

_FilePath = str | bytes | os.PathLike[str]

_READ = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)  # on Windows
    | getattr(os, "O_NONBLOCK", 0)  # a pipe opens without somebody who writes to it
    | getattr(os, "O_NOCTTY", 0)
)


class NoFileError(OSError):
    """What is there is a pipe, a device, or out of bounds."""


def open_file(file: _FilePath) -> int:
    """Return the descriptor of a regular file; raise OSError if it is none."""
    descriptor = os.open(file, _READ)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), os.fsdecode(file))
    raise NoFileError(None, "it is a pipe or device, not a file", os.fsdecode(file))


def read_file(file: _FilePath, limit: int, *, cut: bool = False, inside: _FilePath = "") -> bytes:
    """Return the content of a regular file; with `cut`, only its first `limit` bytes.

    Raises OSError if it is longer, cannot be read, is no regular file, or if a symbolic link leads
    out of the folder `inside`.
    """
    if inside and not is_inside(file, inside):
        why = f"a symbolic link leads out of {os.fsdecode(inside)}"
        raise NoFileError(None, why, os.fsdecode(file))
    descriptor = open_file(file)
    try:
        left = os.fstat(descriptor).st_size
        if left > limit:
            if not cut:
                raise OSError(EFBIG, f"it has more than {limit:,} bytes", os.fsdecode(file))
            left = limit
        pieces: list[bytes] = []
        while left > 0 and (piece := os.read(descriptor, left)):
            pieces.append(piece)
            left -= len(piece)
    finally:
        os.close(descriptor)
    return b"".join(pieces)


def is_inside(path: _FilePath, folder: _FilePath) -> bool:
    """Return whether a path leads into a folder, or is it, wherever links in both lead."""
    real = os.path.realpath(os.fsdecode(path))
    root = os.path.realpath(os.fsdecode(folder))
    if real == root:
        return True
    return real.startswith(os.path.join(root, ""))  # noqa: PTH118 - both are text


def root_of(folder: _FilePath, otherwise: _FilePath = "") -> str:
    """Return the root of the repository that a folder is in, or another folder, without links."""
    here = os.path.realpath(os.fsdecode(folder))
    while not os.path.lexists(os.path.join(here, ".git")):  # noqa: PTH118 - text
        above = os.path.dirname(here)  # noqa: PTH120 - text
        if above == here:
            return os.path.realpath(os.fsdecode(otherwise or folder))
        here = above
    return here
