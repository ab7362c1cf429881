"""Rendered entries to documents: one file, or children and their index, in every format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemapkit.errors import OutputError
from sitemapkit.options import MAX_BYTES, MAX_URLS
from sitemapkit.output.files import Document
from sitemapkit.output.shards import Limits
from sitemapkit.output.values import newest
from sitemapkit.output.xml import longest_frame, sitemapindex, urlset_frame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapkit.output.layout import Layout
    from sitemapkit.output.xml import Rendered


@dataclass(frozen=True, slots=True)
class Part:
    """One child of an index, in each format."""

    label: str
    """What its file names have between the name of the index and the suffix."""

    urls: int
    """How many URLs it lists."""

    lastmod: str
    """The newest of their dates (rule IX4), "" if none has one."""


@dataclass(slots=True)
class Shard:
    """The entries of one sitemap file."""

    chunks: list[bytes] = field(default_factory=list[bytes])
    texts: list[bytes] = field(default_factory=list[bytes])
    tags: set[bytes] = field(default_factory=set[bytes])
    urls: int = 0
    size: int = 0
    lastmod: str = ""

    @classmethod
    def of(cls, rendered: Rendered, layout: Layout) -> Shard:
        """Return a shard of these entries."""
        shard = cls()
        shard.add(rendered, layout)
        return shard

    def add(self, rendered: Rendered, layout: Layout) -> None:
        """Add entries at the end."""
        self.chunks.append(rendered.data)
        self.tags |= rendered.tags()
        self.urls += len(rendered.locs)
        self.size += len(rendered.data)
        self.lastmod = newest([self.lastmod, *rendered.lastmods])
        if layout.has_texts:
            self.texts.append(rendered.text())

    def part(self, label: str) -> Part:
        """Return what an index needs to know of these entries."""
        return Part(label, self.urls, self.lastmod)

    def documents(self, layout: Layout, label: str) -> Iterator[Document]:
        """Yield these entries in each format; `label` is "" for the file that holds everything.

        Raises OutputError where a file that is not ours stands in the place of a child.
        """
        head, foot = urlset_frame(layout.marker(label), self.tags)
        for form in layout.formats:
            file = layout.file(label, form)
            if label and layout.is_foreign(file):
                raise OutputError(
                    f"{file} is in the way of a part of the sitemap; remove it if an earlier tool"
                    " wrote it, else choose another `filename`"
                )
            is_text = form in ("txt", "txt.gz")
            yield Document(file, self.texts if is_text else [head, *self.chunks, foot])


def limits_of(layout: Layout) -> Limits:
    """Return how many entries, and bytes of them, a file may hold (rules D10, TX2)."""
    options = layout.options
    return Limits(options.max_urls, options.max_bytes - longest_frame(layout.marker("part")))


def fill(rendered: Iterable[Rendered], layout: Layout, limits: Limits) -> Iterator[Shard]:
    """Yield shards in the entries' order, each as full as the limits allow, holding one at a time.

    Raises OutputError if an entry fits no file.
    """
    shard = Shard()
    for entries in rendered:
        rest = entries
        while not limits.fit(shard.urls + len(rest.locs), shard.size + len(rest.data)):
            fitting, rest = rest.cut(limits.size - shard.size, limits.urls - shard.urls)
            shard.add(fitting, layout)
            if not shard.urls:  # an empty one has all the room there is
                raise OutputError(
                    f"the entry of {rest.locs[0]} fits no file of `max_bytes`; raise that option"
                    " or list fewer images of the page"
                )
            yield shard
            shard = Shard()
        shard.add(rest, layout)
    if shard.urls:
        yield shard


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
