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

_RECENT = timedelta(days=2)


def output_files(site: Site) -> Iterator[OutputFile]:
    """Yield the sitemap of the recent articles; the report gets issues of other matching pages."""
    layout, options, news = site.layout, site.layout.options, Extras.of(site.layout.options).news
    if not news:
        return
    patterns = PathPatterns(news.match)
    matching = [each for each in site.entries if patterns.match(options.path_of(each.loc))]
    incomplete = [each.loc for each in matching if not (each.title and each.published)]
    site.report.issues += grouped("news-incomplete", incomplete)
    articles = _recent(matching)
    if len(articles) > MAX_ARTICLES:
        site.report.add("news-limit", "news", f"There are {len(articles):,}.")
    rows = "".join([_row(entry, published, news) for published, entry in articles[:MAX_ARTICLES]])
    head = urlset_head(layout.marker("news"), [NAMESPACE] if rows else [])
    file = layout.beside("-news.xml")  # no section has this label
    yield OutputFile(file, [head, rows.encode(), URLSET_FOOT], announced=True)


def _recent(entries: Sequence[Entry]) -> list[tuple[date, Entry]]:
    """Return the complete articles of the last two days, the newest first, then by URL."""
    now = dates.build_time()
    dated = [
        (dates.known(entry.published), entry)
        for entry in entries
        if entry.published and entry.title
    ]
    recent = [pair for pair in dated if _is_recent(pair[0], now)]
    recent.sort(key=lambda pair: dates.sortable(pair[0]), reverse=True)
    return recent


def _is_recent(published: date, now: datetime) -> bool:
    start = now - _RECENT
    is_old = published < (start if isinstance(published, datetime) else start.date())
    return not is_old and not dates.is_future(published, now)


def _row(entry: Entry, published: date, news: News) -> str:
    publication = element("news:name", news.name) + element("news:language", news.language)
    return (
        f"<url>{element('loc', entry.loc)}<news:news>"
        f"<news:publication>{publication}</news:publication>"
        f"{element('news:publication_date', dates.w3c(published))}"
        f"{element('news:title', entry.title)}</news:news></url>\n"
    )
