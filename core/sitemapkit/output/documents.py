"""Rendered entries to documents: one file, or children and their index, in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.errors import OutputError
from sitemapkit.options import MAX_BYTES, MAX_URLS
from sitemapkit.output.files import Document
from sitemapkit.output.indent import broken
from sitemapkit.output.shards import Limits
from sitemapkit.output.values import newest
from sitemapkit.output.xml import longest_frame, sitemapindex, urlset_frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemapkit.options import Format
    from sitemapkit.output.layout import Layout
    from sitemapkit.output.xml import Rendered


TEXTS = ("txt", "txt.gz")


class Part(Struct, frozen=True):
    """One child of an index, in each format."""

    label: str
    """What its file names have between the name of the index and the suffix."""

    urls: int
    """How many URLs it lists."""

    lastmod: str
    """The newest of their dates (rule IX4), "" if none has one."""


def part_of(rendered: Rendered, label: str) -> Part:
    """Return what an index needs to know of a child with these entries."""
    return Part(label, len(rendered.locs), newest(rendered.lastmods))


def documents_of(rendered: Rendered, layout: Layout, label: str) -> Iterator[Document]:
    """Yield these entries in each format; `label` is "" for the file that holds everything.

    Raises OutputError where a file that is not ours stands in the place of a child.
    """
    head, foot = urlset_frame(layout.marker(label), rendered.tags)
    data = rendered.data
    if layout.options.indent:
        head, data = broken(head, data)
    for form in layout.formats:
        file = place_of(form, layout, label)
        chunks = [rendered.text()] if form in TEXTS else [head, data, foot]
        yield Document(file, chunks)


def place_of(form: Format, layout: Layout, label: str) -> Path:
    """Return the file of a format.

    Raises OutputError where a file that is not ours stands in the place of a child.
    """
    file = layout.file(label, form)
    if label and layout.is_foreign(file):
        raise OutputError(
            f"{file} is in the way of a part of the sitemap; remove it if an earlier tool wrote"
            " it, else choose another `filename`"
        )
    return file


def limits_of(layout: Layout) -> Limits:
    """Return how many entries, and bytes of them, a file may hold (rules D10, TX2)."""
    options = layout.options
    return Limits(options.max_urls, options.max_bytes - longest_frame(layout.marker("part")))


def index_documents(parts: Sequence[Part], layout: Layout) -> list[Document]:
    """Return the index of each format.

    Raises OutputError if there are too many parts (rule IX2): an index cannot list indexes (IX3).
    """
    documents: list[Document] = []
    for form in layout.formats:
        children = [(layout.url(layout.file(part.label, form)), part.lastmod) for part in parts]
        data = sitemapindex(layout.marker(""), children)
        if len(parts) > MAX_URLS or len(data) > MAX_BYTES:
            raise OutputError(
                f"{layout.index(form)} would list {len(parts):,} files in {len(data):,} bytes; an"
                f" index may list {MAX_URLS:,} in {MAX_BYTES:,}. Raise `max_urls` and `max_bytes`,"
                " or write several sitemaps, each with a `filename` of its own."
            )
        documents.append(Document(layout.index(form), [data]))
    return documents
