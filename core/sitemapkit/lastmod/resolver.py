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
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from sitemapkit.lastmod.files import FileDates
    from sitemapkit.model import Issue, Listed, OutputFile
    from sitemapkit.options import Options
    from textdates import TextDates


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

    def __init__(self, pages: Sequence[Listed], options: Options) -> None:
        """Read what it needs to date these pages."""

    def date_of(self, listed: Listed) -> date | str:
        """Return a page's date, or why it has none."""
        ...


@runtime_checkable
class SeesChanges(Protocol):
    """A source of dates that compares each build with the last one, and keeps a record of it."""

    def saw_change(self, listed: Listed) -> bool:
        """Return whether a page changed since the last build, or is new."""
        ...

    def changed_after(self, listed: Listed, value: date) -> bool:
        """Return whether a page changed later than another source says."""
        ...

    def records(self, lastmods: Mapping[str, date | None]) -> Iterator[OutputFile]:
        """Yield the files for the next build; `lastmods` are the dates of the pages by loc."""
        ...


def _load(name: str, pages: Sequence[Listed], options: Options) -> Source:
    """Return a source of another package."""
    module = installed.load(installed.DATE_SOURCES, name)
    return cast("Source", module.Source(pages, options))


class Resolver:
    """Dates the pages of one selection."""

    def __init__(
        self,
        pages: Sequence[Listed],
        options: Options,
        history: TextDates | None,
        unlisted: Sequence[Listed],
    ) -> None:
        """Load the sources, and set the date of each page.

        `unlisted` are pages that listings show but the sitemap does not list.
        """
        self.pages = pages
        self._unlisted = unlisted
        self.future: dict[str, tuple[str, date]] = {}
        """Dates that are left out because they are in the future, by the names of listed pages."""

        self._now = dates.now()
        self._sources = options.date_sources
        self.files: FileDates | None = None
        """The dates from git, if they are wanted."""

        if "git" in self._sources:
            from sitemapkit.lastmod.files import FileDates  # noqa: PLC0415 - loads `textdates`

            self.files = FileDates(options, history)
        self._loaded: dict[str, Source] = {}
        self._seeing: dict[str, SeesChanges] = {}
        for name in self._sources:
            if name not in UNKNOWN:
                source = _load(name, pages, options)
                self._loaded[name] = source
                if isinstance(source, SeesChanges):
                    self._seeing[name] = source
        self._date()

    def _date(self) -> None:
        """Set the date of each page: by what is known at once, then by git, then by its members."""
        # Git need not be asked about a page that a source before it dates.
        before_git: Sequence[str] = ()
        if self.files:
            before_git = self._sources[: self._sources.index("git")]
        undated: list[Listed] = []
        for each in chain(self._unlisted, self.pages):
            each.lastmod = self._decided(each, before_git, []) or UNDATED
            if each.lastmod is UNDATED:
                undated.append(each)
        if self.files:
            self.files.ask(undated)
        lists: list[Listed] = []
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
    def _by_url(self) -> Mapping[str, Listed]:
        """The pages that listings may show, by their `url`; not made for a site without any."""
        return {each.page.url: each for each in chain(self._unlisted, self.pages)}

    @property
    def source_issues(self) -> Iterator[Issue]:
        """Yield the problems with the data of the sources that were loaded by name."""
        for source in self._loaded.values():
            yield from source.issues

    def decided_by(self, listed: Listed) -> list[str]:
        """Return the origin of a page's date: for git, a file or part of one, and the commit.

        After it follow the files that have no newer date.
        """
        lastmod = listed.lastmod
        if lastmod.source == "members":
            for member in self._members(listed):
                if member.lastmod.value == lastmod.value and member is not listed:
                    return [member.loc]
        if lastmod.source == "git" and self.files:
            return self.files.decided_by(listed)
        return []

    @property
    def sees_changes(self) -> bool:
        """Whether a source compares the content of the pages with that of the last build."""
        return bool(self._seeing)

    def records(self) -> Iterator[OutputFile]:
        """Yield the files that sources keep for the next build."""
        lastmods = {each.loc: each.lastmod.value for each in self.pages}
        for source in self._seeing.values():
            yield from source.records(lastmods)

    def _resolve(self, listed: Listed) -> Lastmod:
        """Return the date by any source, or by the build if it changed, or by its publication."""
        why: list[str] = []
        decided = self._decided(listed, self._sources, why)
        if decided:
            return decided
        undated = _undated(self._sources, tuple(why))
        for name, source in self._seeing.items():
            if source.saw_change(listed):
                return Lastmod(dates.build_time().date(), name, undated.skipped)
        published = listed.page.published
        if published is None or "generator" not in self._sources:
            return undated
        if self.files and self.files.may_have_changed(listed):  # then it may be newer
            return undated
        if dates.is_future(published, self._now):
            if listed.page.kind != "listing":
                self._leave_out(listed, "generator", published)
            return undated
        return Lastmod(dates.known(published), "generator", undated.skipped)

    def _decided(self, listed: Listed, sources: Sequence[str], why: list[str]) -> Lastmod | None:
        """Return the date by the first of these sources, or none if the page wants none.

        None: none of them has a date, and `why` gets the reason of each.
        """
        if listed.metadata.no_lastmod:
            return Lastmod(skipped=(("metadata", "it turns the date off"),))
        for source in sources:
            answer = self._answer(listed, source)
            if not isinstance(answer, str):
                answer = self._checked(listed, source, answer)
            if isinstance(answer, str):
                why.append(answer)
            else:
                return self._dated(listed, source, answer, why)
        return None

    def _answer(self, listed: Listed, source: str) -> date | str:
        """Return a source's date for a page, or why it has none."""
        page = listed.page
        if source in self._loaded:
            return self._loaded[source].date_of(listed)
        if source == "git" and self.files:
            if page.members:
                return "the pages that it lists decide"
            return self.files.date_of(listed)
        if source == "members" and page.members:
            return self._newest_member(listed)
        found: date | str | None = None
        if source == "metadata":
            found = listed.metadata.lastmod
        elif source == "generator":
            found = page.modified
        return found or UNKNOWN[source]

    def _checked(self, listed: Listed, source: str, answer: date) -> date | str:
        if dates.is_future(answer, self._now):
            self._leave_out(listed, source, answer)
            return "it is in the future"
        if source in ("git", "members"):
            for name, seeing in self._seeing.items():
                if seeing.changed_after(listed, answer):
                    return f"it is older than the change that the {name} saw"
        return answer

    def _dated(self, listed: Listed, source: str, answer: date, why: Sequence[str]) -> Lastmod:
        """Return the date of a source, or that of the publication if it is later."""
        published = listed.page.published
        if published and source != "metadata":
            is_later = dates.sortable(published) > dates.sortable(answer)
            if is_later and not dates.is_future(published, self._now):
                source, answer = "generator", published
                why = [*why, "it is older than the publication"]
        skipped = _undated(self._sources, tuple(why)).skipped
        return Lastmod(dates.known(answer), source, skipped)

    def _leave_out(self, listed: Listed, source: str, value: date) -> None:
        """Remember a date in the future."""
        if listed not in self._unlisted:
            self.future.setdefault(listed.page.name, (source, value))

    def _newest_member(self, listed: Listed) -> date | str:
        """Return the newest date of the page's members and its own files, if each has one."""
        known: list[date] = []
        for member in self._members(listed):
            if member.lastmod.value:
                known.append(member.lastmod.value)
            elif member is not listed:
                return f"{member.loc} has no date"
        if not known:
            return "it lists no other page"
        if self.files:
            own = self.files.date_of(listed)
            if not isinstance(own, str):
                known.append(own)
            elif self.files.may_have_changed(listed):  # its own text may be newer than its pages
                return own
        return dates.newest(known) or ""

    def _members(self, listed: Listed) -> list[Listed]:
        members: list[Listed] = []
        for url in listed.page.members:
            member = self._by_url.get(url)
            if member:
                members.append(member)
        return members
