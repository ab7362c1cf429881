"""The grade of a sitemap: whether its dates are those on which the texts of the pages changed.

The source of a page decides, as far as it is known, with the commit that git finds for it. What a
page shows besides its source cannot be seen here, so a newer date of such a page may be right.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import Struct, structs

from sitemapkit import dates
from sitemapkit_tools.console import counted
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.made import Made
from sitemapkit_tools.site.scan import ScanSettings, SitePage, mapped_sources
from sitemapkit_tools.site.stated_dates import days_in_front_matter, text_of
from textdates import FileOrPart, TextDates, file_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl

    Sources = Mapping[str, Sequence[FileOrPart]]
    """The files that each page was made from, its own source first, by URL."""

    SourcesOf = Callable[[str, Iterable[str]], Sources]
    """Returns the sources of pages, given the base URL of the site and their URLs."""

Verdict = Literal["right", "too new", "too old", "unknown"]

_NO_SOURCE = "its source is not known"
_TO_DO = (
    "no source files were found. Run it in the project, or name the project with --repository, or"
    " the files with --source-map"
)

_DAY = timedelta(days=1)

_SHOWS_MORE = re.compile(
    r"""(?mx)
      ^[ \t]*:::[ \t]?[\w.]                      # objects of Python or a command line
    | ^[ \t]*\.\.[ ](?:\w+:)?(?:auto|include|literalinclude|toctree|click|program-output|exec)
    | ^[ \t]*`{3,}[ \t]*\{(?:eval-rst|auto|include|literalinclude|toctree|click)
    | -8<- | \{[%{]                              # snippets, macros
    """
)
"""What shows the text of another file in a page."""


class GradedDate(Struct, frozen=True):
    """One date of a sitemap, and what it should be."""

    url: str
    lastmod: str
    verdict: Verdict
    days: int = 0
    """By how many days it is wrong."""

    changed: str = ""
    """When the text last changed, as far as that is known."""

    commit: str = ""
    """The commit that decides."""

    source: str = ""
    """The file that was changed in it."""

    why: str = ""
    """Why it is unknown, or right though the source has another date."""


class Grade(Struct, frozen=True):
    """All dates of a sitemap."""

    dates: Sequence[GradedDate]

    def of(self, verdict: Verdict) -> list[GradedDate]:
        """Return the dates with a verdict."""
        return [each for each in self.dates if each.verdict == verdict]

    @property
    def known(self) -> int:
        """How many dates could be judged."""
        return len(self.dates) - len(self.of("unknown"))

    @property
    def percent(self) -> float | None:
        """Which part of the dates that could be judged is right; None if none could."""
        return 100 * len(self.of("right")) / self.known if self.known else None

    def as_dict(self) -> dict[str, Any]:
        """Return the grade as JSON shows it."""
        counts = {name: len(self.of(name)) for name in get_args(Verdict)}
        return {
            "summary": self.summary(),
            "percent": self.percent,
            "counts": counts,
            "dates": [structs.asdict(each) for each in self.dates],
        }

    def day_of_build(self) -> str:
        """Return the day that most of the too new dates have, if no text changed after it."""
        days = Counter(each.lastmod[:10] for each in self.of("too new"))
        day, count = max(days.items(), key=lambda each: each[1], default=("", 0))
        newest = max((each.changed[:10] for each in self.dates), default="")
        return day if count > 1 and day >= newest else ""

    def summary(self) -> str:
        """Return the sentence that a person repeats."""
        reasons, more = Counter(each.why for each in self.of("unknown")), ""
        if not self.dates:
            return "The sitemap has no dates."
        for why, count in reasons.most_common(1):
            if not self.known:
                return f"No date could be judged: {_TO_DO if why == _NO_SOURCE else why}."
            which = f" ({count:,} of them)" if count < reasons.total() else ""
            unknown = counted(reasons.total(), "more date")
            more = f" {unknown} could not be judged: {why}{which}."
        new, old = self.of("too new"), self.of("too old")
        if not (new or old):
            return f"All is right: {counted(self.known, 'date')}.{more}"
        build = sum(each.lastmod[:10] == self.day_of_build() for each in new)
        kinds = (
            (build, ("has the day of the build", "have the day of the build")),
            (len(new) - build, ("is newer than the last change", "are newer than the last change")),
            (len(old), ("is older than the last change", "are older than the last change")),
        )
        said = [f"{count:,} {_plural(count, *words)}" for count, words in kinds if count]
        wrong = len(new) + len(old)
        verb = _plural(wrong, "is", "are")
        return f"{wrong:,} of {counted(self.known, 'date')} {verb} wrong: {', '.join(said)}.{more}"


def _plural(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def sources_of(site: SiteSnapshot, pages: Iterable[SitePage]) -> Sources:
    """Return the sources of listed pages, as a scan of the site found them."""
    found = {each.location: (*each.page.sources, *each.page.included) for each in pages}
    return {url: found.get(status.location, ()) for url, status in site.statuses.items()}


def sources_in(tree: OutputDir, urls: Iterable[str], settings: ScanSettings) -> Sources:
    """Return the sources of pages whose files are not read, by the files that URLs stand for."""
    found: dict[str, Sequence[FileOrPart]] = {}
    for url in urls:
        if route := tree.route(url):
            made = settings.made.pages.get(route.file, Made())
            mapped = mapped_sources(route.file, tree, settings)
            found[url] = mapped or (*made.sources, *made.included)
    return found


def grade(listed: Iterable[ListedUrl], sources: Sources, *, until: str = "") -> Grade:
    """Return the grade of the dates of listed pages.

    `until`: a day; texts that changed later cannot be judged, because the sitemap is older.
    """
    dated = {each.url: each for each in listed if each.element.valid_lastmod is not None}
    history = TextDates()
    files = {file for url in dated for file in sources.get(url, ())}
    changed = history.last_changed(files)
    found = [_judge(each, sources.get(url, ()), changed, history) for url, each in dated.items()]
    if until:
        found = [
            GradedDate(each.url, each.lastmod, "unknown", why="its text changed later")
            if each.changed[:10] > until
            else each
            for each in found
        ]
    return Grade(sorted(found, key=lambda each: each.url))


def _judge(
    listed: ListedUrl,
    sources: Sequence[FileOrPart],
    changed: Mapping[FileOrPart, datetime],
    history: TextDates,
) -> GradedDate:
    url, text, value = listed.url, listed.element.lastmod or "", listed.element.valid_lastmod
    assert value is not None  # noqa: S101 - only such are judged
    if not sources:
        return GradedDate(url, text, "unknown", why=_NO_SOURCE)
    undated = next((each for each in sources if each not in changed), None)
    if undated is not None:
        why = f"{file_of(undated)}: {history.why_unknown(undated)}"
        return GradedDate(url, text, "unknown", why=why)
    newest = max(sources, key=lambda each: changed[each])
    truth = changed[newest]
    days = _days(value, truth)
    verdict: Verdict = "right" if not days else "too new" if days > 0 else "too old"
    why, source = "", text_of(sources[0])
    if days and text[:10] in days_in_front_matter(source):
        verdict, days, why = "right", 0, "its source states it"
    elif days >= 0 and _SHOWS_MORE.search(source):
        verdict, days, why = "unknown", 0, "its page may show other files than its source"
    commit, file = history.commit(newest), file_of(newest)
    return GradedDate(url, text, verdict, abs(days), dates.w3c(truth), commit, file, why)


def _days(stated: date, truth: datetime) -> int:
    """Return by how many days a date is too new, or with a minus too old.

    A date without a time may be that of another time zone, so it may be a day off.
    """
    if isinstance(stated, datetime):
        return int((stated - truth) / _DAY)  # cut towards 0
    days = (stated - truth.astimezone(UTC).date()).days
    return days if abs(days) > 1 else 0


def grade_issues(found: Grade, listed: Iterable[ListedUrl]) -> Iterator[Issue]:
    """Yield an issue for each date that is wrong."""
    by_url = {each.url: each for each in listed}
    for each in found.dates:
        rule = _RULES.get(each.verdict)
        if rule:
            at = by_url[each.url]
            detail = (
                f"It says {each.lastmod}; the text last changed on {each.changed[:10]}, in commit"
                f" {each.commit[:_SHORT]} of {_short(each.source)}: {each.verdict} by"
                f" {counted(each.days, 'day')}."
            )
            yield issue(rule, each.url, detail, at.file.location, at.element.line)


_RULES: Mapping[str, str] = {"too new": "date-too-new", "too old": "date-too-old"}
_SHORT = 8


def _short(source: str) -> str:
    here = Path(source)
    try:
        return here.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return here.name
