"""From entries to files: checks, writes and splits entries, and replaces all files at once."""

from __future__ import annotations

from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit.dates import lastmod_text, newest_text, sortable_text
from sitemapkit.entry_urls import with_valid_loc
from sitemapkit.formats.registry import Site, load
from sitemapkit.formats.xml import fitting, index_file, row, url_list, urlset
from sitemapkit.layout import TEXTS, Layout
from sitemapkit.model import OutputFile, SitemapPart
from sitemapkit.output.files import publication
from sitemapkit.output.robots import not_announced, read_robots, robots_file
from sitemapkit.report import Report
from textdates.bounds import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.formats.xml import Row
    from sitemapkit.model import Entry
    from sitemapkit.options import Options


def write(entries: Sequence[Entry], options: Options, output_dir: Path, report: Report) -> None:
    """Write the sitemap files of `entries` and the lines of robots.txt into `output_dir`.

    Entries are sorted by URL; of duplicates the newest is kept (L9, D12). All files are replaced
    together, and only if their bytes change. Without entries nothing is written (D9) and nothing
    removed: that is a mistake nearly always, and the files of the last run are of more use than
    none. Fills `report.listed`, `.written`, `.unchanged` and `.removed`.

    Raises OutputError if a file cannot be written; the files of the last run then stay unchanged.
    """
    layout = Layout(options, output_dir)
    report.listed = _ordered(entries, options, report)
    if not report.listed:
        report.add("empty-sitemap", options.filename, report.why_empty())
        return
    site = Site(report.listed, layout, report)
    parts = _Parts(site)
    entry_file = layout.entry_file(whole=parts.whole is not None)
    put_in_place(_output_files(site, parts), layout, report, entry_files=[entry_file])


def withdraw(options: Options, output_dir: Path, report: Report) -> None:
    """Remove the files and lines of an earlier run: the site has no address any more."""
    if is_folder(output_dir):
        layout = Layout(replace(options, base_url="https://example.org/"), output_dir)
        put_in_place([], layout, report, entry_files=[])


def _ordered(entries: Sequence[Entry], options: Options, report: Report) -> list[Entry]:
    """Return entries with unique, normalized URLs below the base URL, sorted by URL."""
    valid: list[Entry] = []
    for entry in entries:
        normal = with_valid_loc(entry, options, report)
        if normal:
            valid.append(normal)
    by_loc = attrgetter("loc")
    valid.sort(key=by_loc)
    return [_merged([*same], report) for _, same in groupby(valid, by_loc)]


def _merged(same: list[Entry], report: Report) -> Entry:
    """Return the newest of the entries of one URL, whatever order they are in."""
    if len(same) == 1:
        return same[0]
    report.add("duplicate-url", same[0].loc, f"The newest of {len(same)} pages is listed.")
    return max(same, key=lambda each: (sortable_text(lastmod_text(each.lastmod)), repr(each)))


class _Parts:
    """The rows of each file, by its label; the only label is "" if all entries fit into one.

    Only one file is in memory at a time, because all would take more than everything else.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._found = Report()
        self.whole = self._rows(site.entries)

    def __iter__(self) -> Iterator[tuple[str, list[Row]]]:
        if self.whole is not None:
            yield "", self.whole
        else:
            from sitemapkit.output.splitting import split  # noqa: PLC0415 - few sites need it

            below = len(self._site.layout.options.base_url)
            yield from split(self._site.entries, lambda entry: entry.loc[below:], self._rows)
        # An entry is written again when its file is divided: each issue counts once.
        self._site.report.issues += dict.fromkeys(self._found.issues)

    def _rows(self, entries: Sequence[Entry]) -> list[Row] | None:
        """Return the rows of entries, or None if they do not fit into one file."""
        layout = self._site.layout
        if len(entries) > layout.options.max_urls:
            return None
        rows = (row(entry, layout.options, self._found) for entry in entries)
        kept, further = fitting(rows, layout)
        return None if further else kept


def part_files(rows: Sequence[Row], label: str, layout: Layout) -> Iterator[OutputFile]:
    """Yield the file of all entries (label ""), or a child of an index, in each format."""
    for form in layout.formats:
        chunks = [url_list(rows)] if form in TEXTS else urlset(rows, layout, label)
        yield layout.output_file(label, form, chunks)


def part_of(rows: Sequence[Row], label: str) -> SitemapPart:
    """Return what the index says about such a child."""
    return SitemapPart(label, len(rows), newest_text([each.lastmod for each in rows]))


def _output_files(site: Site, parts: _Parts) -> Iterator[OutputFile]:
    """Yield all files, children before their index."""
    layout, options = site.layout, site.layout.options
    children: list[SitemapPart] = []
    for label, rows in parts:
        if label:
            children.append(part_of(rows, label))
        yield from part_files(rows, label, layout)
        rows.clear()  # before the next file is filled
    if children:
        children.sort(key=attrgetter("label"))
        for form in layout.formats:
            yield index_file(children, layout, form)
    for form in options.other_formats:
        yield from load(form).output_files(site)
    key = options.indexnow_key
    if key:
        yield OutputFile(layout.output_dir / f"{key}.txt", [key.encode()], rf"\A{key}\s*\Z")


def put_in_place(
    files: Iterable[OutputFile],
    layout: Layout,
    report: Report,
    *,
    entry_files: Sequence[Path],
    kept: Iterable[Path] = (),
) -> None:
    """Replace files in their order, add lines to robots.txt, and remove obsolete files.

    robots.txt gets the URLs of the `entry_files`, and of files that are `announced`; `kept` are
    files of this sitemap that exist already. Raises OutputError if a file cannot be written; then
    no file is changed.
    """
    current = {*kept}
    announced = [*entry_files]
    with publication(layout.output_dir, report) as new:
        if entry_files and layout.options.stylesheet:
            files = chain([_stylesheet(layout)], files)
        for file in files:
            new.stage(file)
            current.add(file.path)
            if file.announced:
                announced.append(file.path)
        urls = [layout.url(file) for file in announced]
        obsolete = layout.obsolete(current)
        content = read_robots(layout)
        robots = robots_file(layout, content, urls)
        if robots:
            new.stage(robots)
        new.commit(obsolete)
    report.issues += not_announced(layout, content, urls)
    report.entry_file = entry_files[0] if entry_files else None


def _stylesheet(layout: Layout) -> OutputFile:
    """Return the CSS file that the sitemap names."""
    css = Path(__file__).with_name("xml.css").read_bytes()
    return OutputFile(layout.beside(".css"), [f"/* {layout.mark} */\n".encode(), css])
