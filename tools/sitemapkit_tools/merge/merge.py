"""One sitemap for sites that were built separately and are served together.

A page belongs to the build with the longest base URL that it is below, so what was merged before
can be merged again. What the builds list is listed if it exists, may be indexed and is canonical,
as in any other sitemap; pages that builds state to be translations get complete sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from sitemapkit.build import remarks_on
from sitemapkit.errors import SitemapError
from sitemapkit.head import NOTHING
from sitemapkit.model import Entry, Page, Reason
from sitemapkit.options import MAX_URLS
from sitemapkit.report import Report
from sitemapkit.selection import Selection
from sitemapkit.urls import below, normalize_or_none, resolve_or_none
from sitemapkit_tools.checks.dates import broken_rule
from sitemapkit_tools.issues import issue
from sitemapkit_tools.merge.builds import owner_of
from sitemapkit_tools.merge.files import write_as_index, write_as_set
from sitemapkit_tools.merge.pages import (
    merged_site,
    page_issues,
    read_builds,
    with_own_pages,
)
from sitemapkit_tools.merge.versions import joined_versions
from sitemapkit_tools.site.canonical import canonical_link
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.page_names import is_error_page
from sitemapkit_tools.site.read_pages import no_progress
from sitemapkit_tools.site.translations import HtmlPage, NamedVersions
from sitemapkit_tools.site.versions import LATEST, find_versions, of_mike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence, Set
    from datetime import datetime
    from pathlib import Path

    from sitemapkit.model import Excluded, Kind, Listed
    from sitemapkit.options import Options
    from sitemapkit_tools.merge.builds import SiteBuild
    from sitemapkit_tools.merge.pages import BuildPages
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.site.versions import Versions
    from sitemapkit_tools.sitemaps.sitemap_file import UrlElement

    Judge = Callable[[str, SiteBuild], Page]
    """Makes a page of a URL that a build lists."""

Policy = Literal["canonical", "latest", "all"]
"""`canonical`: what is canonical; `latest`: of that, the latest version; `all`: what is listed."""

Shape = Literal["index", "set"]
"""`index`: an index of the builds' sitemaps; `set`: the pages of all builds as of one site."""


@dataclass(frozen=True, slots=True)
class MergeSettings:
    """How builds are merged."""

    policy: Policy = "canonical"
    latest: str = LATEST
    """The name of the latest version: a folder, or an alias in mike's versions.json."""

    shape: Shape = "index"
    jobs: int | None = None


def merge(
    builds: Sequence[SiteBuild],
    options: Options,
    out: Path,
    settings: MergeSettings,
    *,
    on_progress: OnProgress = no_progress,
) -> Report:
    """Write one sitemap for all builds into `out`, the directory of `options.base_url`.

    Raises SitemapError if nothing is left to list, and OutputError if a file cannot be written.
    """
    whole = OutputDir.walk(out, options.base_url)
    is_latest = settings.policy == "latest"
    kept = latest_builds(builds, whole, settings.latest) if is_latest else builds
    read = kept if settings.policy != "all" else ()
    found = read_builds(builds, read, settings.jobs, on_progress)
    site = merged_site(found, whole)
    listing = [with_own_pages(each, site.answer) for each in found]
    bases = {each.tree.base_url for each in kept}
    judge = _as_listed if settings.policy == "all" else _judge(bases, found, site)
    report = Report(options.base_url)
    entries = _entries(listing, judge, options, report, site.now)
    if not entries:
        raise SitemapError(_why_nothing(report, whole))
    versions = _versions(builds, whole, settings.latest)
    report.issues += page_issues(found, site, versions, _decided(entries, report))
    write = write_as_set if settings.shape == "set" else write_as_index
    write(listing, entries, options, out, report)
    return report


def _decided(entries: Sequence[Entry], report: Report) -> Iterator[str]:
    """Yield the URLs that are listed, or left out by an option."""
    yield from (entry.loc for entry in entries)
    for each in report.excluded:
        if each.reason is Reason.EXCLUDED_BY_OPTION:
            yield each.url


def _versions(builds: Sequence[SiteBuild], whole: OutputDir, latest: str) -> Versions:
    """Return the versions that versions.json names, or else the builds beside the latest one."""
    versions = find_versions(whole, (), latest)
    names = [build.name for build in builds]
    if not versions.folders and any(name.rpartition("/")[2] == latest for name in names):
        return find_versions(whole, names, latest)
    return versions


def _entries(
    builds: Sequence[SiteBuild], judge: Judge, options: Options, report: Report, now: datetime
) -> list[Entry]:
    """Return the entries of the listed pages, with what the builds' sitemaps state.

    The pages of one piece are held at a time, and of the others those that remarks may be about.
    """
    selection = Selection(options)
    entries: list[Entry] = []
    noticed: list[Listed | Excluded] = []
    stated: dict[str, Sequence[tuple[str, str]]] = {}
    langs: dict[str, str] = {}
    for build, urls in _own_urls(builds):
        selected = selection.select([selection.judge(judge(url, build)) for url in urls])
        noticed += selected.excluded
        for each in selected.listed:
            page, element = each.page, build.elements[each.page.url]
            is_cut = page.head and page.head.unread
            if not entries or options.exclude or is_cut or each.loc == options.base_url:
                noticed.append(each)
            if versions := [*_stated(page, element)]:
                stated[page.url] = versions
            if page.lang:
                langs[page.url] = page.lang
            entries.append(_entry(page.url, element, report, now))
    whole = selection.select(noticed)
    report.excluded += whole.excluded
    report.issues += remarks_on(whole, options)
    if stated:
        _join(entries, stated, langs, options, report)
    return entries


