"""The chain of date sources: the first that answers gives a page its `lastmod`, or none does.

    metadata    what the author wrote
    generator   what the generator itself states
    git         when the content of the page's sources reached the checked-out branch
    members     for a listing: the newest of the pages it lists and of its own sources

Never the build time and never a file's mtime: what we cannot know we do not write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit.lastmod.git import GitDates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date, datetime
    from pathlib import Path

    from sitemapkit.options import DateSource, Options
    from sitemapkit.page import Page
    from sitemapkit.report import Report
    from sitemapkit.select import Listed


@dataclass(frozen=True, slots=True)
class Dated:
    """A date and the source that gave it."""

    value: date
    source: DateSource


def resolve(listed: Sequence[Listed], options: Options, report: Report) -> Mapping[str, Dated]:
    """Return the date of each page that has an honest one, by the page's loc."""
    chain = _Chain(listed, options.date_sources, report)
    return {found.loc: dated for found in listed if (dated := chain.dated(found))}


class _Chain:
    def __init__(
        self, listed: Sequence[Listed], sources: Sequence[DateSource], report: Report
    ) -> None:
        self.sources = sources
        self.report = report
        self.now = dates.now()
        self.by_url = {found.page.url: found for found in listed}
        self.settled: dict[str, Dated | None] = {}
        self.git: Mapping[Path, datetime] = {}
        if "git" in sources:
            self.git = self._ask_git(listed)

    def dated(self, found: Listed) -> Dated | None:
        """Return the first date on the chain that is not in the future."""
        if found.loc not in self.settled:
            self.settled[found.loc] = None  # what a listing that lists itself sees
            self.settled[found.loc] = self._first_honest(found)
        return self.settled[found.loc]

    def _first_honest(self, found: Listed) -> Dated | None:
        if found.wanted.no_lastmod:
            return None
        for dated in self._answers(found):
            if not dates.is_future(dated.value, self.now):
                return dated
            self._report_future(found, dated)
        return None

    def _answers(self, found: Listed) -> Iterator[Dated]:
        for source in self.sources:
            value = self._answer(found, source)
            if value is not None:
                yield Dated(dates.known(value), source)

    def _answer(self, found: Listed, source: DateSource) -> date | None:
        match source:
            case "metadata":
                return found.wanted.lastmod
            case "generator":
                return found.page.modified
            case "git":
                return None if found.page.members else self._git_date(found.page)
            case "members":
                return self._newest_member(found.page)

    def _git_date(self, page: Page) -> datetime | None:
        """Return the newest date of the page's sources, if each of them has one."""
        known = [self.git[file] for file in page.sources if file in self.git]
        return max(known) if known and len(known) == len(page.sources) else None

    def _newest_member(self, page: Page) -> date | None:
        """Return the date of the newest member, if each listed one has a date."""
        members = [self.by_url[url] for url in page.members if url in self.by_url]
        members = [member for member in members if member.page is not page]
        known = [dated.value for member in members if (dated := self.dated(member))]
        if not known or len(known) < len(members):
            return None
        own = self._git_date(page)
        return dates.newest([*known, own] if own else known)

    def _ask_git(self, listed: Sequence[Listed]) -> Mapping[Path, datetime]:
        files = {file for found in listed if self._needs_git(found) for file in found.page.sources}
        git = GitDates()
        answer = git.last_changed(files)
        self.report.problems.extend(git.remarks)
        return answer

    def _needs_git(self, found: Listed) -> bool:
        """Tell whether nothing before git on the chain has an honest date for the page."""
        earlier = self.sources[: self.sources.index("git")]
        answers = (self._answer(found, source) for source in earlier)
        return not any(value and not dates.is_future(value, self.now) for value in answers)

    def _report_future(self, found: Listed, dated: Dated) -> None:
        self.report.warn(
            "future-date",
            found.page.name,
            f"Its date {dates.w3c(dated.value)} (source: {dated.source}) lies in the future and was"
            " left out.",
            "Mend the date, or the clock of the machine that builds or committed.",
        )
