"""What the system says of a file that cannot be written, and what to do about it."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sitemapkit.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

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


@contextmanager
def explained(path: Path) -> Generator[None]:
    """Raise OutputError with the cure where the system refuses to read or write `path`."""
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "Mend that and build again.")
        raise OutputError(f"cannot write {path}: {error.strerror or error}. {advice}") from error
