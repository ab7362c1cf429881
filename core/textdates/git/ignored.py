"""Commits that do not count because the user says so: reformatting, licence years, moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textdates.git.command import is_object_id

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_LIST = ".git-blame-ignore-revs"
"""The usual name, for users of `git blame` and on GitHub, of the file that lists such commits."""


def read_list(path: Path) -> list[bytes]:
    """Return the commit ids in a file: one per line, `#` begins a comment, as in `git blame`.

    Raises OSError if it cannot be read, and ValueError for a line that is not a full id.
    """
    lines = (line.partition(b"#")[0].strip() for line in path.read_bytes().splitlines())
    ids = [line.lower() for line in lines if line]
    for line in ids:
        if not is_object_id(line):
            raise ValueError(f"{line.decode('utf-8', 'replace')} is not a full commit id")
    return ids
