"""Sitemaps of any size: parts written one by one, anywhere, and an index of them all.

`write_part` takes any iterable of entries, or of plain URLs, and writes as many files as they
need, holding one batch at a time. Parts know nothing of each other: processes and machines can
write them side by side, each under a name of its own. What it returns is small and can be pickled.
`write_index` is called once, when all parts are there.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, cast

from sitemapkit.dates import newest_text
from sitemapkit.errors import OutputError, SitemapError
from sitemapkit.formats.txt import lines
from sitemapkit.formats.xml import Renderer, index_file
from sitemapkit.layout import TEXTS, Layout
from sitemapkit.model import Part
from sitemapkit.normalizer import URLS, batches
from sitemapkit.output.files import publication
from sitemapkit.output.write import limits_of, put_in_place
from sitemapkit.report import Report
from sitemapkit.xmltext import URLSET_FOOT, urlset_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from sitemapkit.formats.xml import Rendered
    from sitemapkit.model import Entry, Issue
    from sitemapkit.options import Options
    from sitemapkit.output.files import Publication
    from sitemapkit.xmltext import Namespace

_NAME = re.compile(r"[a-z0-9._-]+")


def write_part(
    entries: Iterable[Entry] | Iterable[str],
    options: Options,
    output_dir: Path,
    name: str,
    *,
    on_issue: Callable[[Issue], None] | None = None,
) -> list[Part]:
    """Write the files `sitemap-<name>-1.xml`, `-2` and so on; return what `write_index` needs.

    `entries` are Entry objects, or URLs as plain text, which are several times faster. They are
    written in their order, each as often as it comes. Memory stays flat: one batch is held at a
    time. Of `options` these count: base_url, filename, formats, max_urls, max_bytes, url_encoding.

    `on_issue` gets what cannot be written and is left out, such as a URL outside the base URL.
    Without it the first such thing raises SitemapError. Raises OutputError if a file cannot be
    written, and ValueError for a bad name. The files of the last run are then left whole.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a part cannot be called {name!r}: use a-z, 0-9, '.', '_' and '-'")
    layout = Layout(options, output_dir)
    renderer = Renderer(on_issue or _refuse, base=options.base_url, encoding=options.url_encoding)
    with publication(output_dir, shared=True) as new:
        parts = _write(_rendered(entries, renderer), new, layout, name)
        new.commit()
    return parts


def write_index(parts: Iterable[Part], options: Options, output_dir: Path) -> Report:
    """Write the index of all parts, name it in robots.txt and remove parts of an earlier run.

    `parts` is what all calls of `write_part` returned, with the same options. The report says
    which files were written, unchanged and removed. Raises OutputError if a file cannot be written
    or there are more parts than an index may list, and ValueError if two have the same name.
    """
    listed = sorted(parts, key=lambda part: part.label)
    twice = [label for label, times in Counter(part.label for part in listed).items() if times > 1]
    if twice:
        raise ValueError(f"two parts are called {twice[0]!r}")
    layout = Layout(options, output_dir)
    report = Report()
    if not listed:
        report.add("empty-sitemap", options.filename, report.why_empty())
    forms = layout.formats if listed else ()
    indexes = [index_file(listed, layout, form) for form in forms]
    kept = [layout.file(part.label, form) for part in listed for form in forms]
    entry_files = [index.path for index in indexes[:1]]
    put_in_place(indexes, layout, report, entry_files=entry_files, kept=kept)
    return report


def _rendered(entries: Iterable[Entry] | Iterable[str], renderer: Renderer) -> Iterator[Rendered]:
    unread = iter(cast("Iterable[Entry | str]", entries))
    first = next(unread, None)
    if first is None:
        return
    unread = chain([first], unread)
    if isinstance(first, str):
        yield from map(renderer.render_urls, batches(cast("Iterator[str]", unread), URLS))
    else:
        yield from map(renderer.render, batches(cast("Iterator[Entry]", unread)))


def _write(rendered: Iterable[Rendered], new: Publication, layout: Layout, name: str) -> list[Part]:
    """Write files in the entries' order, each as full as the limits allow."""
    parts: list[Part] = []
    declared: frozenset[Namespace] = frozenset()
    sitemap = None
    for entries in rendered:
        rest = entries
        declared |= rest.namespaces
        limits = limits_of(layout, declared)
        while rest.locs:
            sitemap = sitemap or _Sitemap(new, layout, f"{name}-{len(parts) + 1}", rest.namespaces)
            fitting, rest = rest.cut(limits.size - sitemap.size, limits.urls - sitemap.urls)
            sitemap.add(fitting)
            if rest.locs:
                sitemap.check_filled(rest)
                parts.append(sitemap.finish())
                sitemap = None
    return [*parts, sitemap.finish()] if sitemap else parts


class _Sitemap:
    """One file of a part, in each format, written as entries come."""

    def __init__(
        self, new: Publication, layout: Layout, label: str, namespaces: frozenset[Namespace]
    ) -> None:
        """Begin the files, as if `namespaces` were those of all entries to come."""
        self.urls = 0
        self.size = 0
        self._new = new
        self._layout = layout
        self._label = label
        self._lastmod = ""
        self._declared = namespaces
        self._used: frozenset[Namespace] = frozenset()
        self._files = {form: new.open(layout.place(label, form)) for form in layout.formats}
        self._write(self._head(namespaces), b"")

    def add(self, rendered: Rendered) -> None:
        """Write some entries."""
        self.urls += len(rendered.locs)
        self.size += len(rendered.data)
        self._lastmod = newest_text([self._lastmod, *rendered.lastmods])
        self._used |= rendered.namespaces
        has_texts = not self._files.keys().isdisjoint(TEXTS)
        self._write(rendered.data, lines(rendered) if has_texts else b"")

    def check_filled(self, rest: Rendered) -> None:
        """Raise OutputError if even this empty file has no room for the next entry."""
        if not self.urls:
            raise OutputError(
                f"the entry of {rest.locs[0]} fits no file of `max_bytes`; raise that option or"
                " list fewer images of the page"
            )

    def finish(self) -> Part:
        """End the files."""
        if self._used != self._declared:
            self._declare_anew()
        self._write(URLSET_FOOT, b"")
        for file in self._files.values():
            self._new.finish(file)
        return Part(self._label, self.urls, self._lastmod)

    def _declare_anew(self) -> None:
        """Write the files again, with the namespaces that have turned out to be used (D8)."""
        before = len(self._head(self._declared))
        for form, file in self._files.items():
            if form not in TEXTS:
                again = self._new.open(file.target)
                again.write(self._head(self._used))
                for piece in file.written(before):
                    again.write(piece)
                file.discard()
                self._files[form] = again

    def _head(self, namespaces: Iterable[Namespace]) -> bytes:
        return urlset_head(self._layout.marker(self._label), namespaces)

    def _write(self, xml: bytes, text: bytes) -> None:
        for form, file in self._files.items():
            file.write(text if form in TEXTS else xml)


def _refuse(issue: Issue) -> None:
    raise SitemapError(f"{issue.where}: {issue.message} {issue.rule.fix}")
