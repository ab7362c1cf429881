"""Rules about the pages that are listed, and those that are not."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit.urls import resolve_or_none as resolved
from sitemapkit_tools.site.canonical import canonical_link, second_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import SiteSnapshot, UrlStatus
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl

_ONE_DAY = 86_400


def check_pages(site: SiteSnapshot) -> Iterator[Issue]:
    """Check what each listed URL answers; a URL that is listed twice is checked once."""
    for listed in {each.url: each for each in reversed(site.listed)}.values():
        if not site.robots.allows(listed.url, site.agent):
            detail = f"{site.robots_location} forbids it to {site.agent}."
            yield listed.issue("robots-disallowed", detail)
        if status := site.statuses.get(listed.url):
            yield from _answer(status, listed, site)


def _answer(status: UrlStatus, listed: ListedUrl, site: SiteSnapshot) -> Iterator[Issue]:
    if broken := _no_page(status, listed):
        yield broken
        return
    if status.noindex:
        detail = status.detail or "The header X-Robots-Tag says so."
        yield listed.issue("noindex", detail)
    elif status.facts and status.facts.head.noindex:
        yield listed.issue("noindex", f"The robots element in {status.location} says so.")
    if status.facts:
        if status.facts.head.unread:
            yield listed.issue("page-cut", status.facts.head.unread)
        if not second_link(status.facts.head, listed.url):
            yield from _canonical(listed, site)
        yield from _date(listed, status.facts.modified)


def _no_page(status: UrlStatus, listed: ListedUrl) -> Issue | None:
    """Return what is wrong with a URL that does not answer with a page of its own."""
    detail = status.detail or f"It answers {status.code}."
    if status.is_gone:
        return listed.issue("missing-page", detail)
    if status.target == listed.url:
        return listed.issue("unreachable", "It redirects to itself.")
    if status.target:
        return listed.issue("redirect", f"It leads to {status.target}.")
    if status.code != 200:  # noqa: PLR2004 - HTTP's "OK"
        return listed.issue("unreachable", detail)
    refresh = status.facts.head.refresh if status.facts else None
    target = resolved(refresh, listed.url)
    if target and target != listed.url:
        return listed.issue("redirect", f"Its refresh leads to {target}.")
    return None


def _canonical(listed: ListedUrl, site: SiteSnapshot) -> Iterator[Issue]:
    link = canonical_link(listed.url, site.answer)
    if link.url:
        rule = _LISTED.get(link.kind, "canonical-elsewhere")
        yield listed.issue(rule, f"Its canonical link is {link.url}.")


_LISTED = {"own": "slash-style", "dead": "canonical-dead", "back": "canonical-redirect"}
"""The rules that a listed page breaks by where its canonical link leads."""


def _date(listed: ListedUrl, modified: date | None) -> Iterator[Issue]:
    """Compare days; the page may state its day in another zone than the sitemap."""
    value = listed.element.valid_lastmod
    if value and modified and abs(_seconds(value) - _seconds(modified)) > 2 * _ONE_DAY:
        detail = f"The sitemap says {listed.element.lastmod}, the page {dates.w3c(modified)}."
        yield listed.file.chosen(listed.issue("date-differs", detail))


def _seconds(value: date) -> float:
    if isinstance(value, datetime):
        return value.timestamp()
    return datetime(value.year, value.month, value.day, tzinfo=UTC).timestamp()
