"""Build: the pipeline from a generator's pages to the files of a sitemap.

Page -> selection -> listed pages -> lastmod, translations -> entries -> files -> Report
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit.advice import after_selection, after_writing
from sitemapkit.extensions.registry import FIELDS, find_values
from sitemapkit.formats.registry import Describing, load
from sitemapkit.lastmod.resolver import Resolver
from sitemapkit.metadata import publication_date, read_metadata
from sitemapkit.model import Entry, Excluded, Listed, OutputFile, Reason
from sitemapkit.output.files import write_file
from sitemapkit.output.write import withdraw, write
from sitemapkit.report import ANY_REPORT, Report
from sitemapkit.selection import Selection, excluded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from sitemapkit.model import Issue, Lastmod, Page
    from sitemapkit.options import Options
    from sitemapkit.patterns import OtherPatterns
    from sitemapkit.selection import Selected
    from textdates import Known, TextDates

    OnEntry = Callable[[Page, Entry], Entry | None]
    """Gets each page with its entry; returns the entry to write, or None to exclude the page."""


class Build:
    """One build of one sitemap: pages are added while the generator runs, then it is written."""

    def __init__(
        self,
        options: Options,
        *,
        history: TextDates | None = None,
        known: Known | None = None,
        excludes: Sequence[OtherPatterns] = (),
        is_myst: bool = False,
    ) -> None:
        """Begin without a page; `history` is that of another Build of the same source files.

        `known` is what an earlier Build found out of their dates, and gets what this one does.
        `excludes` are patterns by which the generator's own options exclude pages: each of them
        that matches no page is an issue. `is_myst` says which Markdown the sources are.
        """
        self.options = options
        self.report: Report = Report(options.base_url)
        """The result of `write`; issues may be added before."""

        if not history and "git" in options.date_sources:
            from textdates import Rules, TextDates  # noqa: PLC0415 - needed for dates alone

            rules = Rules(
                bodies=options.git.bodies,
                ignore_revs=options.git.ignore_revs,
                base=options.base_url,
                is_myst=is_myst,
            )
            history = TextDates(rules, known)
        self.history = history
        """The git dates of files, to be shared with other Builds; None if dates do not need git."""

        self._excludes = excludes
        self._selection = Selection(options)
        self._judged: dict[str | int, Listed | tuple[Page, Excluded]] = {}
        """The first verdict on each page, by its output file, or by a number if it has none.

        What is listed has its page itself: of millions, a pair each would be felt.
        """

        self._selected: Selected | None = None
        self._resolver: Resolver | None = None
        self._has_entries = False

    def read_history(self, folder: Path) -> None:
        """Let git read the history of `folder` while the generator runs, if dates need it."""
        if self.history and self.options.base_url:
            self.history.start(folder)

    def add(self, page: Page) -> None:
        """Add a page; of pages with the same output file the last one counts.

        All checks that do not need the file happen now, so that only what they do not use may be
        set later: `head`, `lang` and `translation_key`.
        """
        if self.options.base_url:
            key = os.fspath(page.output or "") or len(self._judged)
            verdict = self._selection.judge(page)
            self._judged[key] = verdict if isinstance(verdict, Listed) else (page, verdict)
            self._selected = None

    def add_all(self, pages: Iterable[Page]) -> None:
        """Add pages, as `add` does each."""
        for page in pages:
            self.add(page)

    def lastmods(self) -> Mapping[str, date]:
        """Return the dates of the pages added so far, by their `url`, for themes that show a date.

        If a ledger is in use, pages should have their `content` or `digest` by now: their files in
        the output may be those of the last build.
        """
        if not self.options.date_sources:
            return {}
        pages = self._not_excluded()
        self._resolver = self._resolve(pages)
        found: dict[str, date] = {}
        for each in pages:
            if each.lastmod.value:
                found[each.page.url] = each.lastmod.value
        return found

    def listed(self) -> list[Page]:
        """Return the pages that are listed; their output files must exist."""
        return [each.page for each in self._select().listed]

    def entries(self, *, on_entry: OnEntry | None = None) -> list[Entry]:
        """Return the entries of the listed pages, and fill the report except for the files.

        `write` calls this; call it only to write the files in another way, and once: the report
        would have everything twice. Raises RuntimeError for a second call.
        """
        if self._has_entries:
            raise RuntimeError("this Build has its entries already; make another one for another")
        self._has_entries = True
        options, report, selected = self.options, self.report, self._select()
        after_selection.refuse_misnamed(selected)
        listed = selected.listed
        report.excluded += selected.excluded
        report.issues += after_selection.on_pages(selected, options)
        for patterns in self._excludes:
            report.issues += after_selection.unmatched_exclude(patterns, selected)
        report.issues += after_selection.noindex_not_rendered(self._hidden())
        self._date(listed)
        report.dates = _newest_by_url(listed)
        for each in listed:
            if each.metadata.origins:
                report.origins[each.loc] = dict(each.metadata.origins)
        entries = _entries(listed, options, report)
        if on_entry:
            entries = _handled(listed, entries, on_entry, report)
        return entries

    def write(self, output_dir: Path, *, on_entry: OnEntry | None = None) -> Report:
        """Write the sitemap and the lines of robots.txt into `output_dir`.

        The report says which pages are listed and why others are not, which files were written, and
        which issues there are. A missing base URL is an issue, and nothing is written.

        Raises OutputError if a file cannot be written; the files of the last build then stay
        unchanged.
        """
        options, report = self.options, self.report
        if not options.base_url:
            report.issues.append(after_selection.no_base_url(options))
            withdraw(options, output_dir, report)
            return report
        entries, selected = self.entries(on_entry=on_entry), self._select()
        report.issues += after_selection.on_places(selected, len(entries), options, output_dir)
        write_entries(entries, options, output_dir, report)
        after_writing.name_sources(report.issues, selected.listed)
        self._write_records()
        return report

    def _select(self) -> Selected:
        if self._selected is None:
            judged: list[Listed | Excluded] = []
            for each in self._judged.values():
                judged.append(each if isinstance(each, Listed) else each[1])
            self._selected = self._selection.select(judged)
        return self._selected

    def _hidden(self) -> list[Page]:
        """Return the pages whose metadata says `noindex`: no head has been read yet."""
        hidden: list[Page] = []
        for each in self._judged.values():
            if not isinstance(each, Listed):
                page, verdict = each
                if verdict.reason is Reason.NOINDEX and not page.excluded:
                    hidden.append(page)
        return hidden

    def _date(self, listed: Sequence[Listed]) -> None:
        """Date the pages, if `lastmods` has not dated the same ones."""
        resolver = self._resolver
        # What sees changes needs the final content of the pages.
        if not resolver or resolver.pages != listed or resolver.sees_changes:
            resolver = self._resolve(listed)
        remarks = [*after_selection.on_dates(resolver)]
        self.report.issues += remarks
        if self.options.fail_undated:
            after_selection.refuse_undated(listed, remarks, self.options)
        # Only records need it now, and it holds much of a large site.
        is_needed = resolver.sees_changes or self.options.report
        self._resolver = resolver if is_needed else None

    def _resolve(self, pages: Sequence[Listed]) -> Resolver:
        return Resolver(pages, self.options, self.history, self._unlisted_members(pages))

    def _unlisted_members(self, dated: Sequence[Listed]) -> list[Listed]:
        """Return the pages that lists among these show whole, and that are not among these."""
        members: set[str] = set()
        for each in dated:
            members.update(each.page.members)
        members.difference_update(each.page.url for each in dated)
        if not members:
            return []
        found: dict[str, Listed] = {}
        for judged in self._judged.values():
            if isinstance(judged, Listed):  # only its head has excluded it
                if judged.page.url in members:
                    found[judged.page.url] = judged
                continue
            page, verdict = judged
            is_open = verdict.reason not in (page.excluded, Reason.BAD_URL)  # readers can open it
            if page.url in members and is_open:
                loc = self.options.loc_of(page.url)
                found[page.url] = Listed(page, loc, read_metadata(page.meta))
        return list(found.values())

    def _not_excluded(self) -> list[Listed]:
        """Return the pages that may be listed as far as is known without their heads."""
        return [each for each in self._judged.values() if isinstance(each, Listed)]

    def _write_records(self) -> None:
        """Write what sources of dates keep, and the report in JSON, if the options name it."""
        options, report = self.options, self.report
        # Without a page they would forget the dates of all.
        if self._resolver and report.listed:
            for record in self._resolver.records():
                write_file(record, report)
        if options.report:
            for each in self._select().listed:
                report.names[each.loc] = each.page.name
                decided_by = self._resolver.decided_by(each) if self._resolver else []
                if decided_by:
                    newest, *older = decided_by
                    report.origins.setdefault(each.loc, {})["lastmod"] = newest
                    if older:
                        report.older[each.loc] = older
            file = OutputFile(Path(options.report), [report.to_json()], ANY_REPORT)
            write_file(file, report)


def build(
    pages: Iterable[Page],
    options: Options,
    output_dir: Path,
    *,
    on_entry: OnEntry | None = None,
) -> Report:
    """Write the sitemap of finished pages into `output_dir`: a shortcut for `Build`."""
    new = Build(options)
    new.add_all(pages)
    return new.write(output_dir, on_entry=on_entry)


def remarks_on(selected: Selected, options: Options) -> Iterator[Issue]:
    """Yield the remarks on pages that were selected without a Build."""
    return after_selection.on_pages(selected, options)


def write_entries(
    entries: Sequence[Entry], options: Options, output_dir: Path, report: Report
) -> None:
    """Write the files of entries, as `output.write` does, and add the remarks on both."""
    write(entries, options, output_dir, report)
    report.issues += after_writing.on_entries(report, options)
    report.issues += after_writing.on_files(report, options, output_dir)


def _newest_by_url(listed: Sequence[Listed]) -> dict[str, Lastmod]:
    """Return the date of each URL, which is the newest if several pages have the same URL."""
    by_url: dict[str, Lastmod] = {}
    for each in listed:
        other = by_url.get(each.loc)
        if not other or dates.sortable(each.lastmod.value) >= dates.sortable(other.value):
            by_url[each.loc] = each.lastmod
    return by_url


def _entries(listed: Sequence[Listed], options: Options, report: Report) -> list[Entry]:
    """Return the entry of each page: its date and title, and the values of all extensions."""
    values = find_values(listed, options, report)
    entries: list[Entry] = []
    for each in listed:
        entry = Entry(
            each.loc,
            each.lastmod.value,
            each.metadata.changefreq,
            each.metadata.priority,
            title=each.page.title,
            published=each.page.published or publication_date(each.page.meta),
        )
        entries.append(entry)
    for name, found in values.items():
        for entry, own in zip(entries, found, strict=True):
            if not own:
                continue
            if name in FIELDS:
                setattr(entry, name, own)
            else:
                entry.extensions = {**(entry.extensions or {}), name: own}
    for form in options.other_formats:
        output_format = load(form)
        if isinstance(output_format, Describing):
            output_format.describe(entries, listed, options)
    return entries


def _handled(
    listed: Sequence[Listed], entries: Sequence[Entry], on_entry: OnEntry, report: Report
) -> list[Entry]:
    """Return what the site's handler makes of the entries, without those that it leaves out."""
    kept: list[Entry] = []
    for each, entry in zip(listed, entries, strict=True):
        handled = on_entry(each.page, entry)
        if handled is None:
            report.excluded.append(excluded(each.page, Reason.EXCLUDED_BY_HANDLER))
        else:
            kept.append(handled)
    if any(entry.alternates for entry in kept):
        from sitemapkit.languages.alternates import drop_unlisted  # noqa: PLC0415 - few sites

        report.issues += drop_unlisted(kept, report.base_url)
    return kept
