"""Build: the one way from a generator's pages to the files of a sitemap.

Page -> selection -> listed pages -> lastmod, translations -> entries -> files -> Report
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapkit import dates
from sitemapkit.content import page_title
from sitemapkit.extensions.registry import FIELDS, find_values
from sitemapkit.lastmod.resolver import Resolver
from sitemapkit.lastmod.sources import git_dates
from sitemapkit.metadata import publication_date
from sitemapkit.model import Candidate, Entry, Excluded, Reason
from sitemapkit.options import FOR_ENGINES
from sitemapkit.output.files import write_file
from sitemapkit.output.write import write
from sitemapkit.report import Report
from sitemapkit.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from sitemapkit.lastmod.git import GitDates
    from sitemapkit.model import Lastmod, Page
    from sitemapkit.options import Options
    from sitemapkit.selection import Selected

    OnEntry = Callable[[Page, Entry], Entry | None]
    """Sees each entry last: returns the one to write, or None to leave the page out."""


class Build:
    """One build of one sitemap: pages are added while the generator works, then it is written."""

    def __init__(self, options: Options, *, history: GitDates | None = None) -> None:
        """Begin without a page; `history` is that of another Build of the same source files."""
        self.options = options
        self.report = Report(options.base_url)
        """What `write` returns; issues may be added before."""

        asks_git = "git" in options.date_sources
        self.history = history or (git_dates(options) if asks_git else None)
        """What git says about files, for further Builds; None where it is not to be asked."""

        self._selection = Selection(options)
        self._judged: dict[object, Candidate | Excluded] = {}
        self._selected: Selected | None = None
        self._resolver: Resolver | None = None

    def read_history(self, folder: Path) -> None:
        """Let git read the history of `folder` while the generator works, where dates need it."""
        if self.history and self.options.base_url:
            self.history.start(folder)

    def add(self, page: Page) -> None:
        """Add a page; of pages with the same output file the last one counts.

        What can be answered without opening the file is answered now; so a page's `head` and
        `lang` may be filled in later, but nothing else.
        """
        if self.options.base_url:
            key = id(page) if page.output is None else os.fspath(page.output)
            self._judged[key] = self._selection.judge(page)
            self._selected = None

    def lastmods(self) -> Mapping[str, date]:
        """Return the dates of the pages so far, by their `url`, for themes that show a date.

        Where a ledger is kept, pages should have their `content` or `digest` by now: what lies in
        the output may be of the last build.
        """
        if not self.options.date_sources:
            return {}
        candidates = [each for each in self._judged.values() if isinstance(each, Candidate)]
        self._resolver = Resolver(candidates, self.options, self.history)
        dated = {found.page.url: self._resolver.lastmod(found).value for found in candidates}
        return {url: value for url, value in dated.items() if value}

    def listed(self) -> list[Page]:
        """Return the pages that are listed; to be asked when the output is there."""
        return [found.page for found in self._select().listed]

    def entries(self, *, on_entry: OnEntry | None = None) -> list[Entry]:
        """Return the entries of the listed pages, and complete the report but for the files.

        `write` does so; only who writes the files in another way asks for them.
        """
        options, report, selected = self.options, self.report, self._select()
        listed = selected.listed
        resolver = self._final_resolver(listed)
        dated = [(found, resolver.lastmod(found)) for found in listed]
        report.excluded += selected.excluded
        report.issues += [*selected.issues, *resolver.issues]
        report.dates = _newest_by_url(dated)
        report.origins = {
            found.loc: dict(found.metadata.origins) for found in listed if found.metadata.origins
        }
        entries = _entries(dated, options, report)
        if on_entry:
            entries = _handled(listed, entries, on_entry, report)
            _check_alternates(entries, options, report)
        return entries

    def write(self, output_dir: Path, *, on_entry: OnEntry | None = None) -> Report:
        """Write the sitemap and the robots.txt lines into `output_dir`.

        The report says which pages are listed, why others are not, what is wrong and how to fix it,
        and which files were touched. Without a base URL it is an issue, and nothing is written.

        Raises OutputError if a file cannot be written; the files of the last build are then left
        whole.
        """
        if not self.options.base_url:
            self._report_missing_base()
            return self.report
        write(self.entries(on_entry=on_entry), self.options, output_dir, self.report)
        self._write_records()
        return self.report

    def _report_missing_base(self) -> None:
        spelling = self.options.spelling
        detail = f"{spelling.base_error}." if spelling.base_error else ""
        severity = spelling.base_severity
        self.report.add("no-base-url", spelling.base_url, detail, severity=severity)

    def _select(self) -> Selected:
        if self._selected is None:
            self._selected = self._selection.select(self._judged.values())
        return self._selected

    def _final_resolver(self, listed: Sequence[Candidate]) -> Resolver:
        """Return the resolver of `lastmods` if no page has dropped out since, else a new one."""
        if not self._resolver or self._resolver.pages != listed or self.options.ledger:
            self._resolver = Resolver(listed, self.options, self.history)
        return self._resolver

    def _write_records(self) -> None:
        """Write the ledger and the report in JSON, where the options name them."""
        options, report = self.options, self.report
        if self._resolver and "ledger" in options.date_sources:
            write_file(Path(options.ledger), self._resolver.ledger(), report)
        if options.report:
            report.names = {found.loc: found.page.name for found in self._select().listed}
            write_file(Path(options.report), report.to_json(), report)


def build(
    pages: Iterable[Page],
    options: Options,
    output_dir: Path,
    *,
    on_entry: OnEntry | None = None,
) -> Report:
    """Write the sitemap of finished pages into `output_dir`; the short form of `Build`."""
    one = Build(options)
    for page in pages:
        one.add(page)
    return one.write(output_dir, on_entry=on_entry)


def _newest_by_url(dated: Sequence[tuple[Candidate, Lastmod]]) -> dict[str, Lastmod]:
    """Return where the date of each URL is from; of pages that share one the newest is listed."""
    by_url = {found.loc: lastmod for found, lastmod in dated}
    if len(by_url) < len(dated):
        ascending = sorted(dated, key=lambda pair: dates.sortable(pair[1].value))
        by_url = {found.loc: lastmod for found, lastmod in ascending}
    return by_url


def _entries(
    dated: Sequence[tuple[Candidate, Lastmod]], options: Options, report: Report
) -> list[Entry]:
    shows_titles = not {*options.formats} <= FOR_ENGINES
    values = find_values([found for found, _ in dated], options, report)
    none: Sequence[Sequence[Any]] = [()] * len(dated)
    alternates, images, videos = (values.get(name, none) for name in FIELDS)
    entries = [
        Entry(
            found.loc,
            said.value,
            found.metadata.changefreq,
            found.metadata.priority,
            alternates[n],
            images[n],
            videos[n],
            page_title(found.page) if shows_titles else found.page.title,
            found.page.published or publication_date(found.page.meta),
        )
        for n, (found, said) in enumerate(dated)
    ]
    for name in values.keys() - FIELDS:
        for entry, own in zip(entries, values[name], strict=True):
            if own:
                entry.extensions = {**(entry.extensions or {}), name: own}
    return entries


def _check_alternates(entries: Sequence[Entry], options: Options, report: Report) -> None:
    """Take out translations that a handler has left out."""
    if any(entry.alternates for entry in entries):
        from sitemapkit.extensions.alternates import agreed  # noqa: PLC0415 - as its registry says

        agreed(entries, options.base_url, report)


def _handled(
    listed: Sequence[Candidate], entries: Sequence[Entry], on_entry: OnEntry, report: Report
) -> list[Entry]:
    kept: list[Entry] = []
    for found, entry in zip(listed, entries, strict=True):
        handled = on_entry(found.page, entry)
        if handled is None:
            page = found.page
            report.excluded.append(Excluded(page.name, page.url, Reason.EXCLUDED_BY_HANDLER))
        else:
            kept.append(handled)
    return kept
