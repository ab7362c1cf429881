"""Rules about sitemap files and indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit import dates
from sitemapkit.images import MOST as MOST_IMAGES
from sitemapkit_tools.checks.dates import stated_date
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.snapshot import normal
from sitemapkit_tools.sitemaps.collect import is_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import Document, Survey
    from sitemapkit_tools.sitemaps.sitemap_file import Listing


def check_files(survey: Survey) -> Iterator[Issue]:
    """Check each sitemap file for itself, and each index against what it names."""
    by_url = {document.url: document for document in survey.documents}
    lines = survey.robots.sitemaps if survey.robots else []
    by_robots = {normal(line.value) for line in lines}
    for document in survey.documents:
        if document.sitemap is None:
            missing = document.error and document.error.missing
            if not (missing and document.url in by_robots):  # else it is robots.txt that is wrong
                yield _not_there(document)
            continue
        yield from _flaws(document)
        yield from _too_many_images(document)
        if document.sitemap.kind == "index":
            yield from _children(document, by_url)
    if is_full(survey.documents):
        detail = f"Only {len(survey.documents):,} sitemaps with {len(survey.listed):,} URLs were."
        yield issue("not-checked", survey.base_url, detail, survey.base_url)


def _not_there(document: Document) -> Issue:
    detail = str(document.error)
    index = document.named_by
    if document.error and document.error.missing:
        if index:
            return issue("missing-child", document.url, detail, index.place, document.line)
        return issue("missing-sitemap", document.url, detail, document.place)
    return issue("unreadable", document.url, detail, document.place)


def _flaws(document: Document) -> Iterator[Issue]:
    for flaw in document.sitemap.flaws if document.sitemap else ():
        if flaw.rule == "empty-sitemap" and document.is_for_news:
            continue
        subject = f"{document.url} {flaw.subject}".strip()
        yield issue(flaw.rule, subject, flaw.detail, document.place, flaw.line)


def _too_many_images(document: Document) -> Iterator[Issue]:
    for listing in document.sitemap.listings if document.sitemap else ():
        if len(listing.images) > MOST_IMAGES:
            detail = f"It lists {len(listing.images):,}."
            yield issue("too-many-images", listing.loc, detail, document.place, listing.line)


def _children(index: Document, by_url: Mapping[str, Document]) -> Iterator[Issue]:
    folder = index.url.rpartition("/")[0] + "/"
    for child in index.sitemap.listings if index.sitemap else ():
        url = normal(child.loc)
        if url is None:
            yield issue("bad-url", child.loc, "It is no URL.", index.place, child.line)
        elif urlsplit(url).netloc != urlsplit(index.url).netloc:
            detail = f"It is on {urlsplit(url).netloc}."
            yield issue("child-other-host", child.loc, detail, index.place, child.line)
        else:
            if not url.startswith(folder):
                detail = f"It is not below {folder}."
                yield issue("child-scope", child.loc, detail, index.place, child.line)
            yield from _child(child, by_url.get(url), index)


def _child(child: Listing, document: Document | None, index: Document) -> Iterator[Issue]:
    if document is None or document.sitemap is None:
        return
    if document.sitemap.kind == "index":
        itself = "It names itself." if document is index else "It names an index."
        yield issue("nested-index", child.loc, itself, index.place, child.line)
        return
    said, newest = stated_date(child.lastmod), _newest(document)
    if said and newest and dates.sortable(said)[: len(_DAY)] < dates.sortable(newest)[: len(_DAY)]:
        detail = f"It says {child.lastmod}, and the newest page {dates.w3c(newest)}."
        yield issue("index-date", child.loc, detail, index.place, child.line)


_DAY = "2006-01-02"


def _newest(document: Document) -> date | None:
    known = [
        found
        for listing in (document.sitemap.listings if document.sitemap else ())
        if (found := stated_date(listing.lastmod))
    ]
    return max(known, key=dates.sortable, default=None)
