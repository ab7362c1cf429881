"""The one way through: pages -> listed pages -> entries -> files -> Report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import collector, dates, output
from sitemapkit.alternates import agreed, alternates
from sitemapkit.content import page_title
from sitemapkit.errors import OptionError
from sitemapkit.images import content_images
from sitemapkit.lastmod import Chain
from sitemapkit.metadata import publication_date
from sitemapkit.model import Entry, Excluded, Reason
from sitemapkit.output.files import write_file
from sitemapkit.report import Report
from sitemapkit.select import select
from sitemapkit.videos import page_videos, states_videos

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitemapkit.lastmod.git import GitDates
    from sitemapkit.model import Alternate, Lastmod, Page, Video
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
    translations = alternates(listed, options, report)
    entries = _entries(dated, options, report, translations)
    if on_entry:
        entries = _revised(listed, entries, on_entry, report)
        agreed(entries, options.base_url, report)
    output.write(entries, options, output_dir, report)
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
    dated: Sequence[tuple[Listed, Lastmod]],
    options: Options,
    report: Report,
    translations: Mapping[str, Sequence[Alternate]],
) -> list[Entry]:
    shows_titles = not {"html", "atom"}.isdisjoint(options.formats)
    entries: list[Entry] = []
    for found, said in dated:
        page, loc, wanted = found.page, found.loc, found.wanted
        videos: Sequence[Video] = ()
        if options.videos or states_videos(page.meta):
            videos, issues = page_videos(page, loc, embedded=options.videos)
            report.issues += issues
        entry = Entry(
            loc,
            said.value,
            wanted.changefreq,
            wanted.priority,
            translations.get(loc, ()),
            content_images(page, loc, wanted.images) if options.images else (),
            videos,
            page_title(page) if shows_titles else page.title,
            page.published or publication_date(page.meta),
        )
        entries.append(entry)
    return entries


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
