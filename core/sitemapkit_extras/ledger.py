"""The ledger: a text file with each page's content digest and when it last changed.

One line per page, sorted by path, so that it reads and merges well in git:

    # sitemapkit ledger: path, last change, digest of the content
    / 2024-05-06T07:08:09Z 1c0ffee0c0ffee00
    /guide/ - 1decade0decade00

A `-` means that the page is older than the ledger and has no reliable date. A damaged line affects
only its page. If a merge leaves two lines for a path, the one with the page's digest counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit import dates
from sitemapkit.errors import OptionError
from sitemapkit.model import OutputFile
from sitemapkit.rules import grouped
from sitemapkit_extras.digest import SIZE, listing_digest, page_digest, shown_text
from sitemapkit_extras.options import Extras
from textdates.bounds import is_link, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from sitemapkit.model import Issue, Listed
    from sitemapkit.options import Options
    from textdates import FileOrPart

MAX_LEDGER = 256 * 1024 * 1024
"""Bytes that are read of a ledger: some three million pages."""

ANY_LEDGER = "# sitemapkit ledger: "
"""The beginning of every ledger, of any version."""

HEADER = f"{ANY_LEDGER}path, last change, digest of the content"
_UNKNOWN = "-"
_ROW = re.compile(r"(?P<path>/\S*) (?P<changed>\S+) (?P<digest>\w+)", re.ASCII)


class LedgerLine(Struct, frozen=True):
    """The record of one page."""

    path: str
    """Escaped URL path below the base URL, with a leading slash."""

    changed: date | None
    """When its content last changed; None if that was before the ledger began."""

    digest: str


class Recorded(Struct, frozen=True):
    """A page compared with the ledger."""

    known: bool = True
    """The page existed at the last build, perhaps under another path."""

    unchanged: bool = True
    """Its content is the same."""

    changed: date | None = None
    """The date of its last change in the ledger."""


class Ledger:
    """The lines of the last build, by path and by digest."""

    def __init__(self, lines: Sequence[LedgerLine] = (), damaged: Sequence[int] = ()) -> None:
        """Index the lines; `damaged` are the numbers, from 1, of unreadable ones."""
        self.lines = lines
        self.damaged = damaged
        self._by_path: dict[str, list[LedgerLine]] = defaultdict(list)
        self._by_digest: dict[str, list[LedgerLine]] = defaultdict(list)
        for line in lines:
            self._by_path[line.path].append(line)
            self._by_digest[line.digest].append(line)

    def recorded(self, path: str, digest: str, present: Mapping[str, str]) -> Recorded:
        """Compare the page at `path`; `present` are the digests of all pages by path.

        If the path is new and a page with the same content is gone, the page has moved and keeps
        its date.
        """
        lines = self._by_path.get(path)
        if lines:
            same: list[LedgerLine] = []
            for line in lines:
                # A digest of another version, or of another kind of content, shows no change.
                if line.digest == digest or line.digest[:-SIZE] != digest[:-SIZE]:
                    same.append(line)
            newest = max(same or lines, key=lambda line: dates.sortable(line.changed))
            return Recorded(unchanged=bool(same), changed=newest.changed)
        gone = [line for line in self._by_digest.get(digest, ()) if line.path not in present]
        if len(gone) == 1:
            return Recorded(changed=gone[0].changed)
        return Recorded(known=False, unchanged=False)


class Source:
    """The ledger as a source of dates: this build's digests, compared with those of the last."""

    def __init__(self, pages: Sequence[Listed], options: Options) -> None:
        """Read the ledger and digest the pages."""
        self._base = options.base_url
        self._file = Path(Extras.of(options).ledger)
        self._ledger = read_ledger(self._file)
        damaged = [f"{self._file}:{number}" for number in self._ledger.damaged]
        self.issues: list[Issue] = grouped("ledger-line", damaged)
        self._present: dict[str, str] = {}
        for loc, digest in _digests(pages, self._base):
            self._present[self._path(loc)] = digest
        self._recorded: dict[str, Recorded] = {}
        for path, digest in self._present.items():
            self._recorded[path] = self._ledger.recorded(path, digest, self._present)

    def date_of(self, listed: Listed) -> date | str:
        """Return the page's date if its content is the same as at the last build."""
        recorded = self._recorded.get(self._path(listed.loc))
        if recorded is None:
            return "its content could not be read"
        if not recorded.known:
            return "it is not in the ledger"
        if not recorded.unchanged:
            return "its content changed"
        return recorded.changed or "it is older than the ledger"

    def saw_change(self, listed: Listed) -> bool:
        """Return whether the page changed or was added since the last build.

        Without a ledger of the last build this is unknown, and so False.
        """
        recorded = self._recorded.get(self._path(listed.loc))
        return bool(self._ledger.lines and recorded and not recorded.unchanged)

    def changed_after(self, listed: Listed, value: date) -> bool:
        """Return whether the page changed later than `value`, according to the ledger."""
        recorded = self._recorded.get(self._path(listed.loc))
        if recorded is None or recorded.unchanged or recorded.changed is None:
            return False
        return dates.sortable(value) <= dates.sortable(recorded.changed)

    def records(self, lastmods: Mapping[str, date | None]) -> Iterator[OutputFile]:
        """Yield the ledger of this build; `lastmods` are the dates of the pages by loc."""
        now = dates.now()
        changed = {self._path(loc): value for loc, value in lastmods.items()}
        lines: list[LedgerLine] = []
        for path, digest in self._present.items():
            day = changed.get(path)
            before = self._recorded[path]
            if before.unchanged and before.changed and dates.is_future(before.changed, now):
                day = before.changed  # the clock may be wrong now
            lines.append(LedgerLine(path, day, digest))
        yield OutputFile(self._file, [write_ledger(lines)], ANY_LEDGER)

    def _path(self, loc: str) -> str:
        return "/" + loc[len(self._base) :]


