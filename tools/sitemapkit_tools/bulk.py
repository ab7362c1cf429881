"""Sitemaps of any size: parts that are written independently, and an index of all parts.

`write_part` takes any iterable of entries, or of plain URLs, and writes as many files as needed,
with one file in memory at a time. Processes and machines can write parts in parallel, each part
with a name of its own. The result is small and can be pickled. `write_index` is called once, after
all parts are written.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from sitemapkit.entry_urls import with_valid_loc
from sitemapkit.errors import SitemapError
from sitemapkit.formats.xml import child_of, fitting, index_file, row
from sitemapkit.layout import Layout
from sitemapkit.model import Entry
from sitemapkit.output.files import publication
from sitemapkit.output.write import files_of, put_in_place
from sitemapkit.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from sitemapkit.formats.xml import Child, Row
    from sitemapkit.model import Issue
    from sitemapkit.options import Options


def write_part(
    entries: Iterable[Entry] | Iterable[str],
    options: Options,
    output_dir: Path,
    name: str,
    *,
    on_issue: Callable[[Issue], None] | None = None,
) -> list[Child]:
    """Write the files `sitemap-<name>-1.xml`, `-2` and so on; return what `write_index` needs.

    `entries` are Entry objects, or URLs as strings. They are written in their order, duplicates
    included. Memory use is constant: one file at a time. Only these `options` count: base_url,
    filename, formats, indent, max_urls, max_bytes, stylesheet, url_encoding.

    `on_issue` gets an issue for whatever is invalid and left out, such as a URL outside the base
    URL; without it the first issue raises SitemapError. Raises OutputError if a file cannot be
    written, and ValueError for an invalid name. The files of the last run then stay unchanged.
    """
    if not re.fullmatch(r"[a-z0-9._-]+", name):
        raise ValueError(f"invalid name of a part: {name!r}; use a-z, 0-9, '.', '_' and '-'")
    layout = Layout(options, output_dir)
    rows = _rows(entries, options, on_issue or _refuse)
    parts: list[Child] = []
    with publication(output_dir, Report(), shared=True) as new:
        following = next(rows, None)
        while following:
            kept, following = fitting(chain([following], rows), layout)
            label = f"{name}-{len(parts) + 1}"
            for file in files_of(kept, label, layout):
                new.stage(file)
            parts.append(child_of(kept, label))
            kept.clear()  # before the next file is filled
        new.commit()
    return parts


def write_index(parts: Iterable[Child], options: Options, output_dir: Path) -> Report:
    """Write the index of all parts, add it to robots.txt and remove the parts of an earlier run.

    `parts` are the results of all calls of `write_part`, with the same options. The report lists
    the files that were written, unchanged and removed; without parts it changes none. Raises
    OutputError if a file cannot be written or there are too many parts for an index, and ValueError
    if two have the same name.
    """
    listed = sorted(parts, key=lambda part: part.label)
    for label, count in Counter(part.label for part in listed).items():
        if count > 1:
            raise ValueError(f"{count} parts have the name {label!r}")
    layout = Layout(options, output_dir)
    report = Report()
    if not listed:
        report.add("empty-sitemap", options.filename, report.why_empty())
        return report
    indexes = [index_file(listed, layout, form) for form in layout.formats]
    kept = [layout.file(part.label, form) for part in listed for form in layout.formats]
    put_in_place(indexes, layout, report, indexes[0].path, kept=kept)
    return report


def _rows(
    entries: Iterable[Entry] | Iterable[str], options: Options, on_issue: Callable[[Issue], None]
) -> Iterator[Row]:
    found = Report()
    for given in entries:
        entry = Entry(given) if isinstance(given, str) else given
        valid = with_valid_loc(entry, options, found)
        written = row(valid, options, found) if valid else None
        while found.issues:
            on_issue(found.issues.pop(0))
        if written:
            yield written


def _refuse(issue: Issue) -> None:
    raise SitemapError(f"{issue.where}: {issue.message} {issue.rule.fix}")
