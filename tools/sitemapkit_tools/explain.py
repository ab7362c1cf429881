"""Why a URL is in the sitemap or not, by the JSON report of a build."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from sitemapkit import Reason, urls
from sitemapkit.errors import SitemapError, UrlError
from sitemapkit.head import is_html
from sitemapkit_tools.bounds import read_json
from sitemapkit_tools.site.lines import head_line, metadata_line
from sitemapkit_tools.site.output_dir import OutputDir
from textdates.bounds import is_folder
from textdates.git import GitError, run_git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Explanation(Struct, frozen=True):
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

    values: Mapping[str, Any] = {}
    """What its entry says."""

    origins: Mapping[str, str] = {}
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


LISTS = ("alternates", "images", "videos")
"""The fields of an entry that are lists."""


class BuildReport(Struct, frozen=True, dict=True):
    """The report of a build."""

    base_url: str
    entries: list[dict[str, Any]] = field(name="listed")
    left_out: list[_ReportExcluded] = field(name="excluded")
    dates: dict[str, _ReportDate]
    """Where the `lastmod` of each listed page comes from."""

    origins: dict[str, dict[str, str]]
    """Where other values come from."""

    names: dict[str, str]
    """The name of a listed page in the issues."""

    issues: list[_ReportIssue]
    entry_file: str | None = None
    older: dict[str, list[str]] = {}
    """Files that were checked for the date, and had no newer one."""

    def __post_init__(self) -> None:
        """Raise ValueError for an entry without a URL, or with another value than a list."""
        if not all(isinstance(each.get("loc"), str) for each in self.entries):
            raise ValueError("an entry has no `loc`")
        for name in LISTS:
            if not all(isinstance(each.get(name) or [], list) for each in self.entries):
                raise ValueError(f"the `{name}` of an entry are no list")

    @cached_property
    def listed(self) -> Mapping[str, Mapping[str, Any]]:
        """The fields of each listed page's entry that are not empty, by its URL."""
        return {
            entry["loc"]: {key: each for key, each in entry.items() if each not in (None, [], "")}
            for entry in self.entries
        }

    @cached_property
    def excluded(self) -> Mapping[str, _ReportExcluded]:
        """The other pages by their URLs."""
        return {_absolute(each.url, self.base_url): each for each in self.left_out}


def read_report(file: Path) -> BuildReport:
    """Read the JSON report of a build. Raises SitemapError if it is not one."""
    try:
        return read_json(file, BuildReport)
    except (OSError, ValueError) as error:
        raise SitemapError(
            f"{file} is not a report of a build ({error}); the option `report` writes one."
        ) from error


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
    key = _KEY.fullmatch(excluded.decided_by)
    if key and excluded.reason in (Reason.EXCLUDED_BY_PAGE, Reason.NOINDEX):
        found = metadata_line(source, key["name"])
        return f"{source}:{found.number}: {found.text}" if found else ""
    files = [source] if is_html(excluded.page) else []
    output_dir = Path(report.entry_file).parent if report.entry_file else None
    if output_dir and is_folder(output_dir):
        tree = OutputDir.walk(output_dir, report.base_url)
        files += [Path(tree.path(route.file))] if (route := tree.route(loc)) else []
    lines = ((file, line) for file in files if (line := head_line(file, excluded.reason)))
    return next((f"{file}:{line.number}: {line.text}" for file, line in lines), "")


_KEY = re.compile(r"(?:metadata )?(?:sitemap[-_.:])?(?P<name>\w+)")
"""A key of a page's metadata, in one of its spellings."""

_COMMIT = re.compile(r"(?:.* of (?=/))?+(?P<file>/.*), commit (?P<id>[0-9a-f]{7,64})")


def _commit(decided_by: str) -> str:
    """Return the commit in the origin of a date, as far as the repository is at hand."""
    found = _COMMIT.fullmatch(decided_by)
    folder = Path(found["file"]).parent if found else None
    if not (found and folder and is_folder(folder)):
        return ""
    show = ("log", "-1", "--no-patch", "--format=%h, %cI: %s", found["id"])
    try:
        return run_git(str(folder), *show).decode("utf-8", "replace").strip()
    except GitError:
        return ""


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
