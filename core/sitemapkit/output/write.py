"""From entries to files: checks, renders and splits entries, and replaces all files at once."""

from __future__ import annotations

from itertools import chain, groupby, pairwise
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit import formats
from sitemapkit.dates import lastmod_text, newest_text, sortable_text
from sitemapkit.errors import OutputError
from sitemapkit.formats.registry import Site, load
from sitemapkit.formats.xml import NOTHING, Renderer, frame_size, index_file, joined, urlset
from sitemapkit.layout import TEXTS, Layout
from sitemapkit.model import OutputFile, SitemapPart
from sitemapkit.normalizer import URLS, Normalizer, batches
from sitemapkit.options.schema import FOR_ENGINES, FORMATS
from sitemapkit.output.files import publication
from sitemapkit.output.robots import not_announced, read_robots, robots_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.formats.xml import Rendered
    from sitemapkit.model import Entry, Issue
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit.xmltext import Namespace


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
    entry_files = [layout.entry_file(whole=parts.whole is not None)]
    if options.news:
        entry_files.append(layout.news)
    put_in_place(_output_files(site, parts), layout, report, entry_files=entry_files)


def withdraw(options: Options, output_dir: Path, report: Report) -> None:
    """Remove the files and lines of an earlier run: the site has no address any more."""
    if output_dir.is_dir():
        layout = Layout(replace(options, base_url="https://example.org/"), output_dir)
        put_in_place([], layout, report, entry_files=[])


def _ordered(entries: Sequence[Entry], options: Options, report: Report) -> list[Entry]:
    """Return entries with unique, normalized URLs below the base URL, sorted by URL."""
    normalizer = Normalizer(
        "loc", report.issues.append, base=options.base_url, encoding=options.url_encoding
    )
    normal: list[Entry] = []
    for given in batches(entries, URLS):
        urls = [entry.loc for entry in given]
        locs = normalizer.normal(urls)
        is_normal, pairs = locs is urls and all(locs), zip(given, locs, strict=True)
        normal += given if is_normal else [replace(entry, loc=loc) for entry, loc in pairs if loc]
    by_loc = attrgetter("loc")
    normal.sort(key=by_loc)
    if any(one.loc == following.loc for one, following in pairwise(normal)):
        normal = [_merged([*same], report) for _, same in groupby(normal, by_loc)]
    return normal


def _merged(same: list[Entry], report: Report) -> Entry:
    """Return the newest of the entries of one URL, whatever order they are in."""
    if len(same) == 1:
        return same[0]
    report.add("duplicate-url", same[0].loc, f"The newest of {len(same)} pages is listed.")
    return max(same, key=lambda each: (sortable_text(lastmod_text(each.lastmod)), repr(each)))


class _Parts:
    """The entries as XML, by the labels of their files; the only label is "" if they fit into one.

    Only one part is in memory at a time, because all would take more than everything else.
    """

    def __init__(self, site: Site) -> None:
        options = site.layout.options
        self._site = site
        self._base = options.base_url
        self._reported: set[Issue] = set()
        self._renderer = Renderer(self._report_once, base=self._base, encoding=options.url_encoding)
        self.whole = self._rendered(range(len(site.entries)))

    def __iter__(self) -> Iterator[tuple[str, Rendered]]:
        if self.whole:
            return iter([("", self.whole)])
        from sitemapkit.output.splitting import split  # noqa: PLC0415 - few sites need it

        entries, below = self._site.entries, len(self._base)
        return split(lambda i: entries[i].loc[below:], len(entries), self._rendered)

    def _rendered(self, positions: Sequence[int]) -> Rendered | None:
        """Return these entries, or None if they do not fit into one file."""
        layout, all_entries = self._site.layout, self._site.entries
        if len(positions) > layout.options.max_urls:
            return None
        size, kept, namespaces = 0, [NOTHING], NOTHING.namespaces
        for batch in batches([all_entries[i] for i in positions]):
            new = self._renderer.render(batch)
            kept.append(new.indented(layout.options.indent) if layout.options.indent else new)
            size += len(kept[-1].data)
            namespaces |= new.namespaces
            if size > size_limit(layout, namespaces):
                if len(positions) == 1:
                    raise too_large(batch[0].loc.removeprefix(self._base), size)
                return None
        return joined(kept)

    def _report_once(self, issue: Issue) -> None:
        """Report an issue once, also if its entry is rendered again."""
        if issue not in self._reported:
            self._reported.add(issue)
            self._site.report.issues.append(issue)


def size_limit(layout: Layout, namespaces: frozenset[Namespace]) -> int:
    """Return how many bytes the entries of one file may have (rules D10, TX2)."""
    return layout.options.max_bytes - frame_size(layout.marker("part"), namespaces)


def too_large(url: str, size: int) -> OutputError:
    """Return the error for an entry that does not fit into a file."""
    return OutputError(
        f"the entry of {url!r} has {size:,} bytes and does not fit into a file of `max_bytes`;"
        " raise that option or list fewer images of the page"
    )


def _output_files(site: Site, parts: _Parts) -> Iterator[OutputFile]:
    """Yield all files, children before their index."""
    layout, options = site.layout, site.layout.options
    children: list[SitemapPart] = []
    for label, part in parts:
        if label:
            children.append(SitemapPart(label, len(part.locs), newest_text(part.lastmods)))
        for form in layout.formats:
            chunks = [part.urls()] if form in TEXTS else urlset(part, layout, label)
            yield layout.output_file(label, form, chunks)
    for form in layout.formats if children else ():
        yield index_file(sorted(children, key=attrgetter("label")), layout, form)
    for form in sorted({*options.formats}.difference(FOR_ENGINES), key=_order):
        yield from load(form).output_files(site)
    if options.news:
        yield from load("news").output_files(site)
    if key := options.indexnow_key:
        yield OutputFile(layout.output_dir / f"{key}.txt", [key.encode()], rf"\A{key}\s*\Z")


def _order(form: str) -> tuple[int, str]:
    """Sort the formats that are built in before those that other packages add."""
    built_in = FORMATS.built_in
    return (built_in.index(form) if form in built_in else len(built_in)), form


def put_in_place(
    files: Iterable[OutputFile],
    layout: Layout,
    report: Report,
    *,
    entry_files: Sequence[Path],
    kept: Iterable[Path] = (),
) -> None:
    """Replace files in their order, add lines to robots.txt, and remove obsolete files.

    robots.txt gets the URLs of the `entry_files`; `kept` are files of this sitemap that exist
    already. Raises OutputError if a file cannot be written; then no file is changed.
    """
    current = {*kept}
    with publication(layout.output_dir, report) as new:
        for file in chain(_stylesheets(layout) if entry_files else (), files):
            new.stage(file)
            current.add(file.path)
        urls = [layout.url(file) for file in entry_files]
        obsolete = layout.obsolete(current)
        content = read_robots(layout)
        if robots := robots_file(layout, content, urls):
            if robots.chunks:
                new.stage(robots)
            else:
                obsolete.append(robots.path)
        new.commit(obsolete)
    report.issues += not_announced(layout, content, urls)
    report.entry_file = next(iter(entry_files), None)


def _stylesheets(layout: Layout) -> Iterator[OutputFile]:
    """Yield the CSS file that the sitemap names, if that is wanted."""
    if layout.options.stylesheet:
        css = Path(formats.__path__[0], "templates", "xml.css").read_bytes()
        yield OutputFile(layout.beside(".css"), [f"/* {layout.mark} */\n".encode() + css])
