"""A sitemap of the articles of the last two days, for news search (Google's news extension, 0.9).

It is a separate file, and always there: without recent articles it is valid and empty.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit.model import OutputFile
from sitemapkit.patterns import PathPatterns
from sitemapkit.rules import grouped
from sitemapkit.xmltext import URLSET_FOOT, Namespace, element, urlset_head
from sitemapkit_extras.options import Extras

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from sitemapkit.formats.registry import Site
    from sitemapkit.model import Entry
    from sitemapkit_extras.options import News

NAMESPACE = Namespace("news", "http://www.google.com/schemas/sitemap-news/0.9")

MAX_ARTICLES = 1_000
"""Articles that a news sitemap may list."""

RECENT = timedelta(days=2)
"""How old an article may be."""


def output_files(site: Site) -> Iterator[OutputFile]:
    """Yield the sitemap of the recent articles; the report gets issues of other matching pages."""
    layout = site.layout
    options = layout.options
    news = Extras.of(options).news
    if not news:
        return
    patterns = PathPatterns(news.match)
    complete: list[tuple[date, Entry]] = []
    incomplete: list[str] = []
    for entry in site.entries:
        if not patterns.match(options.path_of(entry.loc)):
            continue
        if entry.title and entry.published:
            complete.append((dates.known(entry.published), entry))
        else:
            incomplete.append(entry.loc)
    site.report.issues += grouped("news-incomplete", incomplete)
    articles = _recent(complete)
    if len(articles) > MAX_ARTICLES:
        site.report.add("news-limit", "news", f"There are {len(articles):,}.")
    rows = [_row(entry, published, news) for published, entry in articles[:MAX_ARTICLES]]
    namespaces = [NAMESPACE] if rows else []
    head = urlset_head(layout.marker("news"), namespaces)
    file = layout.beside("-news.xml")  # no section has this label
    yield OutputFile(file, [head, "".join(rows).encode(), URLSET_FOOT], announced=True)


def _recent(articles: Sequence[tuple[date, Entry]]) -> list[tuple[date, Entry]]:
    """Return the articles of the last two days, the newest first, then by URL."""
    now = dates.build_time()
    start = now - RECENT
    recent: list[tuple[date, Entry]] = []
    for published, entry in articles:
        oldest = start if isinstance(published, datetime) else start.date()
        if published >= oldest and not dates.is_future(published, now):
            recent.append((published, entry))
    recent.sort(key=lambda pair: dates.sortable(pair[0]), reverse=True)
    return recent


def _row(entry: Entry, published: date, news: News) -> str:
    publication = element("news:name", news.name) + element("news:language", news.language)
    return (
        f"<url>{element('loc', entry.loc)}<news:news>"
        f"<news:publication>{publication}</news:publication>"
        f"{element('news:publication_date', dates.w3c(published))}"
        f"{element('news:title', entry.title)}</news:news></url>\n"
    )
