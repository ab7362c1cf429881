"""The other files that tell of the same pages: for people, for feed readers, for news search."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from sitemapkit.output.feed import atom_feed
from sitemapkit.output.files import Document
from sitemapkit.output.news import news_sitemap
from sitemapkit.output.people import people_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.entry import Entry
    from sitemapkit.output.layout import Layout
    from sitemapkit.report import Report


def companions(entries: Sequence[Entry], layout: Layout, report: Report) -> Iterator[Document]:
    """Yield the files that the options ask for beside the sitemap; `entries` are sorted."""
    options = layout.options
    if entries and "html" in options.formats:
        for name, page in people_pages(entries, options, layout.mark).items():
            yield Document(layout.beside(name), [page])
    if entries and "atom" in options.formats:
        file = layout.companion(".atom")
        if feed := atom_feed(entries, options, layout.url(file), layout.mark):
            yield Document(file, [feed])
    if entries and options.stylesheet:
        yield Document(layout.companion(".css"), [_stylesheet(layout.mark)])
    if options.news:
        news = news_sitemap(entries, options, options.news, layout.marker("news"), report)
        yield Document(layout.news, [news])
    if key := options.indexnow_key:
        yield Document(layout.output_dir / f"{key}.txt", [key.encode()])


def _stylesheet(mark: str) -> bytes:
    text = files("sitemapkit.output.templates").joinpath("xml.css").read_bytes()
    return f"/* {mark} */\n".encode() + text
