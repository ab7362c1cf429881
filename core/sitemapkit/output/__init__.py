"""From entries to files: order, split, render, and put everything in place at once."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit.output.advice import advise
from sitemapkit.output.batch import Normalizer, batches
from sitemapkit.output.companions import companions
from sitemapkit.output.documents import (
    Part,
    documents_of,
    index_documents,
    limits_of,
    part_of,
)
from sitemapkit.output.indent import indented
from sitemapkit.output.layout import Layout
from sitemapkit.output.parts import write_index, write_part
from sitemapkit.output.release import release
from sitemapkit.output.shards import split
from sitemapkit.output.values import moment, text_if_a_date
from sitemapkit.output.xml import Renderer, joined

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sitemapkit.model import Entry
    from sitemapkit.options import Options
    from sitemapkit.output.files import Document
    from sitemapkit.output.xml import Rendered
    from sitemapkit.report import Report

__all__ = ["Part", "write", "write_index", "write_part"]


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
    _warn(report, options)
    documents, entry_files = _documents(layout, report)
    documents += companions(report.listed, layout, report)
    if options.news:
        entry_files.append(layout.news)
    release(documents, layout, report, entry_files=entry_files)


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
    return max(same, key=lambda entry: (moment(text_if_a_date(entry.lastmod)), repr(entry)))


def _warn(report: Report, options: Options) -> None:
    advise(report.listed, report)
    if "/" in options.filename:
        report.add("scope", f"filename: {options.filename}")
    if not report.listed:
        report.add("empty-sitemap", options.filename, report.why_empty())


def _documents(layout: Layout, report: Report) -> tuple[list[Document], list[Path]]:
    """Return all files, children before the index that names them, and the one to start from."""
    if not report.listed:
        return [], []
    options = layout.options
    renderer = Renderer(report.issues.append, base=options.base_url, encoding=options.url_encoding)
    everything = joined([renderer.render(batch) for batch in batches(report.listed)])
    everything = indented(everything, options.indent)
    limits = limits_of(layout)
    if limits.fit(len(report.listed), len(everything.data)):
        documents = [*documents_of(everything, layout, "")]
        return documents, [documents[0].path]
    children, parts = _children(everything, report.listed, layout)
    index = index_documents(parts, layout)
    return children + index, [index[0].path]


def _children(
    everything: Rendered, entries: Sequence[Entry], layout: Layout
) -> tuple[list[Document], list[Part]]:
    documents: list[Document] = []
    parts: list[Part] = []
    lines = everything.data.splitlines(keepends=True)
    paths = [entry.loc[len(layout.options.base_url) :] for entry in entries]
    leaves = split(paths, [*map(len, lines)], limits_of(layout))
    for label, positions in leaves.items():
        picked = everything.picked(lines, positions)
        documents += documents_of(picked, layout, label)
        parts.append(part_of(picked, label))
    return documents, parts
