"""Why a URL is in the sitemap or not, by the JSON report of a build or by the finished site."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from sitemapkit import Reason, build, urls
from sitemapkit.errors import SitemapError, UrlError
from sitemapkit.html import is_html
from sitemapkit_tools.bounds import Budget, read_json
from sitemapkit_tools.generators.find import made_site
from sitemapkit_tools.site.directory import directory_snapshot
from sitemapkit_tools.site.lines import head_line, metadata_line
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.scan import ScanSettings, scan
from sitemapkit_tools.site.stated_dates import with_authors_dates
from textdates.git import GitError, run_git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.options import Options


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The report of a build, by URL."""

    base_url: str
    listed: Mapping[str, Mapping[str, Any]]
    """The fields of each listed page's entry that are not empty."""

    excluded: Mapping[str, _ReportExcluded]
    dates: Mapping[str, _ReportDate]
    """Where the `lastmod` of each listed page comes from."""

    origins: Mapping[str, Mapping[str, str]]
    """Where other values come from."""

    older: Mapping[str, Sequence[str]]
    """Files that were checked for the date, and had no newer one."""

    names: Mapping[str, str]
    """The name of a listed page in the issues."""

    issues: Sequence[_ReportIssue]
    output_dir: Path | None = None
    """Where the site was written to."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that a report says about one URL."""

    url: str
    listed: bool
    reason: str = ""
    """Why it is not listed."""

    decided_by: str = ""
    """What decided that."""

    decided_at: str = ""
    """The line that says so, of the built page or of its source."""

    target: str = ""
    """What a page that stands for another one points to, and what is known of that."""

    page: str = ""
    """Its source, if the report names it."""

    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What its entry says."""

    origins: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where values of the entry come from, as far as the report says."""

    date_source: str | None = None
    commit: str = ""
    """The commit that gave the date: its short id, its day and its subject."""

    asked: Sequence[str] = ()
    """Other files that were checked for the date, and had no newer one."""

    skipped: Sequence[tuple[str, str]] = ()
    """The sources that gave no date, and why."""

    issues: Sequence[str] = ()

    @property
    def known(self) -> bool:
        """Whether the report says anything about the URL."""
        return self.listed or bool(self.reason)


class _ReportEntry(Struct):
    """A listed page."""

    loc: str
    lastmod: Any = None
    changefreq: Any = None
    priority: Any = None
    alternates: list[Any] = []
    images: list[Any] = []
    videos: list[Any] = []
    title: Any = None
    published: Any = None
    extensions: Any = None


class _ReportExcluded(Struct):
    """A page that the build did not list."""

    url: str
    reason: str
    page: str
    decided_by: str = ""
    """What decided it: an option and its pattern, a metadata key, the target of a link."""


class _ReportDate(Struct):
    """Where the date of a page comes from."""

    source: str | None = None
    skipped: list[tuple[str, str]] = []


class _ReportIssue(Struct):
    id: str
    where: str
    title: str
    detail: str
    fix: str


class _Report(Struct):
    """What is read of the JSON."""

    base_url: str
    listed: list[_ReportEntry]
    excluded: list[_ReportExcluded]
    dates: dict[str, _ReportDate]
    origins: dict[str, dict[str, str]]
    names: dict[str, str]
    issues: list[_ReportIssue]
    entry_file: str | None = None
    older: dict[str, list[str]] = {}


def read_report(file: Path) -> BuildReport:
    """Read the JSON report of a build. Raises SitemapError if it is not one."""
    try:
        return _build_report(read_json(file, _Report))
    except (OSError, ValueError) as error:
        raise SitemapError(
            f"{file} is not a report of a build ({error}); the option `report` writes one."
        ) from error


_NOT_IN_SITEMAP = "not in the sitemap that the build wrote"
_UNSAID = "its metadata, an option or the generator; the option `report` records what"
_BUILD = "a source that only the build knows; the option `report` records it"


def report_of_site(tree: OutputDir, options: Options) -> BuildReport:
    """Return the report that `sitemapkit build` would give, from the files of a site.

    If sitemapkit wrote the sitemap that is there, its pages and dates count.
    """
    scanned = scan(tree, ScanSettings(made=made_site(tree)))
    pages = {page.url: page for page in with_authors_dates(scanned, options)}
    with TemporaryDirectory() as folder:
        file = Path(folder, "report.json")
        options = structs.replace(options, report=str(file), ledger="")
        build(pages.values(), options, Path(folder, "site"))
        report = read_report(file)
    names = {url: page.name if page.sources else str(page.output) for url, page in pages.items()}
    excluded = {
        url: structs.replace(each, page=names.get(url, "")) for url, each in report.excluded.items()
    }
    found = replace(report, excluded=excluded, names=names, output_dir=tree.root)
    return _as_written(found, tree)


