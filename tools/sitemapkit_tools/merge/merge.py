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

from sitemapkit import Build
from sitemapkit.dates import now
from sitemapkit.errors import SitemapError
from sitemapkit.html import NOTHING
from sitemapkit.model import Entry, Page, Reason
from sitemapkit.urls import normalize_or_none, resolve_or_none
from sitemapkit_tools.checks.dates import broken_rule
from sitemapkit_tools.issues import issue
from sitemapkit_tools.merge.builds import owner
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
from sitemapkit_tools.site.read_pages import no_progress
from sitemapkit_tools.site.versions import LATEST, find_versions, of_mike

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit_tools.merge.builds import SiteBuild
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.site.versions import Versions
    from sitemapkit_tools.sitemaps.sitemap_file import UrlElement

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
    known = {each.location: each.page for build in found for each in build.pages}
    pages, elements = _listed_pages(listing, [each.tree.base_url for each in kept], known, site)
    if settings.policy == "all":
        pages = [Page(page.url, head=NOTHING) for page in pages]
    entries, report = _entries(pages, elements, options)
    if not entries:
        raise SitemapError(_why_nothing(report, whole))
    versions = _versions(builds, whole, settings.latest)
    report.issues += page_issues(found, site, versions, [*_decided(entries, report)])
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
    pages: Sequence[Page], elements: Mapping[str, UrlElement], options: Options
) -> tuple[list[Entry], Report]:
    """Return the entries of the listed pages, with the dates that the builds' sitemaps state."""
    build = Build(structs.replace(options, lastmod=False))
    build.add_all(pages)
    _join(build.listed(), elements, build.report)

    def as_stated(page: Page, entry: Entry) -> Entry:
        return _entry(page.url, elements[page.url], entry.alternates, build.report)

    return build.entries(on_entry=as_stated), build.report


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


def _listed_pages(
    builds: Sequence[SiteBuild], kept: Sequence[str], known: Mapping[str, Page], site: SiteSnapshot
) -> tuple[list[Page], dict[str, UrlElement]]:
    """Return the pages that builds list below their own URLs, and the element of each.

    `kept` has the URLs of builds whose pages may be listed, `known` the read pages by location.
    """
    pages: list[Page] = []
    elements: dict[str, UrlElement] = {}
    for build in builds:
        own = [url for url in build.elements if owner(url, builds) in (build, None)]
        own = [url for url in own if url not in elements]
        elements.update((url, build.elements[url]) for url in own)
        if build.tree.base_url in kept:
            pages += [_page(url, build, known, site) for url in own]
        else:
            pages += [Page(url, excluded=Reason.EXCLUDED_BY_OPTION) for url in own]
    return pages, elements


def _page(url: str, build: SiteBuild, known: Mapping[str, Page], site: SiteSnapshot) -> Page:
    """Return a page that a build lists, with what its file says of it."""
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
        kind="page",
        excluded=None if is_own else Reason.CANONICAL,
        head=structs.replace(page.head or NOTHING, canonical=None),  # it is judged here
    )


def _join(listed: Sequence[Page], elements: Mapping[str, UrlElement], report: Report) -> None:
    """Give each page the complete set of its versions, as all builds together state them."""
    known = {page.url for page in listed}
    stated = {
        page.url: {
            code: url
            for code, url in _stated(page, elements[page.url])
            if url in known or not url.startswith(report.base_url)
        }
        for page in listed
    }
    langs = {page.url: page.lang for page in listed if page.lang}
    sets = joined_versions(stated, langs, report)
    for page in listed:
        page.alternates = sets.get(page.url, {})


def _stated(page: Page, element: UrlElement) -> Iterator[tuple[str, str]]:
    """Yield (code, URL) of the versions that the page's head names, then its sitemap."""
    for code, href in page.alternates.items():
        if url := resolve_or_none(href, page.url):
            yield code, url
    for each in element.alternates:
        if url := normalize_or_none(each.href):
            yield each.hreflang, url


def _entry(
    loc: str, element: UrlElement, versions: Sequence[tuple[str, str]], report: Report
) -> Entry:
    lastmod = element.lastmod
    if (rule := broken_rule(element, now())) and rule != "old-date":
        detail = f"It is {lastmod!r} and is left out."
        report.issues.append(issue(rule, loc, detail, file=""))
        lastmod = None
    return Entry(
        loc,
        lastmod,
        element.valid_changefreq,
        element.valid_priority,
        versions,
        element.images,
    )
