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
        raise NoFileError(
            None, f"a symbolic link leads out of {os.fsdecode(inside)}", os.fsdecode(file)
        )
    descriptor = open_file(file)
    try:
        size = os.fstat(descriptor).st_size
        if size > limit and not cut:
            raise OSError(EFBIG, f"it has more than {limit:,} bytes", os.fsdecode(file))
        size = min(size, limit)
        data = os.read(descriptor, size)
        while len(data) < size and (more := os.read(descriptor, size - len(data))):
            data += more
    finally:
        os.close(descriptor)
    return data


def is_inside(path: _FilePath, folder: _FilePath) -> bool:
    """Return whether a path leads into a folder, or is it, wherever links in both lead."""
    real, root = (os.path.realpath(os.fsdecode(each)) for each in (path, folder))
    return real == root or real.startswith(os.path.join(root, ""))  # noqa: PTH118 - both are text


def root_of(folder: _FilePath, otherwise: _FilePath = "") -> str:
    """Return the root of the repository that a folder is in, or another folder, without links."""
    here = os.path.realpath(os.fsdecode(folder))
    while not os.path.lexists(os.path.join(here, ".git")):  # noqa: PTH118 - text
        above = os.path.dirname(here)  # noqa: PTH120 - text
        if above == here:
            return os.path.realpath(os.fsdecode(otherwise or folder))
        here = above
    return here