def _own_urls(builds: Sequence[SiteBuild]) -> Iterator[tuple[SiteBuild, Sequence[str]]]:
    """Yield the URLs that each build lists below its own, or first below that of none, in pieces.

    They are sorted, so that pages of one folder are judged together.
    """
    owner = owner_of(builds)
    of_none: set[str] = set()
    for build in builds:
        own: list[str] = []
        for url in build.elements:
            by = owner(url)
            if by is build or (by is None and url not in of_none):
                own.append(url)
            if by is None:
                of_none.add(url)
        own.sort()
        for start in range(0, len(own), MAX_URLS):
            yield build, own[start : start + MAX_URLS]


def _why_nothing(report: Report, whole: OutputDir) -> str:
    """Say why nothing is left to list: pages may be in a folder that was not given."""
    reasons = ", ".join(report.reasons()) or "they list none"
    message = f"no page of the builds is left to list ({reasons});"
    for each in report.excluded:
        route = whole.route(each.url) if each.reason is Reason.OUT_OF_SCOPE else None
        folder, slash, _ = route.file.partition("/") if route else ("", "", "")
        if slash:
            return f"{message} they list pages of {whole.root / folder}: add that to the folders"
    return f"{message} see --policy, --exclude and --base-url"


def latest_builds(builds: Sequence[SiteBuild], whole: OutputDir, name: str) -> Sequence[SiteBuild]:
    """Return the builds of the latest version: a part of their path is its name, or behind that.

    Raises SitemapError if there is none.
    """
    behind = (real for folder, _, real in of_mike(whole, name) if not folder)
    for version in (name, *chain.from_iterable(behind)):
        if found := [build for build in builds if build.files and version in build.name.split("/")]:
            return found
    names = ", ".join(build.name for build in builds)
    raise SitemapError(f"none of the builds ({names}) is {name!r}; name it with --latest")


def _as_listed(url: str, build: SiteBuild) -> Page:
    return Page(url, kind=_kind(url, build), head=NOTHING)


def _kind(url: str, build: SiteBuild) -> Kind:
    """Return what a listed URL is, by its name: a page about an error is no page of a site."""
    return "generated" if is_error_page(below(build.tree.base_url, url)) else "page"


def _judge(kept: Set[str], found: Sequence[BuildPages], site: SiteSnapshot) -> Judge:
    """Return what makes a page of a URL that a build lists, with what its file says of it.

    `kept` has the URLs of builds whose pages may be listed, `found` the pages that were read.
    """
    known = {each.location: each.page for build in found for each in build.pages}

    def judge(url: str, build: SiteBuild) -> Page:
        if build.tree.base_url not in kept:
            return Page(url, excluded=Reason.EXCLUDED_BY_OPTION)
        status = site.answer(url) if build.owns(url) else None
        if status is None or status.is_gone:
            return Page(url, excluded=Reason.MISSING if status else Reason.OUT_OF_SCOPE)
        if status.target:
            return Page(url, excluded=Reason.REDIRECT)
        page = known.get(status.location)
        if page is None:  # it is not HTML
            return Page(url, head=NOTHING)
        link = canonical_link(url, site.answer)
        # If another version has lost the canonical page, this one still must not be listed.
        is_own = link.kind in ("own", "back") or (link.kind == "dead" and build.owns(link.url))
        return structs.replace(
            page,
            url=url,
            kind=_kind(url, build),
            excluded=None if is_own else Reason.CANONICAL,
            head=structs.replace(page.head or NOTHING, canonical=None),  # it is judged here
        )

    return judge


def _join(
    entries: Sequence[Entry],
    stated: Mapping[str, Sequence[tuple[str, str]]],
    langs: Mapping[str, str],
    options: Options,
    report: Report,
) -> None:
    """Give each entry the complete set of its versions, as all builds together state them."""
    listed = {entry.loc for entry in entries}
    versions = {
        loc: {
            code: url
            for code, url in pairs
            if url in listed or not url.startswith(options.base_url)
        }
        for loc, pairs in stated.items()
    }
    named = {url for each in versions.values() for url in each.values()}
    versions |= {url: {} for url in sorted(named & listed - versions.keys())}
    sets = joined_versions(versions, langs, report)
    pages = [HtmlPage(url, lang=langs.get(url), alternates=sets.get(url, {})) for url in versions]
    complete = NamedVersions(pages, options, report)
    for entry in entries:
        complete.add_to(entry)


def _stated(page: Page, element: UrlElement) -> Iterator[tuple[str, str]]:
    """Yield (code, URL) of the versions that the page's head names, then its sitemap."""
    if isinstance(page, HtmlPage):
        for code, href in page.alternates.items():
            if url := resolve_or_none(href, page.url):
                yield code, url
    for each in element.alternates:
        if url := normalize_or_none(each.href):
            yield each.hreflang, url


def _entry(loc: str, element: UrlElement, report: Report, now: datetime) -> Entry:
    lastmod = element.lastmod
    if (rule := broken_rule(element, now)) and rule != "old-date":
        detail = f"It is {lastmod!r} and is left out."
        report.issues.append(issue(rule, loc, detail, file=""))
        lastmod = None
    return Entry(
        loc,
        lastmod,
        element.valid_changefreq,
        element.valid_priority,
        images=element.images,
    )
