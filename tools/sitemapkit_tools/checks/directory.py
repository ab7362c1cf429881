"""Rules that only the files of a site can answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit.report import Report
from sitemapkit.select import select
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.scan import ScanSettings, to_pages
from sitemapkit_tools.site.snapshot import resolved
from sitemapkit_tools.sitemaps.read import MAX_FILE, gunzip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from sitemapkit.model import Issue
    from sitemapkit.options import Options
    from sitemapkit_tools.site.output_dir import Tree
    from sitemapkit_tools.site.read_pages import Look
    from sitemapkit_tools.site.snapshot import Survey


def check_directory(tree: Tree, survey: Survey) -> Iterator[Issue]:
    """Check packed copies of the sitemaps, and a robots.txt where nobody reads one."""
    for document in survey.documents:
        yield from _copy(tree, document.place)
    if "robots.txt" in tree.files and urlsplit(tree.base_url).path != "/":
        detail = f"The root of the host is above {tree.base_url}"
        yield issue("robots-not-at-root", "robots.txt", detail, "robots.txt")


def check_choice(
    tree: Tree, looked: Sequence[Look], survey: Survey, options: Options, deliberate: Set[str]
) -> Iterator[Issue]:
    """Check that what should be found is listed, and nothing else is.

    `options` and `deliberate`, URLs that a build decided about, say what is so on purpose.
    """
    wanted = dict(_indexable(tree, looked, options))
    for listed in survey.listed:
        view = survey.views.get(listed.url)
        if view and view.generated and listed.url not in {*wanted, *deliberate}:
            place, line = listed.document.place, listed.listing.line
            yield issue("generated-page", listed.url, f"It is {view.place}.", place, line)
    if not survey.whole:  # then the pages of what could not be read would seem to be missing
        return
    reached = {survey.views[each.url].place for each in survey.listed if each.url in survey.views}
    for url, place in wanted.items():
        allowed = not survey.robots or survey.robots.allows(url, survey.agent)
        if allowed and place not in reached and url not in deliberate:
            yield issue("not-listed", url, f"It is {place}.", place)


def _indexable(tree: Tree, looked: Sequence[Look], options: Options) -> Iterator[tuple[str, str]]:
    """Yield the URL and the file of each page that a build would list."""
    readable = [look for look in looked if not look.error]
    pages = to_pages(readable, tree, ScanSettings())
    for found in select(pages, options, Report()):
        head, file = found.page.head, found.page.output
        own = not (head and head.canonical) or resolved(head.canonical, found.loc) == found.loc
        if own and file:  # a build would list also what disclaims itself for a page that is gone
            yield found.loc, Path(file).relative_to(tree.root).as_posix()


def _beginning(tree: Tree, file: str) -> bytes:
    with tree.path(file).open("rb") as stream:
        return stream.read(MAX_FILE + 1)


_PACKED_CHILD = re.compile(rb"\.gz(?=</loc>)")
"""What a packed index says that names the packed sitemaps, and is none the worse for it."""


def _copy(tree: Tree, place: str) -> Iterator[Issue]:
    packed = f"{place}.gz"
    if place not in tree.files or packed not in tree.files:
        return
    try:
        copy = gunzip(_beginning(tree, packed))
        same = _beginning(tree, place) in (copy, _PACKED_CHILD.sub(b"", copy))
    except ValueError as error:
        yield issue("gzip-broken", packed, f"{str(error).capitalize()}.", packed)
        return
    if not same:
        yield issue("gzip-differs", packed, f"It differs from {place}.", packed)
