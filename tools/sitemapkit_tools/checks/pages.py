"""Rules about the pages that are listed, and those that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.urls import resolve_or_none as resolved
from sitemapkit_tools.site.canonical import canonical_link, second_link
from sitemapkit_tools.sitemaps.robots import CRAWLER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import SiteSnapshot, UrlStatus
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl


def check_pages(site: SiteSnapshot) -> Iterator[Issue]:
    """Check what each listed URL answers; a URL that is listed twice is checked once."""
    for listed in {each.url: each for each in reversed(site.listed)}.values():
        if not site.robots.allows(listed.url):
            detail = f"{site.robots_location} forbids it to {CRAWLER}."
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
    if link.url and link.kind != "own":
        rule = _LISTED.get(link.kind, "canonical-elsewhere")
        yield listed.issue(rule, f"Its canonical link is {link.url}.")


_LISTED = {"dead": "canonical-dead", "back": "canonical-redirect"}
"""The rules that a listed page breaks by where its canonical link leads."""
