"""From entries to files: checks, writes and splits entries, and replaces all files at once."""

from __future__ import annotations

from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit.dates import lastmod_text, sortable_text
from sitemapkit.entry_urls import with_valid_loc
from sitemapkit.formats.registry import Site, load
from sitemapkit.formats.xml import child_of, fitting, index_file, row, url_list, urlset
from sitemapkit.layout import TEXTS, Layout
from sitemapkit.model import OutputFile
from sitemapkit.output.files import publication
from sitemapkit.output.robots import not_announced, read_robots, robots_file
from textdates.bounds import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.formats.xml import Child, Row
    from sitemapkit.model import Entry
    from sitemapkit.options import Options
    from sitemapkit.report import Report


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
    whole = _rows(report.listed, layout, report)
    entry_file = layout.entry_file(whole=whole is not None)
    files = _all_files(Site(report.listed, layout, report), whole)
    put_in_place(files, layout, report, entry_file)


def withdraw(options: Options, output_dir: Path, report: Report) -> None:
    """Remove the files and lines of an earlier run: the site has no address any more."""
    if is_folder(output_dir):
        # The names of the files do not depend on the address, but a layout needs one.
        layout = Layout(replace(options, base_url="https://example.org/"), output_dir)
        put_in_place([], layout, report, None)


def _ordered(entries: Sequence[Entry], options: Options, report: Report) -> list[Entry]:
    """Return entries with unique, normalized URLs below the base URL, sorted by URL."""
    valid: list[Entry] = []
    for entry in entries:
        normal = with_valid_loc(entry, options, report)
        if normal:
            valid.append(normal)
    by_loc = attrgetter("loc")
    valid.sort(key=by_loc)
    unique: list[Entry] = []
    for loc, same in groupby(valid, by_loc):
        first, *others = same
        if others:
            report.add("duplicate-url", loc, f"The newest of {1 + len(others)} pages is listed.")
            first = max(first, *others, key=_date_and_content)
        unique.append(first)
    return unique


def _date_and_content(entry: Entry) -> tuple[object, str]:
    """Return what decides which of several entries is listed, whatever order they are in."""
    return sortable_text(lastmod_text(entry.lastmod)), repr(entry)


def _rows(entries: Sequence[Entry], layout: Layout, report: Report) -> list[Row] | None:
    """Return the rows of entries, or None if they do not fit into one file."""
    if len(entries) > layout.options.max_urls:
        return None
    rows = (row(entry, layout.options, report) for entry in entries)
    kept, further = fitting(rows, layout)
    return None if further else kept


def _all_files(site: Site, whole: list[Row] | None) -> Iterator[OutputFile]:
    """Yield all files, children before their index; `whole` are all rows, if one file has room.

    Only one file of rows is in memory at a time: all would take more than everything else.
    """
    layout = site.layout
    if whole is None:
        yield from _index_and_children(site)
    else:
        yield from files_of(whole, "", layout)
        whole.clear()
    for form in layout.options.other_formats:
        yield from load(form).output_files(site)
    key = layout.options.indexnow_key
    if key:
        yield OutputFile(layout.output_dir / f"{key}.txt", [key.encode()], rf"\A{key}\s*\Z")


def _index_and_children(site: Site) -> Iterator[OutputFile]:
    from sitemapkit.output.splitting import split  # noqa: PLC0415 - few sites need it

    layout, report = site.layout, site.report
    base = len(layout.options.base_url)
    rows_of = partial(_rows, layout=layout, report=report)
    children: list[Child] = []
    for label, rows in split(site.entries, lambda entry: entry.loc[base:], rows_of):
        children.append(child_of(rows, label))
        yield from files_of(rows, label, layout)
        rows.clear()  # before the next file is filled
    # An entry is written again when its file is divided: each issue counts once.
    report.issues = [*dict.fromkeys(report.issues)]
    children.sort(key=attrgetter("label"))
    for form in layout.formats:
        yield index_file(children, layout, form)


def files_of(rows: Sequence[Row], label: str, layout: Layout) -> Iterator[OutputFile]:
    """Yield the file of all entries (label ""), or a child of an index, in each format.

    They ask for the rows when they are written, so none of them is held twice.
    """
    for form in layout.formats:
        chunks = url_list(rows) if form in TEXTS else urlset(rows, layout, label)
        yield layout.output_file(label, form, chunks)


def put_in_place(
    files: Iterable[OutputFile],
    layout: Layout,
    report: Report,
    entry_file: Path | None,
    *,
    kept: Iterable[Path] = (),
) -> None:
    """Replace files in their order, add lines to robots.txt, and remove obsolete files.

    robots.txt gets the URLs of the `entry_file`, and of files that are `announced`; `kept` are
    files of this sitemap that exist already. Raises OutputError if a file cannot be written; then
    no file is changed.
    """
    current = {*kept}
    urls: list[str] = []
    if entry_file:
        urls.append(layout.url(entry_file))
        if layout.options.stylesheet:
            files = chain([_stylesheet(layout)], files)
    with publication(layout.output_dir, report) as new:
        for file in files:
            new.stage(file)
            current.add(file.path)
            if file.announced:
                urls.append(layout.url(file.path))
        obsolete = layout.obsolete(current)
        content = read_robots(layout)
        robots = robots_file(layout, content, urls)
        if robots:
            new.stage(robots)
        new.commit(obsolete)
    report.issues += not_announced(layout, content, urls)
    report.entry_file = entry_file


def _stylesheet(layout: Layout) -> OutputFile:
    """Return the CSS file that the sitemap names."""
    css = Path(__file__).with_name("xml.css").read_bytes()
    return OutputFile(layout.beside(".css"), [f"/* {layout.mark} */\n".encode(), css])
