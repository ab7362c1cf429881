"""The pages of builds that are served together: what each says, and what any URL answers."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit import dates
from sitemapkit.errors import SitemapError
from sitemapkit.head import NOTHING
from sitemapkit_tools.checks.canonical import check_canonicals, joined
from sitemapkit_tools.issues import RULES, as_note, issue
from sitemapkit_tools.merge.builds import owner_of
from sitemapkit_tools.site.canonical import canonical_link, end_of
from sitemapkit_tools.site.directory import REMEMBERED, answers, read_robots
from sitemapkit_tools.site.judgement import links_tell
from sitemapkit_tools.site.output_dir import is_page
from sitemapkit_tools.site.read_pages import ReadOptions, read_pages, read_site
from sitemapkit_tools.site.scan import site_pages
from sitemapkit_tools.site.snapshot import SiteSnapshot, UrlStatus
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import UrlElement

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.merge.builds import SiteBuild
    from sitemapkit_tools.site.canonical import Answer
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.site.scan import SitePage
    from sitemapkit_tools.site.versions import Versions


class BuildPages(Struct, frozen=True):
    """A build, and its pages as far as they were read."""

    build: SiteBuild
    pages: Sequence[SitePage]
    answer: Answer
    """Returns what a URL below the build's own answers."""

    def indexable(self) -> Iterator[SitePage]:
        """Yield the pages that search engines may index."""
        for each in self.pages:
            page, head = each.page, each.page.head or NOTHING
            if page.kind == "page" and not (page.excluded or head.noindex or head.refresh):
                yield each


def read_builds(
    builds: Sequence[SiteBuild],
    read: Sequence[SiteBuild],
    jobs: int | None,
    on_progress: OnProgress,
) -> list[BuildPages]:
    """Return the builds with the pages of those in `read`, and of those without a sitemap."""
    found: list[BuildPages] = []
    for build in builds:
        files = _own_files(build, builds) if build in read or not build.files else []
        options = ReadOptions(links=links_tell(build.tree))
        reads, links = read_site(build.tree, files, options, jobs=jobs, on_progress=on_progress)
        pages = site_pages(reads, build.tree, links, build.prefix)
        found.append(BuildPages(build, pages, answers(build.tree, reads, build.prefix)))
    return found


def _own_files(build: SiteBuild, builds: Sequence[SiteBuild]) -> list[str]:
    """Return the pages of a build, without those of other builds below it."""
    tree = build.tree
    inner = tuple(each.tree.base_url for each in builds if each is not build)
    inner = tuple(url for url in inner if url.startswith(tree.base_url))
    return [file for file in tree.pages() if not (inner and tree.url_of(file).startswith(inner))]


def merged_site(found: Sequence[BuildPages], whole: OutputDir) -> SiteSnapshot:
    """Return the site that builds are together; `whole` has what else is served there."""
    builds = [each.build for each in found]
    owner = owner_of(builds)
    by_url = {each.build.tree.base_url: each.answer for each in found}
    beside = _beside(whole, is_all=all(build.is_inside for build in builds))

    def answer(url: str) -> UrlStatus | None:
        build = owner(url)
        return by_url[build.tree.base_url](url) if build else beside(url)

    at_root = urlsplit(whole.base_url).path == "/"
    return SiteSnapshot(
        base_url=whole.base_url,
        files=(),
        listed=(),
        now=dates.now(),
        robots=read_robots(whole) if at_root else RobotsTxt(),
        robots_location="robots.txt",
        answer=answer,
    )


def _beside(whole: OutputDir, *, is_all: bool) -> Answer:
    """Return what answers for URLs of no build; `is_all`: what is not in `whole` is nowhere."""

    @lru_cache(REMEMBERED)
    def answer(url: str) -> UrlStatus | None:
        route = whole.route(url)
        if route is None:
            return UrlStatus(404) if is_all and url.startswith(whole.base_url) else None
        reads = [*read_pages(whole, [route.file])] if is_page(route.file) else []
        facts = next((read.facts for read in reads), None)
        return UrlStatus(location=route.file, facts=facts)

    return answer


def with_own_pages(found: BuildPages, answer: Answer) -> SiteBuild:
    """Return a build that also lists the pages which only it has.

    A build that was made under another URL, as all are with mike's `canonical_version`, lists what
    it believes to be there; of its own pages those that lead to themselves are to be listed.

    Raises SitemapError if the build has such pages and no sitemap.
    """
    build = found.build
    if build.files and build.tree.base_url == build.stated:
        return build
    added: dict[str, UrlElement] = {}
    for page, _ in found.indexable():
        link = canonical_link(page.url, answer)
        if not build.files and link.kind in ("own", "back"):
            raise SitemapError(f"{build.tree.root} has no sitemap; build it first")
        if link.kind == "back" or (link.kind == "own" and page.head and page.head.canonical):
            there = build.stated + page.url[len(build.tree.base_url) :]
            element = build.elements.get(there, UrlElement(page.url, line=0))
            added[page.url] = replace(element, alternates=())
    return replace(build, elements={**build.elements, **added})


def page_issues(
    found: Sequence[BuildPages], site: SiteSnapshot, versions: Versions, decided: Iterable[str]
) -> Iterator[Issue]:
    """Yield the issues of all pages that were read, one for each rule and build.

    `decided` are the URLs that are listed, or left out by an option.
    """
    was_read = any(build.pages for build in found)
    statuses = map(site.answer, decided if was_read else ())
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
