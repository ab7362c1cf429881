"""The ledger: a text file that remembers each page's content digest and when it last changed.

One line per page, sorted by path, so that it reads and merges well in git:

    # sitemapkit ledger: path, last change, digest of the content
    / 2024-05-06T07:08:09Z 1c0ffee0c0ffee00
    /guide/ - 1decade0decade00

A `-` stands for a page that was there before the ledger was, with no honest date. A damaged line
costs only its page. Of two lines for one path, as a merge may leave them, the one whose digest fits
the page counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit import dates
from sitemapkit.content import VERSION
from sitemapkit.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from pathlib import Path

HEADER = "# sitemapkit ledger: path, last change, digest of the content"
_UNKNOWN = "-"
_ROW = re.compile(r"(?P<path>/\S*) (?P<changed>\S+) (?P<digest>\w+)", re.ASCII)


class Line(Struct, frozen=True):
    """What the ledger knows of one page."""

    path: str
    """Escaped URL path below the base URL, with a leading slash."""

    changed: date | None
    """When its content last changed; None if that was before the ledger began."""

    digest: str


class Memory(Struct, frozen=True):
    """What the ledger says of a page as it is now."""

    known: bool
    """The page, or its content under another path, was there at the last build."""

    unchanged: bool
    """Its content is the same."""

    changed: date | None
    """The date the ledger holds for it."""


STRANGER = Memory(known=False, unchanged=False, changed=None)


class Ledger:
    """The lines of the last build, by path and by digest."""

    def __init__(self, lines: Sequence[Line] = (), damaged: Sequence[int] = ()) -> None:
        """Index the lines; `damaged` are the numbers, from 1, of those that cannot be read."""
        self.lines = lines
        self.damaged = damaged
        self._by_path: dict[str, list[Line]] = defaultdict(list)
        self._by_digest: dict[str, list[Line]] = defaultdict(list)
        for line in lines:
            self._by_path[line.path].append(line)
            self._by_digest[line.digest].append(line)

    def recall(self, path: str, digest: str, present: Mapping[str, str]) -> Memory:
        """Say what is known of the page at `path`; `present` are all pages' digests by path.

        A page that is new here while another with the same content is gone has moved, and keeps
        its date.
        """
        lines = self._by_path.get(path)
        if not lines:
            return self._moved(digest, present)
        same = [line for line in lines if _same(line.digest, digest)]
        best = max(same or lines, key=lambda line: dates.sortable(line.changed))
        return Memory(known=True, unchanged=bool(same), changed=best.changed)

    def _moved(self, digest: str, present: Mapping[str, str]) -> Memory:
        gone = [line for line in self._by_digest.get(digest, ()) if line.path not in present]
        if len(gone) != 1:
            return STRANGER
        return Memory(known=True, unchanged=True, changed=gone[0].changed)


def read_ledger(file: Path) -> Ledger:
    """Read the ledger; a file that is not there yet is an empty one.

    Raises OptionError for a file that is no ledger: it would be overwritten otherwise.
    """
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return Ledger()
    except OSError as error:
        raise OptionError(f"ledger: {file} cannot be read ({error.strerror}).") from error
    rows = text.splitlines()
    if any(row.strip() for row in rows) and HEADER not in rows:
        raise OptionError(
            f"ledger: {file} is not a sitemapkit ledger; name another file, or delete this one."
        )
    numbered = [(number, row) for number, row in enumerate(rows, 1) if row and row[0] != "#"]
    parsed = [(number, _parse(row)) for number, row in numbered]
    return Ledger(
        lines=[line for _, line in parsed if line],
        damaged=[number for number, line in parsed if not line],
    )


def write_ledger(lines: Sequence[Line]) -> bytes:
    """Return the bytes of a ledger of these lines."""
    rows = sorted(
        f"{line.path} {dates.w3c(line.changed) if line.changed else _UNKNOWN} {line.digest}"
        for line in lines
    )
    return "\n".join([HEADER, *rows, ""]).encode("ascii")


def _parse(row: str) -> Line | None:
    found = _ROW.fullmatch(row)
    if not found:
        return None
    try:
        changed = None if found["changed"] == _UNKNOWN else dates.parse(found["changed"])
    except ValueError:
        return None
    return Line(found["path"], changed, found["digest"])


def _same(remembered: str, digest: str) -> bool:
    """Tell whether the digests show no change; those of another version cannot show one."""
    return remembered == digest or not remembered.startswith(VERSION)
