"""What the ledger says of the pages of this build, and what it is to say at the next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit.content import listing_digest, page_digest
from sitemapkit.lastmod.ledger import Ledger, Line, read_ledger, write_ledger
from sitemapkit.rules import and_more

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit.select import Listed


class Memories:
    """The digests of this build's pages, held against the ledger of the last."""

    def __init__(self, listed: Sequence[Listed], options: Options, report: Report) -> None:
        """Read the ledger and digest the pages; where none is asked there is nothing to do."""
        self._base = options.base_url
        is_asked = "ledger" in options.date_sources
        self._ledger = read_ledger(Path(options.ledger)) if is_asked else Ledger()
        if self._ledger.damaged:
            _report_damage(options.ledger, self._ledger.damaged, report)
        self._present = {
            self._path(loc): digest for loc, digest in _digests(listed if is_asked else ())
        }
        self._memories = {
            path: self._ledger.recall(path, digest, self._present)
            for path, digest in self._present.items()
        }

    def date_of(self, loc: str) -> date | str:
        """Return the date of the page if its content is what it was at the last build."""
        memory = self._memories.get(self._path(loc))
        if memory is None:
            return "its content could not be read"
        if not memory.known:
            return "the ledger does not know it"
        if not memory.unchanged:
            return "its content changed"
        return memory.changed or "it was there before the ledger"

    def saw_change(self, loc: str) -> bool:
        """Tell whether the page changed or appeared since the last build.

        Where there is no ledger yet nothing was seen: all pages are there for the first time.
        """
        if not self._ledger.lines:
            return False
        memory = self._memories.get(self._path(loc))
        return memory is not None and not memory.unchanged

    def changed_after(self, loc: str, value: date) -> bool:
        """Tell whether the ledger saw a change that `value` cannot be the date of."""
        memory = self._memories.get(self._path(loc)) if self._memories else None
        if memory is None or memory.unchanged or memory.changed is None:
            return False
        return dates.sortable(value) <= dates.sortable(memory.changed)

    def updated(self, lastmods: Mapping[str, date | None]) -> bytes:
        """Return the ledger of this build, given each page's date by loc."""
        by_path = {self._path(loc): value for loc, value in lastmods.items()}
        return write_ledger(
            [Line(path, by_path.get(path), digest) for path, digest in self._present.items()]
        )

    def _path(self, loc: str) -> str:
        return "/" + loc[len(self._base) :]


def _digests(listed: Sequence[Listed]) -> Iterator[tuple[str, str]]:
    """Yield the loc and the digest of each page that has one; a listing is what it lists."""
    known: dict[str, str] = {}
    for found in listed:
        page = found.page
        if not page.members and (digest := page_digest(page)):
            known[page.url] = digest
            yield found.loc, digest
    for found in listed:
        if found.page.members:
            yield found.loc, listing_digest(found.page, known)


def _report_damage(ledger: str, damaged: Sequence[int], report: Report) -> None:
    report.add("ledger-line", f"{ledger}:{damaged[0]}", and_more(len(damaged)))
