"""Sitemaps of any size: parts that are written independently, and an index of all parts.

`write_part` takes any iterable of entries, or of plain URLs, and writes as many files as needed,
with one batch in memory at a time. Processes and machines can write parts in parallel, each part
with a name of its own. The result is small and can be pickled. `write_index` is called once, after
all parts are written.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from sitemapkit.dates import newest_text
from sitemapkit.errors import SitemapError
from sitemapkit.formats.xml import Renderer, index_file
from sitemapkit.layout import TEXTS, Layout
from sitemapkit.model import SitemapPart
from sitemapkit.normalizer import URLS, batches
from sitemapkit.output.files import publication
from sitemapkit.output.write import put_in_place, size_limit, too_large
from sitemapkit.report import Report
from sitemapkit.xmltext import URLSET_FOOT, urlset_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from sitemapkit.formats.xml import Rendered
    from sitemapkit.model import Entry, Issue
    from sitemapkit.options import Options
    from sitemapkit.output.files import AtomicFile, Publication
    from sitemapkit.xmltext import Namespace


def write_part(
    entries: Iterable[Entry] | Iterable[str],
    options: Options,
    output_dir: Path,
    name: str,
    *,
    on_issue: Callable[[Issue], None] | None = None,
) -> list[SitemapPart]:
    """Write the files `sitemap-<name>-1.xml`, `-2` and so on; return what `write_index` needs.

    `entries` are Entry objects, or URLs as strings, which are several times as fast. They are
    written in their order, duplicates included. Memory use is constant: one batch at a time. Only
    these `options` count: base_url, filename, formats, max_urls, max_bytes, stylesheet,
    url_encoding.

    `on_issue` gets an issue for whatever is invalid and left out, such as a URL outside the base
    URL; without it the first issue raises SitemapError. Raises OutputError if a file cannot be
    written, and ValueError for an invalid name. The files of the last run then stay unchanged.
    """
    if not re.fullmatch(r"[a-z0-9._-]+", name):
        raise ValueError(f"invalid name of a part: {name!r}; use a-z, 0-9, '.', '_' and '-'")
    layout = Layout(options, output_dir)
    renderer = Renderer(on_issue or _refuse, base=options.base_url, encoding=options.url_encoding)
    with publication(output_dir, Report(), shared=True) as new:
        parts = _write(_rendered(entries, renderer), new, layout, name)
        new.commit()
    return parts


def write_index(parts: Iterable[SitemapPart], options: Options, output_dir: Path) -> Report:
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
    entry_files = [index.path for index in indexes[:1]]
    put_in_place(indexes, layout, report, entry_files=entry_files, kept=kept)
    return report


def _rendered(entries: Iterable[Entry] | Iterable[str], renderer: Renderer) -> Iterator[Rendered]:
    unread: Iterator[Any] = iter(entries)
    first = next(unread, None)
    every: Iterator[Any] = chain([first], unread)
    if isinstance(first, str):
        yield from map(renderer.render_urls, batches(every, URLS))
    elif first is not None:
        yield from map(renderer.render, batches(every))


def _write(
    rendered: Iterable[Rendered], new: Publication, layout: Layout, name: str
) -> list[SitemapPart]:
    """Write files in the order of the entries, each as full as the limits allow."""
    parts: list[SitemapPart] = []
    declared: frozenset[Namespace] = frozenset()
    sitemap = None
    for entries in rendered:
        rest = entries
        declared |= rest.namespaces
        size, urls = size_limit(layout, declared), layout.options.max_urls
        while rest.locs:
            sitemap = sitemap or _Sitemap(new, layout, f"{name}-{len(parts) + 1}", rest.namespaces)
            fitting, rest = rest.cut(size - sitemap.size, urls - sitemap.urls)
            sitemap.add(fitting)
            if rest.locs:
                if not sitemap.urls:
                    raise too_large(rest.locs[0], rest.data.index(b"\n") + 1)
                parts.append(sitemap.finish())
                sitemap = None
    return [*parts, sitemap.finish()] if sitemap else parts


class _Sitemap:
    """One file of a part in each format, written batch by batch."""

    def __init__(
        self, new: Publication, layout: Layout, label: str, namespaces: frozenset[Namespace]
    ) -> None:
        """Begin the files, with a declaration of `namespaces`; `finish` corrects it if needed."""
        self.urls = 0
        self.size = 0
        self._new = new
        self._layout = layout
        self._label = label
        self._lastmod = ""
        self._declared = namespaces
        self._used: frozenset[Namespace] = frozenset()
        self._files = {form: self._open(form) for form in layout.formats}
        self._write(self._head(namespaces), b"")

    def add(self, rendered: Rendered) -> None:
        """Write entries."""
        self.urls += len(rendered.locs)
        self.size += len(rendered.data)
        self._lastmod = newest_text([self._lastmod, *rendered.lastmods])
        self._used |= rendered.namespaces
        has_texts = any(form in self._files for form in TEXTS)
        self._write(rendered.data, rendered.urls() if has_texts else b"")

    def finish(self) -> SitemapPart:
        """Complete the files."""
        if self._used != self._declared:
            self._redeclare()
        self._write(URLSET_FOOT, b"")
        for file in self._files.values():
            self._new.finish(file)
        return SitemapPart(self._label, self.urls, self._lastmod)

    def _redeclare(self) -> None:
        """Write the files again, with a declaration of the namespaces in use (D8)."""
        start = len(self._head(self._declared))
        for form, old in self._files.items():
            if form not in TEXTS:
                self._files[form] = new = self._open(form)
                for piece in chain([self._head(self._used)], old.written(start)):
                    new.write(piece)
                old.discard()

    def _open(self, form: str) -> AtomicFile:
        return self._new.open(self._layout.output_file(self._label, form))

    def _head(self, namespaces: Iterable[Namespace]) -> bytes:
        return urlset_head(self._layout.marker(self._label), namespaces)

    def _write(self, xml: bytes, text: bytes) -> None:
        for form, file in self._files.items():
            file.write(text if form in TEXTS else xml)


def _refuse(issue: Issue) -> None:
    raise SitemapError(f"{issue.where}: {issue.message} {issue.rule.fix}")
