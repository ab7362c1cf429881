"""The other files that tell of the same pages: for people, for feed readers, for news search.

What makes them is imported where it is wanted, so that other sites do not pay for loading it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.output.files import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Entry
    from sitemapkit.options import News
    from sitemapkit.output.layout import Layout
    from sitemapkit.report import Report


def companions(entries: Sequence[Entry], layout: Layout, report: Report) -> Iterator[Document]:
    """Yield the files that the options ask for beside the sitemap; `entries` are sorted."""
    options = layout.options
    if entries and "html" in options.formats:
        yield from _people(entries, layout)
    if entries and "atom" in options.formats:
        yield from _feed(entries, layout)
    if entries and options.stylesheet:
        yield _stylesheet(layout)
    if options.news:
        yield _news(entries, layout, options.news, report)
    if key := options.indexnow_key:
        yield Document(layout.output_dir / f"{key}.txt", [key.encode()])


def _people(entries: Sequence[Entry], layout: Layout) -> Iterator[Document]:
    from sitemapkit.output.people import people_pages  # noqa: PLC0415

    for name, page in people_pages(entries, layout.options, layout.mark).items():
        yield Document(layout.beside(name), [page])


def _feed(entries: Sequence[Entry], layout: Layout) -> Iterator[Document]:
    from sitemapkit.output.feed import atom_feed  # noqa: PLC0415

    file = layout.companion(".atom")
    if feed := atom_feed(entries, layout.options, layout.url(file), layout.mark):
        yield Document(file, [feed])


def _stylesheet(layout: Layout) -> Document:
    text = Path(__file__).with_name("templates").joinpath("xml.css").read_bytes()
    return Document(layout.companion(".css"), [f"/* {layout.mark} */\n".encode() + text])


def _news(entries: Sequence[Entry], layout: Layout, news: News, report: Report) -> Document:
    from sitemapkit.output.news import news_sitemap  # noqa: PLC0415

    text = news_sitemap(entries, layout.options, news, layout.marker("news"), report)
    return Document(layout.news, [text])