def _digests(pages: Sequence[Listed], base: str) -> Iterator[tuple[str, str]]:
    """Yield the loc and digest of each page; a listing's depends on what it lists."""
    known: dict[str, str] = {}
    listings: list[Listed] = []
    for each in pages:
        page = each.page
        if page.members or (page.kind == "listing" and page.included):
            listings.append(each)
            continue
        digest = page_digest(page, base)
        if digest:
            known[page.url] = digest
            yield each.loc, digest
    shown: dict[FileOrPart, str] = {}
    for each in listings:
        for source in each.page.included:
            if source not in shown:
                shown[source] = shown_text(source)
        yield each.loc, listing_digest(each.page, known, shown)


def read_ledger(file: Path) -> Ledger:
    """Read the ledger; a missing file is an empty ledger.

    Raises OptionError for a file that is not a ledger, since it would be overwritten.
    """
    if is_link(file):  # nor would it be written
        raise OptionError(f"ledger: {file} is a symbolic link; name the file itself.")
    try:
        text = read_file(file, MAX_LEDGER).decode("utf-8", "replace")
    except FileNotFoundError:
        return Ledger()
    except OSError as error:
        raise OptionError(f"ledger: {file} cannot be read ({error.strerror}).") from error
    rows = text.splitlines()
    if any(row.strip() for row in rows) and HEADER not in rows:
        raise OptionError(
            f"ledger: {file} is not a sitemapkit ledger; choose another file, or delete this one."
        )
    lines: list[LedgerLine] = []
    damaged: list[int] = []
    for number, row in enumerate(rows, 1):
        if not row or row.startswith("#"):
            continue
        line = _parse(row)
        if line:
            lines.append(line)
        else:
            damaged.append(number)
    return Ledger(lines, damaged)


def write_ledger(lines: Sequence[LedgerLine]) -> bytes:
    """Return the bytes of a ledger of these lines."""
    rows: list[str] = []
    for line in lines:
        changed = dates.w3c(line.changed) if line.changed else _UNKNOWN
        rows.append(f"{line.path} {changed} {line.digest}")
    return "\n".join([HEADER, *sorted(rows), ""]).encode("ascii")


def _parse(row: str) -> LedgerLine | None:
    match = _ROW.fullmatch(row)
    if not match:
        return None
    path, day, digest = match.groups()
    if day == _UNKNOWN:
        return LedgerLine(path, None, digest)
    try:
        return LedgerLine(path, dates.parse(day), digest)
    except ValueError:
        return None
