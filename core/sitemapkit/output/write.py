"""From entries to files: order, judge, split, render, and put everything in place at once."""

from __future__ import annotations

from datetime import date
from html import unescape
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from msgspec.structs import replace

from sitemapkit import formats
from sitemapkit.dates import sortable_text, text_if_a_date
from sitemapkit.formats.registry import Site, load
from sitemapkit.formats.xml import Renderer, frame_size, joined
from sitemapkit.layout import Layout
from sitemapkit.model import OutputFile
from sitemapkit.normalizer import Normalizer, batches
from sitemapkit.options import Format
from sitemapkit.output.files import publication
from sitemapkit.output.robots import robots_file
from sitemapkit.output.splitting import Limits, split
from sitemapkit.rules import and_more
from sitemapkit.urls import session_parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemapkit.formats.xml import Rendered
    from sitemapkit.model import Entry
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit.xmltext import Namespace

_SHORTEST = len("http://a.bc/")
_FIRST_YEAR = 1990
"""The web is not older."""


def write(entries: Sequence[Entry], options: Options, output_dir: Path, report: Report) -> None:
    """Write the sitemap files of `entries` and the robots line into `output_dir`.

    Entries are sorted by URL and duplicates merged to the newest date (L9, D12). All files are put
    in place together, and only those whose bytes change. Without entries no file is written, and
    those of an earlier run are removed (D9). Fills `report.listed`, `.written`, `.unchanged` and
    `.removed`.

    Raises OutputError if a file cannot be written; those of the last run are then left whole.
    """
    layout = Layout(options, output_dir)
    report.listed = _ordered(entries, options, report)
    _judge(report, options)
    site = Site(report.listed, _parts(report.listed, layout, report), layout, report)
    entry_files = [layout.entry_file(site.parts)] if site.parts else []
    if options.news:
        entry_files.append(layout.news)
    put_in_place(_output_files(site), layout, report, entry_files=entry_files)


def _ordered(entries: Sequence[Entry], options: Options, report: Report) -> list[Entry]:
    """Return the entries with URLs in normal form below the base URL, sorted, one for each URL."""
    normalizer = Normalizer(
        "loc", report.issues.append, base=options.base_url, encoding=options.url_encoding
    )
    locs = normalizer.normal([entry.loc for entry in entries])
    normal = [
        entry if entry.loc == loc else replace(entry, loc=loc)
        for entry, loc in zip(entries, locs, strict=True)
        if loc
    ]
    by_loc = attrgetter("loc")
    normal.sort(key=by_loc)
    if len({*map(by_loc, normal)}) == len(normal):
        return normal
    return [_merged([*same], report) for _, same in groupby(normal, by_loc)]


def _merged(same: list[Entry], report: Report) -> Entry:
    """Return the newest of the entries of one URL; among equals the order given does not count."""
    if len(same) == 1:
        return same[0]
    detail = f"The newest of {len(same)} pages is listed."
    report.add("duplicate-url", same[0].loc, detail)
    return max(same, key=lambda each: (sortable_text(text_if_a_date(each.lastmod)), repr(each)))


def _judge(report: Report, options: Options) -> None:
    """Add one issue for each rule that entries break by what they say, with the first of them."""
    locs = "\n".join([entry.loc for entry in report.listed])
    for rule, mark, concerns in _RULES:
        if mark in locs and (found := [each.loc for each in report.listed if concerns(each)]):
            report.add(rule, found[0], and_more(len(found)))
    if "/" in options.filename:
        report.add("scope", f"filename: {options.filename}")
    if not report.listed:
        report.add("empty-sitemap", options.filename, report.why_empty())


def _is_short(entry: Entry) -> bool:
    """Rule L2: the schema of the protocol wants 12 characters."""
    return len(entry.loc) < _SHORTEST


def _has_session(entry: Entry) -> bool:
    """Rule L8."""
    return session_parameter(entry.loc) is not None


def _looks_escaped(entry: Entry) -> bool:
    """Rule L11: some readers undo HTML's escapes twice, and `&copy=` means a sign to them."""
    return unescape(entry.loc) != entry.loc


def _is_old(entry: Entry) -> bool:
    """Rule LM6."""
    if isinstance(entry.lastmod, date):
        return entry.lastmod.year < _FIRST_YEAR
    return "" < text_if_a_date(entry.lastmod) < str(_FIRST_YEAR)


# Each rule, what a URL must hold to be looked at, and the question.
_RULES: tuple[tuple[str, str, Callable[[Entry], bool]], ...] = (
    ("short-url", "", _is_short),
    ("session-id", "=", _has_session),
    ("entity-parameter", "&", _looks_escaped),
    ("old-date", "", _is_old),
)


def _parts(entries: Sequence[Entry], layout: Layout, report: Report) -> Mapping[str, Rendered]:
    """Return the entries as XML, by label; one with the label "" if one file holds them all."""
    if not entries:
        return {}
    options = layout.options
    renderer = Renderer(report.issues.append, base=options.base_url, encoding=options.url_encoding)
    everything = joined([renderer.render(batch) for batch in batches(entries)])
    if options.indent:
        everything = everything.indented(options.indent)
    limits = limits_of(layout, everything.namespaces)
    if limits.fit(len(entries), len(everything.data)):
        return {"": everything}
    lines = everything.data.splitlines(keepends=True)
    paths = [entry.loc[len(options.base_url) :] for entry in entries]
    leaves = split(paths, [*map(len, lines)], limits)
    return {label: everything.picked(lines, positions) for label, positions in leaves.items()}


def limits_of(layout: Layout, namespaces: frozenset[Namespace]) -> Limits:
    """Return how many entries, and bytes of them, a file may hold (rules D10, TX2)."""
    options = layout.options
    return Limits(
        options.max_urls, options.max_bytes - frame_size(layout.marker("part"), namespaces)
    )


def _output_files(site: Site) -> Iterator[OutputFile]:
    """Yield all files, children before the index that names them."""
    layout, options = site.layout, site.layout.options
    for form in get_args(Format):
        if site.entries and form in options.formats:
            yield from load(form).output_files(site, form)
    if site.entries and options.stylesheet:
        css = Path(formats.__path__[0], "templates", "xml.css").read_bytes()
        yield OutputFile(layout.beside(".css"), [f"/* {layout.mark} */\n".encode() + css])
    if options.news:
        from sitemapkit.formats import news  # noqa: PLC0415 - few sites have any

        yield from news.output_files(site, "news")
    if key := options.indexnow_key:
        yield OutputFile(layout.output_dir / f"{key}.txt", [key.encode()])


def put_in_place(
    files: Iterable[OutputFile],
    layout: Layout,
    report: Report,
    *,
    entry_files: Sequence[Path],
    kept: Iterable[Path] = (),
) -> None:
    """Put files in place in their order, name them in robots.txt, and remove obsolete ones.

    `entry_files` are what robots.txt names; `kept` are files of ours that are there already.
    Raises OutputError if a file cannot be written; then all are left as they were.
    """
    wanted = {*kept}
    with publication(layout.output_dir) as new:
        for file in files:
            new.stage(file)
            wanted.add(file.path)
        urls = [layout.url(file) for file in entry_files]
        if robots := robots_file(layout.options, layout.output_dir, urls, report):
            new.stage(robots)
        new.commit(layout.obsolete(wanted))
    report.entry_file = next(iter(entry_files), None)
    report.written += new.written
    report.unchanged += new.unchanged
    report.removed += new.removed
