"""The files of a merged sitemap: an index of the builds' sitemaps, or one sitemap of all pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import structs

from sitemapkit.build import write_entries
from sitemapkit.dates import newest_text
from sitemapkit.errors import SitemapError
from sitemapkit.formats.xml import sitemapindex
from sitemapkit.layout import ANY_SITEMAP, Layout
from sitemapkit.model import OutputFile
from sitemapkit.output.write import put_in_place
from sitemapkit.rules import grouped
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bulk import write_part
from sitemapkit_tools.merge.builds import owner_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemapkit.model import Entry
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit_tools.merge.builds import SiteBuild


def write_as_set(
    builds: Sequence[SiteBuild],
    entries: Sequence[Entry],
    options: Options,
    out: Path,
    report: Report,
) -> None:
    """Write the entries of all builds as those of one site."""
    _report_extensions(builds, entries, report)
    write_entries(entries, options, out, report)


def write_as_index(
    builds: Sequence[SiteBuild],
    entries: Sequence[Entry],
    options: Options,
    out: Path,
    report: Report,
) -> None:
    """Write an index of the builds' own sitemaps, which are not touched.

    If a build's sitemap does not list exactly these entries, or is not served under its URL, the
    index names a new one beside it.
    """
    options = structs.replace(options, formats=("xml",))
    layout = Layout(options, out)
    children: list[tuple[str, str]] = []
    new_files: list[Path] = []
    for build, own in _by_owner(builds, entries):
        if _is_up_to_date(build, own, layout):
            children += _references(build)
            continue
        _report_extensions([build], own, report)
        for part in write_part(own, options, out, _label(build), on_issue=report.issues.append):
            new_files.append(layout.file(part.label, "xml"))
            children.append((layout.url(new_files[-1]), part.lastmod))
    data = sitemapindex(layout.marker(""), sorted(children))
    index = OutputFile(layout.index("xml"), [data], ANY_SITEMAP)
    report.listed = sorted(entries, key=lambda entry: entry.loc)
    put_in_place([index], layout, report, index.path, kept=new_files)


def _by_owner(
    builds: Sequence[SiteBuild], entries: Sequence[Entry]
) -> Iterator[tuple[SiteBuild, list[Entry]]]:
    """Yield the builds that own entries; entries that no build owns go to the first one."""
    names = {build.name for build in builds}
    if len(names) < len(builds):
        raise SitemapError(f"two builds have the same name: {', '.join(sorted(names))}")
    owner = owner_of(builds)
    owned: dict[str, list[Entry]] = {build.name: [] for build in builds}
    for entry in entries:
        owned[(owner(entry.loc) or builds[0]).name].append(entry)
    for build in builds:
        if owned[build.name]:
            yield build, sorted(owned[build.name], key=lambda entry: entry.loc)


def _is_up_to_date(build: SiteBuild, entries: Sequence[Entry], layout: Layout) -> bool:
    """Return whether the build's own sitemap, where it is served, lists exactly these entries."""
    urls = {file.url for file in build.files}
    if not build.in_place or layout.url(layout.index("xml")) in urls:
        return False
    dates = {url: each.lastmod for url, each in build.elements.items()}
    if {entry.loc: entry.lastmod for entry in entries} != dates:
        return False
    for entry in entries:
        stated = build.elements[entry.loc].alternates
        if {(each.hreflang, normalize_or_none(each.href)) for each in stated} != {
            *entry.alternates
        }:
            return False
    return True


def _references(build: SiteBuild) -> Iterator[tuple[str, str]]:
    """Yield the URL and newest date of each sitemap of a build; an index may not name an index."""
    for file in build.files:
        if file.elements and not file.is_index:
            dates = [each.lastmod for each in file.elements if each.lastmod and each.valid_lastmod]
            yield file.url, newest_text(dates)


def _label(build: SiteBuild) -> str:
    return re.sub(r"[^a-z0-9._]+", "-", build.name.lower()).strip("-") or "top"


def _report_extensions(
    builds: Sequence[SiteBuild], entries: Sequence[Entry], report: Report
) -> None:
    """Images and translations are kept; report the other extensions, which are lost."""
    stated = {
        url: element.extensions
        for build in builds
        for url, element in build.elements.items()
        if element.extensions
    }
    lost = [entry.loc for entry in entries if entry.loc in stated]
    if lost:
        names = sorted({name for loc in lost for name in stated[loc]})
        report.issues += grouped("extension-lost", lost, f"They are {', '.join(names)}.")