def _as_written(report: BuildReport, tree: OutputDir) -> BuildReport:
    """Return the report with what the sitemap of the site says, if sitemapkit wrote it."""
    site = directory_snapshot(tree, (), Budget(), agent="")
    if not site.complete or not any(file.is_ours for file in site.files):
        return report
    written = {each.url: each.element for each in site.listed}
    excluded, listed = {**report.excluded}, {**report.listed}
    dates, origins = {**report.dates}, {**report.origins}
    for url, entry in report.listed.items():
        if url not in written:
            page = report.names.get(url, "")
            excluded[url] = _ReportExcluded(url, _NOT_IN_SITEMAP, page, _UNSAID)
            del listed[url]
        elif (lastmod := written[url].lastmod) != entry.get("lastmod"):
            listed[url] = {**entry, "lastmod": lastmod}
            dates[url] = _ReportDate(_BUILD)
            origins[url] = {**origins.get(url, {}), "lastmod": ""}
    return replace(report, listed=listed, excluded=excluded, dates=dates, origins=origins)


def _build_report(held: _Report) -> BuildReport:
    return BuildReport(
        base_url=held.base_url,
        listed={entry.loc: _stated(entry) for entry in held.listed},
        excluded={_absolute(each.url, held.base_url): each for each in held.excluded},
        dates=held.dates,
        origins=held.origins,
        older=held.older,
        names=held.names,
        issues=held.issues,
        output_dir=Path(held.entry_file).parent if held.entry_file else None,
    )


def explain(url: str, report: BuildReport) -> Explanation:
    """Return what the report says of a URL, which may be given relative to the base URL."""
    loc = _absolute(url, report.base_url)
    if loc not in report.listed:
        excluded = report.excluded.get(loc, _ReportExcluded(loc, "", ""))
        return Explanation(
            loc,
            False,
            excluded.reason,
            excluded.decided_by,
            _decided_at(excluded, loc, report),
            _target(excluded, loc, report),
            excluded.page,
            issues=_issues(report, loc, excluded.page),
        )
    dated, page = report.dates.get(loc, _ReportDate()), report.names.get(loc, "")
    origins = report.origins.get(loc, {})
    decided_by = origins.get("lastmod", "")
    if dated.source == "ledger":
        decided_by = dict(dated.skipped).get("ledger", "its content is that of the last build")
    return Explanation(
        loc,
        True,
        page=page,
        values=report.listed[loc],
        origins={**origins, "lastmod": decided_by} if decided_by else origins,
        date_source=dated.source,
        commit=_commit(decided_by),
        asked=report.older.get(loc, ()),
        skipped=[(source, why) for source, why in dated.skipped if source != dated.source],
        issues=_issues(report, loc, page),
    )


def _target(excluded: _ReportExcluded, loc: str, report: BuildReport) -> str:
    """Return where a page that stands for another one points to, and what that is."""
    if excluded.reason not in (Reason.REDIRECT, Reason.CANONICAL):
        return ""
    target = urls.resolve_or_none(excluded.decided_by, loc) or excluded.decided_by
    if target in report.listed:
        return f"{target}, which is listed"
    if other := report.excluded.get(target):
        return f"{target}, which is not listed: {other.reason}"
    return f"{target}, which is not a page of the site"


def _decided_at(excluded: _ReportExcluded, loc: str, report: BuildReport) -> str:
    """Return the line of the built page's head, or of its source, that says why it is left out."""
    source = Path(excluded.page)
    if excluded.reason == _NOT_IN_SITEMAP:
        found = metadata_line(source, _LEAVES_OUT)
        return f"{source}:{found.number}: {found.text}" if found else ""
    key = _KEY.fullmatch(excluded.decided_by)
    if key and excluded.reason in (Reason.EXCLUDED_BY_PAGE, Reason.NOINDEX):
        found = metadata_line(source, key["name"])
        return f"{source}:{found.number}: {found.text}" if found else ""
    files = [source] if is_html(excluded.page) else []
    if report.output_dir and report.output_dir.is_dir():
        tree = OutputDir.walk(report.output_dir, report.base_url)
        files += [Path(tree.path(route.file))] if (route := tree.route(loc)) else []
    lines = ((file, line) for file in files if (line := head_line(file, excluded.reason)))
    return next((f"{file}:{line.number}: {line.text}" for file, line in lines), "")


_KEY = re.compile(r"(?:metadata )?(?:sitemap[-_.:])?(?P<name>\w+)")
"""A key of a page's metadata, in one of its spellings."""

_LEAVES_OUT = "sitemap|exclude|robots|noindex|draft|status|private"
"""Keys of a page's metadata that may leave it out."""

_COMMIT = re.compile(r"(?:.* of )?(?P<file>/.*), commit (?P<id>[0-9a-f]{7,64})")


def _commit(decided_by: str) -> str:
    """Return the commit in the origin of a date, as far as the repository is at hand."""
    found = _COMMIT.fullmatch(decided_by)
    folder = Path(found["file"]).parent if found else None
    if not (found and folder and folder.is_dir()):
        return ""
    show = ("log", "-1", "--no-patch", "--format=%h, %cI: %s", found["id"])
    try:
        return run_git(str(folder), *show).decode("utf-8", "replace").strip()
    except GitError:
        return ""


def _stated(entry: _ReportEntry) -> Mapping[str, Any]:
    values = structs.asdict(entry).items()
    return {name: value for name, value in values if value not in (None, [], "")}


def _absolute(url: str, base_url: str) -> str:
    try:
        return urls.absolute(url, base_url)
    except UrlError:
        return url


def _issues(report: BuildReport, *names: str) -> list[str]:
    return [
        " ".join(filter(None, (each.title, each.detail, each.fix, f"[{each.id}]")))
        for each in report.issues
        if each.where in names
    ]
