"""The sources of dates in order of precedence: the first with a date sets a page's `lastmod`.

    metadata    the date in the page's metadata
    generator   the date that the generator provides
    ledger      for unchanged content, the date in the ledger
    git         when the content of the page's sources reached the checked-out branch
    members     for a listing: the newest of the pages it lists and of its own sources

The order is that of `model.DateSource`. A source that is not answered here is a module of this
package with its name, whose class is a `Source`; it is loaded if the options ask for it.

Only in metadata, a page may state a date before its publication.

A file's mtime is never used, and the day of the build only for a change since the last build that
the ledger shows: an unknown date is not written.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from sitemapkit import dates
from sitemapkit.lastmod.sources import SourceDates
from sitemapkit.model import Lastmod
from sitemapkit.rules import issue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from sitemapkit.lastmod import ledger
    from sitemapkit.lastmod.git import GitDates
    from sitemapkit.model import Candidate, DateSource, Issue
    from sitemapkit.options import Options

    Answer = Callable[[Candidate], date | str]
    """Returns a source's date of a page, or why it has none."""

_UNRESOLVED = Lastmod()
"""The date of a listing that lists itself, while it is being resolved."""


class Source(Protocol):
    """A source of dates, loaded by its name."""

    issues: Sequence[Issue]
    """What is wrong with its data."""

    def __init__(self, pages: Sequence[Candidate], options: Options) -> None:
        """Read what it needs to date these pages."""

    def date_of(self, found: Candidate) -> date | str:
        """Return the date of a page, or why it has none."""
        ...


class Resolver:
    """Dates the pages of one selection."""

    def __init__(
        self, pages: Sequence[Candidate], options: Options, history: GitDates | None
    ) -> None:
        """Load the sources, and ask git about all pages that no earlier source can date."""
        self.pages = pages
        self._own_issues: list[Issue] = []
        self._now = dates.now()
        self._by_url = {found.page.url: found for found in pages}
        self._resolved: dict[Candidate, Lastmod] = {}
        self._git = SourceDates(options, history)
        sources = options.date_sources
        answers = self._answers()
        self._loaded: dict[DateSource, Source] = {
            name: import_module(f"{__package__}.{name}").Source(pages, options)
            for name in sources
            if name not in answers
        }
        answers |= {name: source.date_of for name, source in self._loaded.items()}
        self._ledger = cast("ledger.Source | None", self._loaded.get("ledger"))
        self._chain: list[tuple[DateSource, Answer]] = [(name, answers[name]) for name in sources]
        if history:
            earlier = [answers[source] for source in sources[: sources.index("git")]]
            self._git.ask([found for found in pages if not self._has_date(found, earlier)])

    @property
    def issues(self) -> list[Issue]:
        """What is wrong with the dates, so far."""
        loaded = [issue for source in self._loaded.values() for issue in source.issues]
        return [*loaded, *self._git.issues, *self._own_issues]

    def lastmod(self, found: Candidate) -> Lastmod:
        """Return the page's date, its source, and why earlier sources have none."""
        known = self._resolved.get(found)
        if known is None:
            if found.page.members:
                self._resolved[found] = _UNRESOLVED
            known = self._resolved[found] = self._resolve(found)
        return known

    def ledger(self) -> bytes:
        """Return the ledger's bytes after this build; empty if no ledger is in use."""
        lastmods = {found.loc: lastmod.value for found, lastmod in self._resolved.items()}
        return self._ledger.updated(lastmods) if self._ledger else b""

    def _answers(self) -> dict[DateSource, Answer]:
        """Return the function of each source."""
        return {
            "metadata": lambda found: found.metadata.lastmod or "it states none",
            "generator": lambda found: found.page.modified or "the generator states none",
            "git": lambda found: (
                "its members decide" if found.page.members else self._git.date_of(found)
            ),
            "members": self._newest_member,
        }

    def _resolve(self, found: Candidate) -> Lastmod:
        if found.metadata.no_lastmod:
            return Lastmod(skipped=(("metadata", "it turns the date off"),))
        skipped: tuple[tuple[DateSource, str], ...] = ()
        for source, answer_of in self._chain:
            answer = answer_of(found)
            if not isinstance(answer, str):
                answer = self._checked(found, source, answer)
                if not isinstance(answer, str):
                    return Lastmod(dates.known(answer), source, skipped)
            skipped = (*skipped, (source, answer))
        if self._ledger and self._ledger.saw_change(found):
            return Lastmod(dates.build_time().date(), "ledger", skipped)
        return Lastmod(skipped=skipped)

    def _checked(self, found: Candidate, source: DateSource, answer: date) -> date | str:
        if dates.is_future(answer, self._now):
            detail = f"It is {dates.w3c(dates.known(answer))}, from {source}, and is left out."
            self._own_issues.append(issue("future-date", found.page.name, detail))
            return "it is in the future"
        ledger = self._ledger if source in ("git", "members") else None
        if ledger and ledger.changed_after(found, answer):
            return "it is older than the change that the ledger saw"
        return answer if source == "metadata" else self._since_publication(found, answer)

    def _since_publication(self, found: Candidate, answer: date) -> date:
        """Return the later of a date and the page's publication, unless that is yet to come."""
        published = found.page.published
        if published is None or dates.is_future(published, self._now):
            return answer
        return max(answer, published, key=dates.sortable)

    def _newest_member(self, found: Candidate) -> date | str:
        """Return the date of the newest listed member, if each of them has one."""
        members = [member for url in found.page.members if (member := self._by_url.get(url))]
        if not members:
            return "it lists no page"
        lastmods = [self._resolved.get(member) or self.lastmod(member) for member in members]
        known = [one.value for one in lastmods if one.value]
        if len(known) < len(members):
            for member, one in zip(members, lastmods, strict=True):
                if not one.value and member is not found:
                    return f"{member.loc} has no date"
        newest = dates.newest(known)
        if newest is None:
            return "no member has a date"
        own = self._git.date_of(found)
        return newest if isinstance(own, str) else max(newest, own, key=dates.sortable)

    def _has_date(self, found: Candidate, earlier: Sequence[Answer]) -> bool:
        """Return whether one of these sources has a date for the page that is not in the future."""
        for answer_of in earlier:
            answer = answer_of(found)
            if not isinstance(answer, str) and not dates.is_future(answer, self._now):
                return True
        return False
