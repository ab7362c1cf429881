"""Checks of whole sites, in a directory or online, against all rules."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace

from sitemapkit_tools.bounds import MAX_REPORTED, Budget
from sitemapkit_tools.checks.added import check_added
from sitemapkit_tools.checks.bodies import check_bodies
from sitemapkit_tools.checks.canonical import ONE_CAUSE, check_canonicals, joined
from sitemapkit_tools.checks.dates import check_dates
from sitemapkit_tools.checks.directory import (
    check_directory,
    check_selection,
    check_unread,
    indexable_pages,
    select_pages,
    unmatched_patterns,
)
from sitemapkit_tools.checks.entries import check_entries
from sitemapkit_tools.checks.files import check_files
from sitemapkit_tools.checks.languages import check_codes_in_pages, check_languages
from sitemapkit_tools.checks.leads import check_llms, check_redirects
from sitemapkit_tools.checks.pages import check_pages
from sitemapkit_tools.checks.robots import check_robots, check_unread_noindex
from sitemapkit_tools.issues import in_order, issue
from sitemapkit_tools.site.directory import directory_snapshot
from sitemapkit_tools.site.read_pages import no_progress, read_site
from sitemapkit_tools.site.scan import ScanSettings, site_pages
from sitemapkit_tools.site.their_selection import is_selection
from sitemapkit_tools.site.versions import LATEST, find_versions
from sitemapkit_tools.sources.plugins import WORDS
from textdates import file_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Issue
    from sitemapkit.options import Options
    from sitemapkit_tools.explain import BuildReport
    from sitemapkit_tools.site.links import Links
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress, PageRead
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.web.client import Client
    from sitemapkit_tools.web.online_site import OnlineSite


class CheckResult(Struct, frozen=True):
    """The result of a check."""

    site: str
    """The base URL."""

    issues: Sequence[Issue]
    sitemaps: int
    urls: int
    pages: int
    """Pages that were read: HTML files, or responses of the server."""

    root: str = ""
    """The directory, with a final slash; "" online."""

    sources: Mapping[str, str] = {}
    """The sources of pages by their URLs, as far as the project knows them."""


class CheckSettings(Struct, frozen=True):
    """Settings of a check of a directory."""

    sitemaps: Sequence[str] = ()
    """Paths of the sitemaps; without any, robots.txt and well-known names count."""

    build: BuildReport | None = None
    """The report of the build: what it listed, and what it excluded on purpose."""

    versions: Sequence[str] = ()
    """Folders of versions; without any, mike's versions.json counts."""

    latest: str = LATEST
    """The name of the version that should be found."""

    scan: ScanSettings = ScanSettings()
    """How the pages are read, and where their sources are."""

    is_by_plugin: bool = False
    """Whether the site is of a generator with a plugin: what a sitemap of that leaves out on
    purpose is known from its report alone."""

    left_to_plugins: tuple[str, ...] = ()
    """Folders with sites of such generators in them, with final slashes."""

    jobs: int | None = None
    budget: Budget = field(default_factory=Budget)


def check_site(
    tree: OutputDir,
    options: Options,
    settings: CheckSettings,
    *,
    on_progress: OnProgress = no_progress,
    already: tuple[list[PageRead], Links] | None = None,
) -> CheckResult:
    """Check a site in a directory. `options` say which pages are excluded on purpose.

    `already` is what has been read of all its pages: their links and bodies among it.
    """
    made = settings.scan.made
    tree = replace(tree, serves_bare_folders=made.spelling == "canonical")
    read = replace(settings.scan.read, links=True, body=True)
    reads, links = already or read_site(
        tree, tree.pages(), read, jobs=settings.jobs, on_progress=on_progress
    )
    links.tree = tree
    site = directory_snapshot(tree, reads, settings.budget, sitemaps=settings.sitemaps)
    located = site_pages(reads, tree, links, settings=settings.scan)
    selected = select_pages([each.page for each in located], site, options)
    listed = {status.location for status in site.statuses.values()}
    versions = find_versions(tree, settings.versions, settings.latest)
    canonicals = check_canonicals(located, site, versions, listed)

    def url_of_version(file: str) -> str:
        return site.base_url + quote(versions.folder_of(file))

    indexable = indexable_pages(tree, selected)
    by_plugin = any(
        file.selected_by in WORDS
        or is_selection(file.selected_by)
        or (settings.is_by_plugin and file.is_ours)
        for file in site.files
    )
    if by_plugin:  # what else it leaves out on purpose is not known
        indexable = {file: url for file, url in indexable.items() if file in listed}
    selection = check_selection(tree, selected, site, settings.build, by_plugin=by_plugin)
    issues = chain(
        check_snapshot(site),
        check_directory(tree, site),
        check_unread(tree, reads, site),
        unmatched_patterns(tree, selected, options),
        (each for each in selection if not each.file.startswith(settings.left_to_plugins)),
        check_codes_in_pages(located),
        check_unread_noindex(located, site),
        check_redirects(tree, reads, site),
        check_llms(tree, site),
        check_bodies(reads, links, indexable, site, versions),
        joined(canonicals, ONE_CAUSE, url_of_version, site.base_url),
    )
    pages = (each.page for each in located if each.page.sources)
    sources = {page.url: file_of(page.sources[0]) for page in pages}
    result = _result(site, issues, pages=len(reads))
    return replace(result, root=f"{tree.root.as_posix()}/", sources=sources)


def check_online(
    online: OnlineSite, client: Client, *, on_progress: OnProgress = no_progress
) -> CheckResult:
    """Check a site online, of which the sitemaps have been read."""
    site = online.fetch(client, on_progress=on_progress)
    issues = chain(online.issues, check_snapshot(site))
    return _result(site, issues, pages=len(site.statuses))


def check_unreachable(address: str, problem: str) -> CheckResult:
    """Return the result of a check of a site online of which nothing can be read."""
    found = issue("unreachable", address, problem, address)
    return CheckResult(site=address, issues=[found], sitemaps=0, urls=0, pages=0)


def check_snapshot(site: SiteSnapshot) -> Iterator[Issue]:
    """Check all that does not depend on where the site was read."""
    yield from _check_sitemaps(site)
    yield from check_pages(site)
    yield from check_robots(site)
    yield from check_added(site)


def check_alone(site: SiteSnapshot, root: str) -> CheckResult:
    """Check a sitemap, of the folder `root`, for what it alone tells."""
    return replace(_result(site, _check_sitemaps(site), pages=0), root=root)


def _check_sitemaps(site: SiteSnapshot) -> Iterator[Issue]:
    yield from check_files(site)
    yield from check_entries(site)
    yield from check_dates(site)
    yield from check_languages(site)


_ISSUE_COST = 500
"""Characters of an issue in a report, besides those that it quotes."""


def _first(issues: Iterable[Issue], base_url: str) -> Iterator[Issue]:
    """Yield as many issues as there is room for, and one that says so."""
    room = MAX_REPORTED
    for number, each in enumerate(issues):
        room -= _ISSUE_COST + len(each.where) + len(each.detail)
        if room < 0:
            detail = f"There are more issues than the first {number:,}."
            yield issue("not-checked", base_url, detail, base_url)
            return
        yield each


def _result(site: SiteSnapshot, issues: Iterable[Issue], *, pages: int) -> CheckResult:
    return CheckResult(
        site=site.base_url,
        issues=in_order(_first(issues, site.base_url)),
        sitemaps=sum(not file.error for file in site.files),
        urls=len({each.url for each in site.listed}),
        pages=pages,
    )
