"""What builds know of texts that are as in the commit: a file beside Sphinx' own record."""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import __version__
from textdates.bounds import is_file

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from textdates import Known

_SIZE = sha256().digest_size


class Record:
    """What is known of texts, read from the file, which may be written again."""

    def __init__(self, app: Sphinx) -> None:
        """Read it; nothing is known if another version wrote it, or if not all of it is there."""
        self._file = Path(app.doctreedir, "sitemapkit-dates.pickle")
        self.known: Known = {}
        if is_file(self._file):
            content = self._file.read_bytes()
            known = content[_SIZE:]
            if content == _signed(known):
                # As Sphinx loads its own record from this folder.
                self.known = pickle.loads(known)  # noqa: S301

    def write(self) -> None:
        """Keep what is known for the next build, which otherwise takes longer."""
        new = self._file.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            new.write_bytes(_signed(pickle.dumps(self.known)))
            new.replace(self._file)


def _signed(known: bytes) -> bytes:
    """Return a record after a digest of it, and of what its dates hang on beside the texts."""
    version = f"{__version__} {sys.version} ".encode()
    return sha256(version + known).digest() + known
