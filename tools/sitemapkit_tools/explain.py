"""Why a URL is in the sitemap or not, according to the JSON report of a build."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapkit import urls
from sitemapkit.errors import SitemapError, UrlError

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
    dates: Mapping[str, Mapping[str, Any]]
    """Where the `lastmod` of each listed page comes from."""

    origins: Mapping[str, Mapping[str, str]]
    """Where other values come from."""

    names: Mapping[str, str]
    """The name of a listed page in the issues."""

    issues: Sequence[Mapping[str, str]]


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


def read_report(file: Path) -> BuildReport:
    """Read the JSON report of a build. Raises SitemapError if it is not one."""
    try:
        held: Any = json.loads(file.read_text(encoding="utf-8"))
        base_url = str(held["base_url"])
        return BuildReport(
            base_url=base_url,
            listed={entry["loc"]: _stated(entry) for entry in held["listed"]},
            excluded={
                _absolute(each["url"], base_url): Excluded(str(each["reason"]), str(each["page"]))
                for each in held["excluded"]
            },
            dates=dict(held["dates"]),
            origins=dict(held["origins"]),
            names=dict(held["names"]),
            issues=list(held["issues"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SitemapError(
            f"{file} is no report of a build ({error}); the option `report` writes one."
        ) from error


def explain(url: str, report: BuildReport) -> Explanation:
    """Return what the report says of a URL, which may be given relative to the base URL."""
    loc = _absolute(url, report.base_url)
    if loc not in report.listed:
        reason, page = report.excluded.get(loc, ("", ""))
        return Explanation(loc, False, reason, page, issues=_issues(report, loc, page))
    dated, page = report.dates.get(loc, {}), report.names.get(loc, "")
    return Explanation(
        loc,
        True,
        page=page,
        values=report.listed[loc],
        origins=report.origins.get(loc, {}),
        date_source=dated.get("source"),
        skipped=[(str(source), str(why)) for source, why in dated.get("skipped", ())],
        issues=_issues(report, loc, page),
    )


def _stated(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in entry.items() if value not in (None, [], "")}


def _absolute(url: str, base_url: str) -> str:
    try:
        return urls.absolute(url, base_url)
    except UrlError:
        return url


def _issues(report: BuildReport, *names: str) -> list[str]:
    return [
        " ".join(filter(None, (each["title"], each["detail"], each["fix"], f"[{each['id']}]")))
        for each in report.issues
        if each["where"] in names
    ]
