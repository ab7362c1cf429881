"""Which dates that pages state are their authors'.

Themes also state when git last changed a file, as a rename does, and when the site was built.
Neither says when the text changed, which git is asked instead. No clock decides: the same site has
the same dates on any later day.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit import dates
from sitemapkit.metadata import publication_date
from sitemapkit_tools.site.commit_times import CommitTimes, moment_of
from sitemapkit_tools.site.source_dates import source_states
from textdates import file_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from sitemapkit.model import Page
    from textdates import TextDates

_COMMIT = "it states the last commit of its source, which is not always a change of the text"
_OF_MOST = (
    "the day that it states is that of the build: most pages state it, and its source does not"
)
_OF_ALL = "the day that it states is that of the build: all pages without a source state it"
_LATER = "the day that it states is that of the build: it is after the last commit of its source"

_SEVERAL = 5
"""Pages that state one day, from which on it may be that of the build."""


class _Stated(NamedTuple):
    """A date that a page states."""

    page: Page
    value: date
    is_publication: bool

    @property
    def day(self) -> str:
        """Its day."""
        return self.value.isoformat()[:10]

    @property
    def files(self) -> list[str]:
        """The sources of its page."""
        return [str(Path(file_of(source))) for source in self.page.sources]

    def refuse(self, why: str) -> None:
        """Take the date from the page, which keeps the publication that is in front matter."""
        if self.is_publication:
            self.page.published = publication_date(self.page.meta) if self.page.sources else None
        else:
            self.page.modified = why


def keep_authors_dates(pages: Sequence[Page], history: TextDates) -> None:
    """Take from pages the dates that no author states, so that git is asked instead.

    Only a source can say that a page was published after git has its text.
    """
    commits = CommitTimes(pages)
    doubted = _without_shared(_not_in_sources(pages), *_shared_days(pages))
    doubted = _without_committed(doubted, commits)
    _refuse_later(doubted, history, commits)


def _not_in_sources(pages: Iterable[Page]) -> Iterator[_Stated]:
    """Yield the dates of pages that their sources do not state."""
    for page in pages:
        for each in _stated(page):
            if not (page.sources and source_states(page, each.value)):
                yield each


def _shared_days(pages: Iterable[Page]) -> tuple[Set[str], Set[str]]:
    """Return the days that most pages state, and those that all pages without a source do."""
    number_of_pages = 0
    counts = Counter[str]()
    alone: list[set[str]] = []
    for page in pages:
        days = {each.day for each in _stated(page)}
        if days:
            number_of_pages += 1
            counts.update(days)
            if not page.sources:
                alone.append(days)
    of_most: set[str] = set()
    for day, count in counts.items():
        if count >= _SEVERAL and count > number_of_pages / 2:
            of_most.add(day)
    of_all: set[str] = set()
    if alone:
        common = alone[0].intersection(*alone[1:])
        of_all.update(day for day in common if counts[day] > 1)  # one page shares nothing
    return of_most, of_all


def _without_shared(
    doubted: Iterable[_Stated], of_most: Set[str], of_all: Set[str]
) -> list[_Stated]:
    """Refuse the days that pages share, and return the other dates."""
    left: list[_Stated] = []
    for each in doubted:
        if each.page.sources and each.day in of_most:
            each.refuse(_OF_MOST)
        elif not each.page.sources and each.day in of_all:
            each.refuse(_OF_ALL)
        else:
            left.append(each)
    return left


def _without_committed(doubted: Sequence[_Stated], commits: CommitTimes) -> list[_Stated]:
    """Refuse the dates of commits, and return the others of pages with a source."""
    files_at = commits.files_at([each.value for each in doubted])
    left: list[_Stated] = []
    for each in doubted:
        files = files_at.get(moment_of(each.value), set[str]())
        # A page without a source is a list, which states the newest date of its pages.
        if not files.isdisjoint(each.files) or (files and not each.page.sources):
            each.refuse(_COMMIT)
        elif each.page.sources:
            left.append(each)
    return left


def _refuse_later(doubted: Sequence[_Stated], history: TextDates, commits: CommitTimes) -> None:
    """Refuse what is later than the last commit; a publication, if the text itself is older."""
    sources = {source for each in doubted for source in each.page.sources}
    changed = history.last_changed(sources)
    left: list[_Stated] = []
    for each in doubted:
        text = dates.newest([changed.get(source) for source in each.page.sources])
        is_later = not text or dates.sortable(each.value) > dates.sortable(text)
        if is_later and text and each.is_publication:
            each.refuse(_LATER)
        elif is_later:
            left.append(each)

    last = commits.committed_since([each.value for each in left])
    for each in left:
        known = [last[file] for file in each.files if file in last]
        if known and all(commit.is_before(each.value) for commit in known):
            each.refuse(_LATER)


def _stated(page: Page) -> Iterator[_Stated]:
    if isinstance(page.modified, date):
        yield _Stated(page, page.modified, is_publication=False)
    if page.published:
        yield _Stated(page, page.published, is_publication=True)
