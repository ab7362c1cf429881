"""The sources of dates in order of precedence: the first with a date sets a page's `lastmod`.

    metadata    the date in the page's metadata
    generator   the date that the generator provides
    git         when the content of the page's sources reached the checked-out branch
    members     for a listing: the newest of the pages it lists and of its own sources

Sources that other packages add are asked after the generator: modules with a class `Source`, which
are loaded if the options need them. Our ledger is one of them.

Only a date in metadata may be before the page's publication.

A file's mtime is never used, and the build date only for a change since the last build that a
source sees, as the ledger does: unknown dates are not written.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from sitemapkit import dates, installed
from sitemapkit.model import UNDATED, Lastmod

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import date

    from sitemapkit.lastmod.files import FileDates
    from sitemapkit.model import Candidate, Issue, OutputFile
    from sitemapkit.options import Options
    from textdates import TextDates

    Answer = Callable[[Candidate], date | str]
    """Returns a source's date for a page, or why it has none."""


@lru_cache(maxsize=1024)  # most undated pages share a few reasons
def _undated(sources: Sequence[str], answers: Sequence[str]) -> Lastmod:
    """Return the missing date: the answers are those of the first sources."""
    return Lastmod(skipped=tuple(zip(sources, answers, strict=False)))


UNKNOWN: Mapping[str, str] = {
    "metadata": "it states none",
    "generator": "the generator states none",
    "git": "no source file is known",
    "members": "it lists no page",
}
"""The answer of each source about a page of which it knows nothing."""


class Source(Protocol):
    """A source of dates, loaded by its name."""

    issues: Sequence[Issue]
    """Problems with its data."""

    def __init__(self, pages: Sequence[Candidate], options: Options) -> None:
        """Read what it needs to date these pages."""

    def date_of(self, candidate: Candidate) -> date | str:
        """Return a page's date, or why it has none."""
        ...


@runtime_checkable
class SeesChanges(Protocol):
    """A source of dates that compares each build with the last one, and keeps a record of it."""

    def saw_change(self, candidate: Candidate) -> bool:
        """Return whether a page changed since the last build, or is new."""
        ...

    def changed_after(self, candidate: Candidate, value: date) -> bool:
        """Return whether a page changed later than another source says."""
        ...

    def records(self, lastmods: Mapping[str, date | None]) -> Iterator[OutputFile]:
        """Yield the files for the next build; `lastmods` are the dates of the pages by loc."""
        ...


def _load(name: str, pages: Sequence[Candidate], options: Options) -> Source:
    """Return a source of another package."""
    module = installed.load(installed.DATE_SOURCES, name)
    return cast("Source", module.Source(pages, options))


