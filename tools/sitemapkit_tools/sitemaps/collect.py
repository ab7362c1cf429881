"""All sitemaps of a site: from the ones that are named, through the indexes, to the last one."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit_tools.site.snapshot import Document, UnreadableError, normal
from sitemapkit_tools.sitemaps.read import read_sitemap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sitemapkit_tools.site.snapshot import Source
    from sitemapkit_tools.sitemaps.sitemap_file import Listing

    _Errand = tuple[str, Document | None, int | None, int]
    """A URL to read, the index and line that name it, and how many indexes are above it."""

MAX_DOCUMENTS = 10_000
"""Sitemaps that are read of one site."""

MAX_LISTED = 5_000_000
"""URLs that are kept of one site."""

_MAX_NESTING = 5


def collect(named: Iterable[str], source: Source) -> list[Document]:
    """Return the sitemaps at these URLs and those that indexes among them name, each once.

    An index in an index is against the protocol, but read, so that all its pages are known; where
    indexes name each other in a circle, each is read once.
    """
    waiting: deque[_Errand] = deque((url, None, None, 0) for url in named)
    found: dict[str, Document] = {}
    listed = 0
    while waiting and len(found) < MAX_DOCUMENTS and listed < MAX_LISTED:
        url, parent, line, nesting = waiting.popleft()
        if url in found:
            continue
        document = found[url] = _read(url, source, parent, line)
        sitemap = document.sitemap
        listed += len(sitemap.listings) if sitemap else 0
        if sitemap and sitemap.kind == "index" and nesting < _MAX_NESTING:
            for child in sitemap.listings:
                if target := _fetchable(child, document):
                    waiting.append((target, document, child.line, nesting + 1))
    return list(found.values())


def is_full(documents: Collection[Document]) -> bool:
    """Tell whether so much was read of a site that no more is."""
    listed = sum(len(each.sitemap.listings) for each in documents if each.sitemap)
    return len(documents) >= MAX_DOCUMENTS or listed >= MAX_LISTED


def _read(url: str, source: Source, parent: Document | None, line: int | None) -> Document:
    try:
        sitemap = read_sitemap(source.read(url))
    except UnreadableError as error:
        return Document(url, source.place(url), None, error, parent, line)
    return Document(url, source.place(url), sitemap, None, parent, line)


def _fetchable(child: Listing, index: Document) -> str | None:
    """Return the URL of a child on the index's own host; others are reported, not read (P5).

    An index that is just a file has no host; then its children lie beside it.
    """
    url = normal(child.loc)
    same_host = url and urlsplit(index.url).netloc in ("", urlsplit(url).netloc)
    return url if same_host else None
