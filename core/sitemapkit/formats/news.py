"""A sitemap of the articles of the last two days, for news search (Google's news extension, 0.9).

It is a file of its own, whose URL stays alive: with no fresh article it is empty, which is fine.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sitemapkit import dates, urls
from sitemapkit.model import OutputFile
from sitemapkit.patterns import PathPatterns
from sitemapkit.rules import and_more
from sitemapkit.xmltext import URLSET_FOOT, Namespace, element, escaped, urlset_head

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from sitemapkit.formats.registry import Site
    from sitemapkit.model import Entry
    from sitemapkit.options import News, Options
    from sitemapkit.report import Report

NAMESPACE = Namespace("news", "http://www.google.com/schemas/sitemap-news/0.9")

MOST = 1_000
"""Articles that a news sitemap may list."""

FRESH = timedelta(days=2)


def output_files(site: Site, _: str) -> Iterator[OutputFile]:
    """Yield the sitemap of the fresh articles; the report gets what is wrong with others."""
    layout, news = site.layout, site.layout.options.news
    if not news:
        return
    matching = _matching(site.entries, layout.options, news)
    _report_incomplete(matching, site.report)
    articles = _fresh(matching)
    if len(articles) > MOST:
        site.report.add("news-limit", "news", f"There are {len(articles):,}.")
    rows = "".join([_row(entry, published, news) for published, entry in articles[:MOST]])
    head = urlset_head(layout.marker("news"), [NAMESPACE] if rows else [])
    yield OutputFile(layout.news, [head, rows.encode(), URLSET_FOOT])


def _matching(entries: Sequence[Entry], options: Options, news: News) -> list[Entry]:
    patterns = PathPatterns(news.match)
    return [
        each
        for each in entries
        if patterns.match(urls.below(options.base_url, each.loc, encoding=options.url_encoding))
    ]


def _report_incomplete(entries: Sequence[Entry], report: Report) -> None:
    """Say which pages match and cannot be news; a listing of the articles may be among them."""
    incomplete = [each.loc for each in entries if not (each.title and each.published)]
    if incomplete:
        report.add("news-incomplete", incomplete[0], and_more(len(incomplete)))


def _fresh(entries: Sequence[Entry]) -> list[tuple[date, Entry]]:
    """Return articles that were published in the last two days, the newest first."""
    now = dates.now()
    dated = [
        (dates.known(entry.published), entry)
        for entry in entries
        if entry.published and entry.title
    ]
    fresh = [
        pair for pair in dated if not dates.is_future(pair[0], now) and not _is_old(pair[0], now)
    ]
    fresh.sort(key=lambda pair: pair[1].loc)
    fresh.sort(key=lambda pair: dates.sortable(pair[0]), reverse=True)
    return fresh


def _is_old(published: date, now: datetime) -> bool:
    start = now - FRESH
    return published < start if isinstance(published, datetime) else published < start.date()


def _row(entry: Entry, published: date, news: News) -> str:
    publication = element("news:name", news.name) + element("news:language", news.language)
    return (
        f"<url><loc>{escaped(entry.loc)}</loc><news:news>"
        f"<news:publication>{publication}</news:publication>"
        f"{element('news:publication_date', dates.w3c(published))}"
        f"{element('news:title', entry.title)}</news:news></url>\n"
    )