class Resolver:
    """Dates the pages of one selection."""

    def __init__(
        self,
        pages: Sequence[Candidate],
        options: Options,
        history: TextDates | None,
        unlisted: Sequence[Candidate],
    ) -> None:
        """Load the sources, and set the date of each page.

        `unlisted` are pages that listings show but the sitemap does not list.
        """
        self.pages = pages
        self._unlisted = unlisted
        self.future: dict[str, tuple[str, date]] = {}
        """Dates that are left out because they are in the future, by the names of listed pages."""

        self._now = dates.now()
        self.files: FileDates | None = None
        """The dates from git, if they are wanted."""

        if "git" in options.date_sources:
            from sitemapkit.lastmod.files import FileDates  # noqa: PLC0415 - loads `textdates`

            self.files = FileDates(options, history)
        sources, answers = options.date_sources, self._answers()
        self._loaded: dict[str, Source] = {
            name: _load(name, pages, options) for name in sources if name not in answers
        }
        answers |= {name: source.date_of for name, source in self._loaded.items()}
        self._seeing: dict[str, SeesChanges] = {
            name: source for name, source in self._loaded.items() if isinstance(source, SeesChanges)
        }
        self._sources = sources
        self._chain: list[tuple[str, Answer]] = [(name, answers[name]) for name in sources]
        self._date()

    def _date(self) -> None:
        """Set the date of each page: by what is known at once, then by git, then by its members."""
        earlier = self._chain[: self._sources.index("git")] if self.files else []
        undated: list[Candidate] = []
        for each in chain(self._unlisted, self.pages):
            each.lastmod = self._decided(each, earlier, []) or UNDATED
            if each.lastmod is UNDATED:
                undated.append(each)
        if self.files:
            self.files.ask(undated)
        lists: list[Candidate] = []
        for each in undated:
            if each.page.members:
                lists.append(each)
            else:
                each.lastmod = self._resolve(each)
        # A list is dated by pages, not by other lists: so their order does not matter.
        dated = [self._resolve(each) for each in lists]
        for each, lastmod in zip(lists, dated, strict=True):
            each.lastmod = lastmod

    @cached_property
    def _by_url(self) -> Mapping[str, Candidate]:
        """The pages that listings may show, by their `url`; not made for a site without any."""
        return {each.page.url: each for each in chain(self._unlisted, self.pages)}

    @property
    def source_issues(self) -> Iterator[Issue]:
        """Yield the problems with the data of the sources that were loaded by name."""
        return chain.from_iterable(source.issues for source in self._loaded.values())

    def decided_by(self, candidate: Candidate) -> list[str]:
        """Return the origin of a page's date: for git, a file or part of one, and the commit.

        After it follow the files that have no newer date.
        """
        lastmod = candidate.lastmod
        if lastmod.source == "members":
            for member in self._members(candidate):
                if member.lastmod.value == lastmod.value and member is not candidate:
                    return [member.loc]
        return self.files.decided_by(candidate) if self.files and lastmod.source == "git" else []

    @property
    def sees_changes(self) -> bool:
        """Whether a source compares the content of the pages with that of the last build."""
        return bool(self._seeing)

    def records(self) -> Iterator[OutputFile]:
        """Yield the files that sources keep for the next build."""
        lastmods = {each.loc: each.lastmod.value for each in self.pages}
        for source in self._seeing.values():
            yield from source.records(lastmods)

    def _answers(self) -> dict[str, Answer]:
        """Return the function of each source; a reference back here would delay freeing memory."""
        files = self.files
        return {
            "metadata": lambda page: page.metadata.lastmod or UNKNOWN["metadata"],
            "generator": lambda page: page.page.modified or UNKNOWN["generator"],
            "git": lambda page: (
                files.date_of(page)
                if files and not page.page.members
                else "the pages that it lists decide"
            ),
            "members": lambda _: UNKNOWN["members"],
        }

    def _resolve(self, candidate: Candidate) -> Lastmod:
        why: list[str] = []
        if decided := self._decided(candidate, self._chain, why):
            return decided
        undated = _undated(self._sources, tuple(why))
        for name, source in self._seeing.items():
            if source.saw_change(candidate):
                return Lastmod(dates.build_time().date(), name, undated.skipped)
        published = "generator" in self._sources and candidate.page.published
        if published and not (self.files and self.files.may_have_changed(candidate)):
            if not dates.is_future(published, self._now):
                return Lastmod(dates.known(published), "generator", undated.skipped)
            if candidate.page.kind != "listing":
                self._leave_out(candidate, "generator", published)
        return undated

    def _decided(
        self, candidate: Candidate, sources: Sequence[tuple[str, Answer]], why: list[str]
    ) -> Lastmod | None:
        """Return the date by the first of these sources, or none if the page wants none.

        None: none of them has a date, and `why` gets the reason of each.
        """
        if candidate.metadata.no_lastmod:
            return Lastmod(skipped=(("metadata", "it turns the date off"),))
        for source, answer_of in sources:
            is_listing = source == "members" and candidate.page.members
            answer = self._newest_member(candidate) if is_listing else answer_of(candidate)
            if not isinstance(answer, str):
                answer = self._checked(candidate, source, answer)
            if not isinstance(answer, str):
                return self._dated(candidate, source, answer, why)
            why.append(answer)
        return None

    def _checked(self, candidate: Candidate, source: str, answer: date) -> date | str:
        if dates.is_future(answer, self._now):
            self._leave_out(candidate, source, answer)
            return "it is in the future"
        if source in ("git", "members"):
            for name, seeing in self._seeing.items():
                if seeing.changed_after(candidate, answer):
                    return f"it is older than the change that the {name} saw"
        return answer

    def _dated(
        self, candidate: Candidate, source: str, answer: date, why: Sequence[str]
    ) -> Lastmod:
        """Return the date of a source, or that of the publication if it is later."""
        published = candidate.page.published
        counts = source != "metadata" and published and not dates.is_future(published, self._now)
        if published and counts and dates.sortable(published) > dates.sortable(answer):
            source, answer, why = "generator", published, [*why, "it is older than the publication"]
        return Lastmod(dates.known(answer), source, _undated(self._sources, tuple(why)).skipped)

    def _leave_out(self, candidate: Candidate, source: str, value: date) -> None:
        """Remember a date in the future."""
        if candidate not in self._unlisted:
            self.future.setdefault(candidate.page.name, (source, value))

    def _newest_member(self, candidate: Candidate) -> date | str:
        """Return the newest date of the page's members and its own files, if each has one."""
        known: list[date] = []
        for member in self._members(candidate):
            if member.lastmod.value:
                known.append(member.lastmod.value)
            elif member is not candidate:
                return f"{member.loc} has no date"
        if not known:
            return "it lists no other page"
        own = self.files.date_of(candidate) if self.files else ""
        if not isinstance(own, str):
            known.append(own)
        elif self.files and self.files.may_have_changed(candidate):
            return own
        return dates.newest(known) or ""

    def _members(self, candidate: Candidate) -> list[Candidate]:
        return [member for url in candidate.page.members if (member := self._by_url.get(url))]
