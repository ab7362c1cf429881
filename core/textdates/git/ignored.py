"""Commits that do not count because the user says so: reformatting, licence years, moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textdates.bounds import read_file
from textdates.git.command import is_object_id

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_LIST = ".git-blame-ignore-revs"
"""The usual name, for users of `git blame` and on GitHub, of the file that lists such commits."""


MAX_LIST = 4 * 1024 * 1024
"""Bytes that are read of a list of commits to ignore."""


def read_list(path: Path, *, inside: str = "") -> list[bytes]:
    """Return the commit ids in a file: one per line, `#` begins a comment, as in `git blame`.

    A file that nobody named must be in the folder `inside`. Raises OSError if it cannot be read,
    and ValueError for a line that is not a full id. The error does not quote the line: the file may
    be another one than the user thinks.
    """
    ids: list[bytes] = []
    text = read_file(path, MAX_LIST, inside=inside)
    for number, line in enumerate(text.splitlines(), 1):
        if name := line.partition(b"#")[0].strip().lower():
            if not is_object_id(name):
                raise ValueError(f"line {number} is not a full commit ID")
            ids.append(name)
    return ids
