"""Rules about sitemap files and indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit.urls import normalize_or_none
from sitemapkit_extras.extensions.images import MAX_IMAGES
from sitemapkit_tools.issues import issue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile, UrlElement


def check_files(site: SiteSnapshot) -> Iterator[Issue]:
    """Check each sitemap file by itself, and each index against the sitemaps that it names."""
    by_url = {file.url: file for file in site.files}
    in_robots = set(site.robots.sitemap_urls)
    for file in site.files:
        if file.error:
            if not (file.is_missing and file.url in in_robots):  # that is an error in robots.txt
                yield _unreadable(file)
            continue
        for found in file.issues:
            if not (file.kind == "feed" and found.rule.id == "encoding"):
                yield found
        yield from _too_many_images(file)
        if file.is_index:
            yield from _children(file, by_url)
    if site.unread:
        yield issue("not-checked", site.base_url, f"Only {site.unread}.", site.base_url)


def _unreadable(file: SitemapFile) -> Issue:
    detail = str(file.error)
    if not file.is_missing:
        return file.issue("unreadable", file.url, detail)
    if file.index:
        return file.index.issue("missing-child", file.url, detail, file.index_line)
    return file.issue("missing-sitemap", file.url, detail)


def _too_many_images(file: SitemapFile) -> Iterator[Issue]:
    for element in file.elements:
        if len(element.images) > MAX_IMAGES:
            detail = f"It lists {len(element.images):,}."
            yield file.element_issue("too-many-images", element, detail)


def _children(index: SitemapFile, by_url: Mapping[str, SitemapFile]) -> Iterator[Issue]:
    folder = index.url.rpartition("/")[0] + "/"
    for child in index.elements:
        url = normalize_or_none(child.loc)
        if url is None:
            yield index.element_issue("bad-url", child, "It is not a valid URL.")
        elif (host := urlsplit(url).netloc) != urlsplit(folder).netloc:
            yield index.element_issue("child-other-host", child, f"It is on {host}.")
        else:
            if not url.startswith(folder):
                yield index.element_issue("child-scope", child, f"It is not below {folder}.")
            yield from _child(child, by_url.get(url), index)


def _child(child: UrlElement, file: SitemapFile | None, index: SitemapFile) -> Iterator[Issue]:
    if file is not None and file.is_index and not file.error:
        detail = "It names itself." if file is index else "It is an index, too."
        yield index.element_issue("nested-index", child, detail)
