"""Sites that were built separately and are served as one: one sitemap for all of them.

A page belongs to the build with the longest base URL that it is below, so what was merged before
can be merged again. What the builds list is listed if it is there, may be indexed and is canonical,
as in any other sitemap; pages that builds state to be translations of one another get full sets.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from sitemapkit.alternates import alternates
from sitemapkit.errors import SitemapError
from sitemapkit.html import NOTHING
from sitemapkit.model import ChangeFreq, Entry, Page, Reason
from sitemapkit.report import Report
from sitemapkit.select import select
from sitemapkit_tools.checks.dates import stated_date
from sitemapkit_tools.checks.entries import stated_priority
from sitemapkit_tools.merge.builds import owner
from sitemapkit_tools.merge.files import write_as_index, write_as_set
from sitemapkit_tools.merge.versions import joined_versions
from sitemapkit_tools.site.facts import NO_FACTS
from sitemapkit_tools.site.read_pages import looks, silent
from sitemapkit_tools.site.snapshot import normal, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemapkit.model import Alternate
    from sitemapkit.options import Options
    from sitemapkit.select import Listed
    from sitemapkit_tools.merge.builds import Build
    from sitemapkit_tools.site.facts import Facts
    from sitemapkit_tools.site.read_pages import Tick
    from sitemapkit_tools.sitemaps.sitemap_file import Listing

Policy = Literal["canonical", "latest", "all"]
"""`canonical`: what is canonical; `latest`: of that, the latest version; `all`: what is listed."""

Shape = Literal["index", "set"]
"""`index`: an index of the builds' sitemaps; `set`: the pages of all builds as of one site."""


@dataclass(frozen=True, slots=True)
class MergeSettings:
    """How builds are merged."""

    policy: Policy = "canonical"
    latest: str = "latest"
    """The latest version's name: a folder, or an alias in mike's versions.json."""

    shape: Shape = "index"
    jobs: int | None = None


def merge(
    builds: Sequence[Build],
    options: Options,
    out: Path,
    settings: MergeSettings,
    *,
    tick: Tick = silent,
) -> Report:
    """Write one sitemap for all builds into `out`, the directory of `options.base_url`.

    Raises SitemapError if nothing is left to list, and OutputError if a file cannot be written.
    """
    report = Report(options.base_url)
    kept = latest_builds(builds, out, settings.latest) if settings.policy == "latest" else builds
    pages, listings = _claimed(builds, kept, settings, tick)
    listed = select(pages, options, report)
    if not listed:
        reasons = ", ".join(report.reasons()) or "they list none"
        raise SitemapError(
            f"no page of the builds is left to list ({reasons});"
            " see --policy, --exclude and --base-url"
        )
    _join(listed, listings, report)
    versions = alternates(listed, options, report)
    entries = [
        _entry(found.loc, listings[found.loc], versions.get(found.loc, ()), report)
        for found in listed
    ]
    write = write_as_set if settings.shape == "set" else write_as_index
    write(builds, entries, options, out, report)
    return report


def latest_builds(builds: Sequence[Build], out: Path, name: str) -> Sequence[Build]:
    """Return the builds of the latest version: a part of their path is its name.

    Raises SitemapError if there is none.
    """
    for version in (name, *_behind_alias(name, out)):
        if found := [build for build in builds if version in build.name.split("/")]:
            return found
    names = ", ".join(build.name for build in builds)
    raise SitemapError(f"none of the builds ({names}) is {name!r}; name the one by --latest")


def _behind_alias(alias: str, out: Path) -> Iterator[str]:
    """Yield the version that an alias means in a tree of mike's."""
    file = out / "versions.json"
    if not file.is_file():
        return
    try:
        held: Any = json.loads(file.read_text(encoding="utf-8"))
        yield from (str(each["version"]) for each in held if alias in each["aliases"])
    except (ValueError, KeyError, TypeError) as error:
        raise SitemapError(f"{file} is no list of versions as mike writes it: {error}") from error


def _claimed(
    builds: Sequence[Build], kept: Sequence[Build], settings: MergeSettings, tick: Tick
) -> tuple[list[Page], dict[str, Listing]]:
    """Return the pages that builds list below their own URLs, and what they say of each."""
    pages: list[Page] = []
    listings: dict[str, Listing] = {}
    for build in builds:
        own = [url for url in build.listings if owner(url, builds) in (build, None)]
        own = [url for url in own if url not in listings]
        listings.update((url, build.listings[url]) for url in own)
        if build not in kept:
            pages += [Page(url, excluded=Reason.EXCLUDED_BY_OPTION) for url in own]
        elif settings.policy == "all":
            pages += [Page(url, head=NOTHING) for url in own]
        else:
            pages += _read(build, own, settings.jobs, tick)
    return pages, listings


def _read(build: Build, urls: Sequence[str], jobs: int | None, tick: Tick) -> Iterator[Page]:
    """Yield the pages with what their files say of them."""
    answers = {url: build.tree.answer(url) for url in urls}
    html = set(build.tree.pages())
    files = sorted({answer.file for answer in answers.values() if answer and answer.file in html})
    facts = {look.file: look.facts for look in looks(build.tree, files, jobs=jobs, tick=tick)}
    for url, answer in answers.items():
        if answer is None:
            yield Page(url, excluded=Reason.MISSING if build.owns(url) else Reason.OUT_OF_SCOPE)
        elif answer.way == "redirect":
            yield Page(url, excluded=Reason.REDIRECT)
        else:
            yield _page(url, build.tree.path(answer.file), facts.get(answer.file, NO_FACTS), build)


def _page(url: str, file: Path, said: Facts, build: Build) -> Page:
    canonical = resolved(said.head.canonical or "", url)
    return Page(
        url,
        output=file,
        # A page that was removed from the canonical version says so even where nothing is left.
        excluded=None if canonical is None or build.owns(canonical) else Reason.CANONICAL,
        lang=said.lang,
        alternates={each.hreflang: each.href for each in said.alternates},
        head=said.head,
        title=said.title,
    )


def _join(listed: Sequence[Listed], listings: Mapping[str, Listing], report: Report) -> None:
    """Give each page the complete set of its versions, as all builds together state them."""
    known = {found.loc for found in listed}
    stated = {
        found.loc: {
            code: url
            for code, url in _stated(found, listings[found.loc])
            if url in known or not url.startswith(report.base_url)
        }
        for found in listed
    }
    langs = {found.loc: found.page.lang for found in listed if found.page.lang}
    sets = joined_versions(stated, langs, report)
    for found in listed:
        found.page.alternates = sets.get(found.loc, {})


def _stated(found: Listed, listing: Listing) -> Iterator[tuple[str, str]]:
    """Yield (code, URL) of the versions that the page's head names, then its sitemap."""
    for code, href in found.page.alternates.items():
        if url := resolved(href, found.loc):
            yield code, url
    for each in listing.alternates:
        if url := normal(each.href):
            yield each.hreflang, url


def _entry(loc: str, listing: Listing, versions: Sequence[Alternate], report: Report) -> Entry:
    lastmod = listing.lastmod if stated_date(listing.lastmod) else None
    if listing.lastmod and not lastmod:
        report.add("bad-date", loc, f"It is {listing.lastmod!r} and is left out.")
    known = listing.changefreq in get_args(ChangeFreq)
    return Entry(
        loc,
        lastmod,
        cast("ChangeFreq", listing.changefreq) if known else None,
        stated_priority(listing.priority),
        versions,
        listing.images,
    )
