"""The chain of date sources: the first that answers gives a page its `lastmod`, or none does.

    metadata    what the author wrote
    generator   what the generator itself states
    ledger      unchanged content keeps the date that the ledger remembers
    git         when the content of the page's sources reached the checked-out branch
    members     for a listing: the newest of the pages it lists and of its own sources

Never a file's mtime, and the build's own day only for a change that the ledger saw happen since the
last build: what we cannot know we do not write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit import collector, dates
from sitemapkit.lastmod.memories import Memories
from sitemapkit.lastmod.sources import SourceDates, git_dates
from sitemapkit.model import Lastmod
from sitemapkit.report import Report
from sitemapkit.select import candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from sitemapkit.lastmod.git import GitDates
    from sitemapkit.model import DateSource, Page
    from sitemapkit.options import Options
    from sitemapkit.select import Listed

    Answer = Callable[[Listed], date | str]
    """How a source is asked about a page: it answers with a date, or why there is none."""


def start_dates(options: Options, folder: Path) -> GitDates | None:
    """Let git read the history of `folder` while the generator builds; `build` takes the result.

    None where git is not to be asked.
    """
    if "git" not in options.date_sources:
        return None
    git = git_dates(options)
    git.start(folder)
    return git


def early_dates(
    pages: Iterable[Page], options: Options, git: GitDates | None
) -> Mapping[str, date]:
    """Return the dates of pages that are not rendered yet, by their `url`, as `build` will.

    For generators whose templates show a page's date. `git` is what `start_dates` returned; given
    to `build` as well, it asks nothing twice. Where a ledger is kept, pages should have their
    `content` or `digest` by now: what lies in the output may be of the last build.
    """
    if not options.date_sources:
        return {}
    with collector.at_rest():
        listed = candidates(pages, options)
        chain = Chain(listed, options, Report(), git=git)
        dated = {found.page.url: chain.lastmod(found).value for found in listed}
    return {url: value for url, value in dated.items() if value}


_UNSETTLED = Lastmod()
"""What a listing that lists itself sees of itself."""


class Chain:
    """The date sources of one build, asked page by page."""

    def __init__(
        self,
        listed: Sequence[Listed],
        options: Options,
        report: Report,
        *,
        git: GitDates | None = None,
    ) -> None:
        """Read the ledger, and ask git about all pages that nothing before it can date."""
        self._report = report
        self._now = dates.now()
        self._by_url = {found.page.url: found for found in listed}
        self._settled: dict[Listed, Lastmod] = {}
        sources = options.date_sources
        self._memories = Memories(listed, options, report)
        self._git = SourceDates(options, report, git)
        ways = self._ways()
        self._chain: list[tuple[DateSource, Answer]] = [
            (source, ways[source]) for source in sources
        ]
        if "git" in sources:
            earlier = [ways[source] for source in sources[: sources.index("git")]]
            self._git.ask([found for found in listed if not self._has_date(found, earlier)])

    def lastmod(self, found: Listed) -> Lastmod:
        """Return the page's date, where it comes from, and why the sources before gave none."""
        said = self._settled.get(found)
        if said is None:
            if found.page.members:
                self._settled[found] = _UNSETTLED
            said = self._settled[found] = self._ask(found)
        return said

    def ledger(self) -> bytes:
        """Return the ledger's bytes after this build."""
        return self._memories.updated(
            {found.loc: said.value for found, said in self._settled.items()}
        )

    def _ask(self, found: Listed) -> Lastmod:
        if found.wanted.no_lastmod:
            return Lastmod(skipped=(("metadata", "it asks for no date"),))
        skipped: tuple[tuple[DateSource, str], ...] = ()
        for source, answer_of in self._chain:
            answer = answer_of(found)
            if not isinstance(answer, str):
                answer = self._checked(found, source, answer)
                if not isinstance(answer, str):
                    return Lastmod(dates.known(answer), source, skipped)
            skipped = (*skipped, (source, answer))
        if self._memories.saw_change(found.loc):
            return Lastmod(self._now.date(), "ledger", skipped)
        return Lastmod(skipped=skipped)

    def _ways(self) -> dict[DateSource, Answer]:
        """Return how each source is asked."""
        return {
            "metadata": lambda found: found.wanted.lastmod or "it states none",
            "generator": lambda found: found.page.modified or "the generator states none",
            "ledger": lambda found: self._memories.date_of(found.loc),
            "git": lambda found: (
                "its members tell" if found.page.members else self._git.date_of(found)
            ),
            "members": self._newest_member,
        }

    def _checked(self, found: Listed, source: DateSource, answer: date) -> date | str:
        if dates.is_future(answer, self._now):
            self._report_future(found.page, source, answer)
            return "it lies in the future"
        if source in ("git", "members") and self._memories.changed_after(found.loc, answer):
            return "it is older than the change that the ledger saw"
        return answer

    def _newest_member(self, found: Listed) -> date | str:
        """Return the date of the newest listed member, if each of them has one."""
        members = [member for url in found.page.members if (member := self._by_url.get(url))]
        if not members:
            return "it lists no page"
        said = [self._settled.get(member) or self.lastmod(member) for member in members]
        known = [one.value for one in said if one.value]
        if len(known) < len(members):
            for member, one in zip(members, said, strict=True):
                if not one.value and member is not found:
                    return f"{member.loc} has no date"
        newest = dates.newest(known)
        if newest is None:
            return "no member has a date"
        own = self._git.date_of(found)
        return newest if isinstance(own, str) else max(newest, own, key=dates.sortable)

    def _has_date(self, found: Listed, ways: Sequence[Answer]) -> bool:
        """Tell whether one of these sources has an honest date for the page."""
        for answer_of in ways:
            answer = answer_of(found)
            if not isinstance(answer, str) and not dates.is_future(answer, self._now):
                return True
        return False

    def _report_future(self, page: Page, source: DateSource, value: date) -> None:
        detail = f"It is {dates.w3c(dates.known(value))}, from {source}, and is left out."
        self._report.add("future-date", page.name, detail)
