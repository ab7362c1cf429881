"""One sitemap for sites that were built separately and are served together.

A page belongs to the build with the longest base URL that it is below, so what was merged before
can be merged again. What the builds list is listed if it exists, may be indexed and is canonical,
as in any other sitemap; pages that builds state to be translations get complete sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, structs

from sitemapkit import Build
from sitemapkit.errors import SitemapError
from sitemapkit.html import NOTHING
from sitemapkit.model import Entry, Page, Reason
from sitemapkit.urls import normalize_or_none, resolve_or_none
from sitemapkit_tools.bounds import read_json
from sitemapkit_tools.merge.builds import owner
from sitemapkit_tools.merge.files import write_as_index, write_as_set
from sitemapkit_tools.merge.versions import joined_versions
from sitemapkit_tools.site.facts import NO_FACTS
from sitemapkit_tools.site.read_pages import no_progress, read_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit_tools.merge.builds import SiteBuild
    from sitemapkit_tools.site.facts import Facts
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.sitemaps.sitemap_file import UrlElement

Policy = Literal["canonical", "latest", "all"]
"""`canonical`: what is canonical; `latest`: of that, the latest version; `all`: what is listed."""

Shape = Literal["index", "set"]
"""`index`: an index of the builds' sitemaps; `set`: the pages of all builds as of one site."""


@dataclass(frozen=True, slots=True)
class MergeSettings:
    """How builds are merged."""

    policy: Policy = "canonical"
    latest: str = "latest"
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
    kept = latest_builds(builds, out, settings.latest) if settings.policy == "latest" else builds
    pages, elements = _listed_pages(builds, kept, settings, on_progress)
    entries, report = _entries(pages, elements, options)
    if not entries:
        reasons = ", ".join(report.reasons()) or "they list none"
        raise SitemapError(
            f"no page of the builds is left to list ({reasons});"
            " see --policy, --exclude and --base-url"
        )
    write = write_as_set if settings.shape == "set" else write_as_index
    write(builds, entries, options, out, report)
    return report


def _entries(
    pages: Sequence[Page], elements: Mapping[str, UrlElement], options: Options
) -> tuple[list[Entry], Report]:
    """Return the entries of the listed pages, with the dates that the builds' sitemaps state."""
    build = Build(structs.replace(options, lastmod=False))
    for page in pages:
        build.add(page)
    _join(build.listed(), elements, build.report)

    def as_stated(page: Page, entry: Entry) -> Entry:
        return _entry(page.url, elements[page.url], entry.alternates, build.report)

    return build.entries(on_entry=as_stated), build.report


def latest_builds(builds: Sequence[SiteBuild], out: Path, name: str) -> Sequence[SiteBuild]:
    """Return the builds of the latest version: a part of their path is its name.

    Raises SitemapError if there is none.
    """
    for version in (name, *_behind_alias(name, out)):
        if found := [build for build in builds if version in build.name.split("/")]:
            return found
    names = ", ".join(build.name for build in builds)
    raise SitemapError(f"none of the builds ({names}) is {name!r}; name it with --latest")


def _behind_alias(alias: str, out: Path) -> Iterator[str]:
    """Yield the version that an alias names in the versions.json of mike."""
    file = out / "versions.json"
    if not file.is_file():
        return
    try:
        held = read_json(file, list[_Version])
    except (OSError, ValueError) as error:
        raise SitemapError(f"{file} is not a versions.json of mike: {error}") from error
    yield from (each.version for each in held if alias in each.aliases)


class _Version(Struct):
    """What mike writes of one version."""

    version: str
    aliases: list[str]


def _listed_pages(
    builds: Sequence[SiteBuild],
    kept: Sequence[SiteBuild],
    settings: MergeSettings,
    on_progress: OnProgress,
) -> tuple[list[Page], dict[str, UrlElement]]:
    """Return the pages that builds list below their own URLs, and the element of each."""
    pages: list[Page] = []
    elements: dict[str, UrlElement] = {}
    for build in builds:
        own = [url for url in build.elements if owner(url, builds) in (build, None)]
        own = [url for url in own if url not in elements]
        elements.update((url, build.elements[url]) for url in own)
        if build not in kept:
            pages += [Page(url, excluded=Reason.EXCLUDED_BY_OPTION) for url in own]
        elif settings.policy == "all":
            pages += [Page(url, head=NOTHING) for url in own]
        else:
            pages += _read(build, own, settings.jobs, on_progress)
    return pages, elements


def _read(
    build: SiteBuild, urls: Sequence[str], jobs: int | None, on_progress: OnProgress
) -> Iterator[Page]:
    """Yield the pages with what their files say of them."""
    tree = build.tree
    routes = {url: tree.route(url) for url in urls}
    html = set(tree.pages())
    files = sorted({route.file for route in routes.values() if route and route.file in html})
    reads = read_pages(tree, files, jobs=jobs, on_progress=on_progress)
    facts = {read.file: read.facts for read in reads}
    for url, route in routes.items():
        if route is None:
            yield Page(url, excluded=Reason.MISSING if build.owns(url) else Reason.OUT_OF_SCOPE)
        elif route.kind == "redirect":
            yield Page(url, excluded=Reason.REDIRECT)
        else:
            yield _page(url, tree.path(route.file), facts.get(route.file, NO_FACTS), build)


def _page(url: str, file: Path, said: Facts, build: SiteBuild) -> Page:
    canonical = resolve_or_none(said.head.canonical or "", url)
    return Page(
        url,
        output=file,
        # The canonical version may not have the page any more; then it still must not be listed.
        excluded=None if canonical is None or build.owns(canonical) else Reason.CANONICAL,
        lang=said.lang,
        alternates={each.hreflang: each.href for each in said.alternates},
        head=said.head,
        title=said.title,
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
    lastmod = element.lastmod if element.valid_lastmod else None
    if element.lastmod and not lastmod:
        report.add("bad-date", loc, f"It is {element.lastmod!r} and is left out.")
    return Entry(
        loc,
        lastmod,
        element.valid_changefreq,
        element.valid_priority,
        versions,
        element.images,
    )
