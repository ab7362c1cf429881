"""Why a URL is in the sitemap or not, according to the JSON report of a build."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, structs

from sitemapkit import urls
from sitemapkit.errors import SitemapError, UrlError
from sitemapkit_tools.bounds import read_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class Excluded(NamedTuple):
    """A page that the build did not list."""

    reason: str
    page: str


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The report of a build, by URL."""

    base_url: str
    listed: Mapping[str, Mapping[str, Any]]
    """The fields of each listed page's entry that are not empty."""

    excluded: Mapping[str, Excluded]
    dates: Mapping[str, _ReportDate]
    """Where the `lastmod` of each listed page comes from."""

    origins: Mapping[str, Mapping[str, str]]
    """Where other values come from."""

    names: Mapping[str, str]
    """The name of a listed page in the issues."""

    issues: Sequence[_ReportIssue]


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that a report says about one URL."""

    url: str
    listed: bool
    reason: str = ""
    """Why it is not listed."""

    page: str = ""
    """Its source, if the report names it."""

    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What its entry says."""

    origins: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where values of the entry come from, as far as the report says."""

    date_source: str | None = None
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
    url: str
    reason: str
    page: str


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


def read_report(file: Path) -> BuildReport:
    """Read the JSON report of a build. Raises SitemapError if it is not one."""
    try:
        held = read_json(file, _Report)
    except (OSError, ValueError) as error:
        raise SitemapError(
            f"{file} is no report of a build ({error}); the option `report` writes one."
        ) from error
    return BuildReport(
        base_url=held.base_url,
        listed={entry.loc: _stated(entry) for entry in held.listed},
        excluded={
            _absolute(each.url, held.base_url): Excluded(each.reason, each.page)
            for each in held.excluded
        },
        dates=held.dates,
        origins=held.origins,
        names=held.names,
        issues=held.issues,
    )


def explain(url: str, report: BuildReport) -> Explanation:
    """Return what the report says of a URL, which may be given relative to the base URL."""
    loc = _absolute(url, report.base_url)
    if loc not in report.listed:
        reason, page = report.excluded.get(loc, ("", ""))
        return Explanation(loc, False, reason, page, issues=_issues(report, loc, page))
    dated, page = report.dates.get(loc, _ReportDate()), report.names.get(loc, "")
    return Explanation(
        loc,
        True,
        page=page,
        values=report.listed[loc],
        origins=report.origins.get(loc, {}),
        date_source=dated.source,
        skipped=dated.skipped,
        issues=_issues(report, loc, page),
    )


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
