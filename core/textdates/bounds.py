"""How files are read: whatever is there, it cannot hang us, fill the memory, or be told to others.

Names come from pages, settings and texts, so no question here raises for one that no file can have:
too long, with a NUL, not to be encoded, or in a circle of links. The methods of `Path` do raise.

Only regular files are read, and only as many bytes as they say they have and we can use. So neither
a pipe nor a device is waited for, and nothing is read of the files in which a system tells of
itself (/proc), which say that they are empty. A leaf, which sitemapkit uses as well.
"""

from __future__ import annotations

import os
import stat
from errno import EFBIG, EISDIR, ENOENT

__all__ = [
    "NoFileError",
    "is_file",
    "is_folder",
    "is_inside",
    "is_link",
    "is_there",
    "open_file",
    "read_file",
    "real_path",
    "root_of",
]

_FilePath = str | bytes | os.PathLike[str]

_READ = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)  # on Windows
    | getattr(os, "O_NONBLOCK", 0)  # a pipe opens without somebody who writes to it
    | getattr(os, "O_NOCTTY", 0)
)


class NoFileError(OSError):
    """What is there is a pipe, a device, or out of bounds, or no file can have this name."""


def is_file(path: _FilePath) -> bool:
    """Return whether a regular file is there, or at the end of links."""
    return os.path.isfile(path)  # noqa: PTH113 - it never raises


def is_folder(path: _FilePath) -> bool:
    """Return whether a folder is there, or at the end of links."""
    return os.path.isdir(path)  # noqa: PTH112 - likewise


def is_there(path: _FilePath) -> bool:
    """Return whether anything is there, or at the end of links."""
    return os.path.exists(path)  # noqa: PTH110 - likewise


def is_link(path: _FilePath) -> bool:
    """Return whether a symbolic link is there, wherever it leads."""
    return os.path.islink(path)  # noqa: PTH114 - likewise


def real_path(path: _FilePath) -> str:
    """Return where a path leads, wherever links in it lead; an impossible one as it is."""
    text = os.fsdecode(path)
    try:
        return os.path.realpath(text)
    except ValueError:
        return text


def open_file(file: _FilePath) -> int:
    """Return the descriptor of a regular file; raise OSError if it is none."""
    try:
        descriptor = os.open(file, _READ)
    except ValueError as error:
        raise NoFileError(ENOENT, "no file can have this name", os.fsdecode(file)) from error
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
    real, root = real_path(path), real_path(folder)
    if real == root:
        return True
    return real.startswith(os.path.join(root, ""))  # noqa: PTH118 - both are text


def root_of(folder: _FilePath, otherwise: _FilePath = "") -> str:
    """Return the root of the repository that a folder is in, or another folder, without links."""
    here = real_path(folder)
    while not os.path.lexists(os.path.join(here, ".git")):  # noqa: PTH118 - text
        above = os.path.dirname(here)  # noqa: PTH120 - text
        if above == here:
            return real_path(otherwise or folder)
        here = above
    return here
