"""What is wrong with the pages of builds that are merged, and which end up in no sitemap."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sitemapkit_tools.checks.canonical import check_canonicals, joined
from sitemapkit_tools.issues import RULES, as_note, issue
from sitemapkit_tools.site.canonical import end_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.merge.pages import BuildPages
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.site.versions import Versions


def page_issues(
    found: Sequence[BuildPages], site: SiteSnapshot, versions: Versions, decided: Iterable[str]
) -> Iterator[Issue]:
    """Yield the issues of all pages that were read, one for each rule and build.

    `decided` are the URLs that are listed, or left out by an option.
    """
    statuses = map(site.answer, decided)
    known = {status.location for status in statuses if status}
    for build in found:
        yield from _of_build(build, site, versions, known)


def _of_build(
    build: BuildPages, site: SiteSnapshot, versions: Versions, known: Container[str]
) -> Iterator[Issue]:
    canonical = check_canonicals(build.pages, site, versions, ())
    nowhere = _listed_nowhere(build, site, known)
    url = build.build.tree.base_url
    return joined(chain(canonical, nowhere), RULES, lambda _: url, site.base_url)


def _listed_nowhere(
    build: BuildPages, site: SiteSnapshot, known: Container[str]
) -> Iterator[Issue]:
    """Yield an issue of each page which may be indexed and leads to no page at a known location."""
    is_ours = any(file.is_ours for file in build.build.files)
    for page, location in build.indexable():
        end = end_of(page.url, site.answer)
        if end and not (end.is_gone or end.is_noindex or end.location in known):
            nowhere = issue("not-listed", page.url, "", location)
            yield as_note(nowhere) if is_ours else nowhere
