"""The files of a merged sitemap: an index of what the builds have, or the pages of all as one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import structs

from sitemapkit import output
from sitemapkit.errors import SitemapError
from sitemapkit.output.files import Document as NewFile
from sitemapkit.output.layout import Layout
from sitemapkit.output.parts import write_part
from sitemapkit.output.release import release
from sitemapkit.output.values import newest
from sitemapkit.output.xml import sitemapindex
from sitemapkit.rules import and_more
from sitemapkit_tools.checks.dates import stated_date
from sitemapkit_tools.merge.builds import owner
from sitemapkit_tools.site.snapshot import normal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemapkit.model import Entry
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit_tools.merge.builds import Build


def write_as_set(
    builds: Sequence[Build], entries: Sequence[Entry], options: Options, out: Path, report: Report
) -> None:
    """Write the entries of all builds as those of one site."""
    _report_extensions(builds, entries, report)
    output.write(entries, options, out, report)


def write_as_index(
    builds: Sequence[Build], entries: Sequence[Entry], options: Options, out: Path, report: Report
) -> None:
    """Write an index of the builds' own sitemaps, which are not touched.

    Where a build's sitemap says something else than is to be said of its pages, or is not served
    under its URL, the index names a new one that lies beside it.
    """
    options = structs.replace(options, formats=("xml",))
    layout = Layout(options, out)
    children: list[tuple[str, str]] = []
    new_files: list[Path] = []
    for build, own in _by_owner(builds, entries):
        if _says_the_same(build, own, layout):
            children += _references(build)
            continue
        _report_extensions([build], own, report)
        for part in write_part(own, options, out, _label(build), on_issue=report.issues.append):
            new_files.append(layout.file(part.label, "xml"))
            children.append((layout.url(new_files[-1]), part.lastmod))
    index = NewFile(layout.index("xml"), [sitemapindex(layout.marker(""), sorted(children))])
    report.listed = sorted(entries, key=lambda entry: entry.loc)
    release([index], layout, report, entry_files=[index.path], kept=new_files)


def _by_owner(
    builds: Sequence[Build], entries: Sequence[Entry]
) -> Iterator[tuple[Build, list[Entry]]]:
    """Yield the builds that have something to list; what belongs to none comes with the first."""
    names = {build.name for build in builds}
    if len(names) < len(builds):
        raise SitemapError(f"two builds are called alike: {', '.join(sorted(names))}")
    owned: dict[str, list[Entry]] = {build.name: [] for build in builds}
    for entry in entries:
        owned[(owner(entry.loc, builds) or builds[0]).name].append(entry)
    for build in builds:
        if owned[build.name]:
            yield build, sorted(owned[build.name], key=lambda entry: entry.loc)


def _says_the_same(build: Build, entries: Sequence[Entry], layout: Layout) -> bool:
    """Tell whether the build's own sitemap, where it is served, lists just these entries."""
    urls = {document.url for document in build.documents}
    if not build.in_place or layout.url(layout.index("xml")) in urls:
        return False
    if {entry.loc for entry in entries} != set(build.listings):
        return False
    return all(
        set(entry.alternates)
        == {(each.hreflang, normal(each.href)) for each in build.listings[entry.loc].alternates}
        for entry in entries
    )


def _references(build: Build) -> Iterator[tuple[str, str]]:
    """Yield the URL and newest date of each sitemap of a build; an index may not name an index."""
    for document in build.documents:
        if document.sitemap and document.sitemap.kind != "index" and document.sitemap.listings:
            dates = [each.lastmod for each in document.sitemap.listings if each.lastmod]
            yield document.url, newest([date for date in dates if stated_date(date)])


def _label(build: Build) -> str:
    return re.sub(r"[^a-z0-9._]+", "-", build.name.lower()).strip("-") or "top"


def _report_extensions(builds: Sequence[Build], entries: Sequence[Entry], report: Report) -> None:
    """Images and translations are carried over; what else an entry had is lost, and told."""
    listings = {url: listing for build in builds for url, listing in build.listings.items()}
    lost = [entry.loc for entry in entries if listings[entry.loc].extensions]
    if lost:
        names = sorted({name for loc in lost for name in listings[loc].extensions})
        detail = f"They are {', '.join(names)}. {and_more(len(lost))}".rstrip()
        report.add("extension-lost", lost[0], detail)
