"""The results of builds, kept in a file to continue after an interruption."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from sitemapkit.errors import SitemapError
from sitemapkit.model import OutputFile
from sitemapkit.output.files import write_file
from sitemapkit.report import Report
from sitemapkit_tools.bounds import read_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class State(msgspec.Struct, forbid_unknown_fields=True):
    """The content of commits, all built the same way."""

    learned: str
    """Digest of how they are built and read."""

    builds: dict[str, dict[str, str]] = {}
    """The digest of each page by file, by commit id; empty: it cannot be built."""

    failures: dict[str, str] = {}
    """Why commits cannot be built."""


def read_state(file: Path | None, how: str) -> State:
    """Return the results of earlier runs that built the same way.

    Raises SitemapError if it is a different file.
    """
    if file is None or not file.exists():
        return State(how)
    try:
        state = read_json(file, State)
    except (OSError, ValueError) as error:
        raise SitemapError(
            f"{file} is not a state of `learn` ({error}); choose another file, or remove it"
            " to start over"
        ) from error
    return state if state.learned == how else State(how)


def keep_state(file: Path | None, state: State) -> None:
    """Write it atomically, with what another process has written meanwhile."""
    if file:
        write_file(OutputFile(file, _joined(file, state), known=r'\A\{\s*"learned":'), Report())


def _joined(file: Path, state: State) -> Iterator[bytes]:
    there = read_state(file, state.learned)
    builds, failures = there.builds | state.builds, there.failures | state.failures
    yield msgspec.json.encode(State(state.learned, builds, failures)) + b"\n"
