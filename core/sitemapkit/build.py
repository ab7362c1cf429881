"""The one way through: pages -> listed pages -> entries -> files -> Report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapkit import collector, dates
from sitemapkit.content import page_title
from sitemapkit.errors import OptionError
from sitemapkit.extensions.registry import FIELDS, find_values
from sitemapkit.lastmod import Chain
from sitemapkit.metadata import publication_date
from sitemapkit.model import Entry, Excluded, Reason
from sitemapkit.options import FOR_ENGINES
from sitemapkit.output.files import write_file
from sitemapkit.output.write import write
from sitemapkit.report import Report
from sitemapkit.select import select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitemapkit.lastmod.git import GitDates
    from sitemapkit.model import Lastmod, Page
    from sitemapkit.options import Options
    from sitemapkit.select import Listed

    OnEntry = Callable[[Page, Entry], Entry | None]
    """Has the last word on a page's entry: returns the one to write, or None to leave it out."""


def build(
    pages: Iterable[Page],
    options: Options,
    output_dir: Path,
    *,
    git: GitDates | None = None,
    on_entry: OnEntry | None = None,
) -> Report:
    """Write the sitemap of `pages` and the robots.txt lines into `output_dir`.

    This is the whole core from an adapter's side. The report says which pages are listed, why
    others are not, what to fix, and which files were touched. `git` is what `start_dates` returned
    when the generator began. `on_entry` sees each entry last: it returns the entry to write, or
    None to leave the page out.

    Raises OptionError without a base URL, and OutputError if a file cannot be written; the files
    of the last build are then left whole.
    """
    if not options.base_url:
        raise OptionError("base_url: a sitemap needs the absolute URL of the site; set it.")
    with collector.at_rest():
        return _build(pages, options, output_dir, git, on_entry)


def _build(
    pages: Iterable[Page],
    options: Options,
    output_dir: Path,
    git: GitDates | None,
    on_entry: OnEntry | None,
) -> Report:
    report = Report(options.base_url)
    listed = select(pages, options, report)
    chain = Chain(listed, options, report, git=git)
    dated = [(found, chain.lastmod(found)) for found in listed]
    report.dates = _newest_by_url(dated)
    report.origins = {
        found.loc: dict(found.wanted.origins) for found in listed if found.wanted.origins
    }
    entries = _entries(dated, options, report)
    if on_entry:
        entries = _revised(listed, entries, on_entry, report)
        _check_alternates(entries, options, report)
    write(entries, options, output_dir, report)
    if "ledger" in options.date_sources:
        write_file(Path(options.ledger), chain.ledger(), report)
    if options.report:
        report.names = {found.loc: found.page.name for found in listed}
        write_file(Path(options.report), report.to_json(), report)
    return report


def _newest_by_url(dated: Sequence[tuple[Listed, Lastmod]]) -> dict[str, Lastmod]:
    """Return what is said of the date of each URL; of pages that share one the newest is listed."""
    by_url = {found.loc: said for found, said in dated}
    if len(by_url) < len(dated):
        ascending = sorted(dated, key=lambda pair: dates.sortable(pair[1].value))
        by_url = {found.loc: said for found, said in ascending}
    return by_url


def _entries(
    dated: Sequence[tuple[Listed, Lastmod]], options: Options, report: Report
) -> list[Entry]:
    shows_titles = not {*options.formats} <= FOR_ENGINES
    values = find_values([found for found, _ in dated], options, report)
    none: Sequence[Sequence[Any]] = [()] * len(dated)
    alternates, images, videos = (values.get(name, none) for name in FIELDS)
    entries = [
        Entry(
            found.loc,
            said.value,
            found.wanted.changefreq,
            found.wanted.priority,
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


def _revised(
    listed: Sequence[Listed], entries: Sequence[Entry], on_entry: OnEntry, report: Report
) -> list[Entry]:
    kept: list[Entry] = []
    for found, entry in zip(listed, entries, strict=True):
        revised = on_entry(found.page, entry)
        if revised is None:
            page = found.page
            report.excluded.append(Excluded(page.name, page.url, Reason.EXCLUDED_BY_HANDLER))
        else:
            kept.append(revised)
    return kept
