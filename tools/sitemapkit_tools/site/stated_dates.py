"""Which dates that pages state are their authors'.

Themes also state when git last changed a file, as a rename does, and when the site was built.
Neither says when the text changed. So what a page states counts if its source states it, too; of
others git is asked. No clock decides: the same site has the same dates on any later day.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit.metadata import publication_date
from sitemapkit_tools.site.source_dates import source_states
from sitemapkit_tools.site.tracked import tracked_among
from textdates import file_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from sitemapkit.model import Page

_NOT_IN_SOURCE = "it states a day that its source does not: that of a commit, or of the build"
_OF_LIST = "pages of the site state days that their sources do not, and this one has no source"
_OF_ALL = "the day that it states is that of the build: all pages without a source state it"


class _Stated(NamedTuple):
    """A date that a page states."""

    page: Page
    value: date
    is_publication: bool

    @property
    def day(self) -> str:
        """Its day."""
        return self.value.isoformat()[:10]

    def refuse(self, why: str) -> None:
        """Take the date from the page, which keeps the publication that is in front matter."""
        if self.is_publication:
            self.page.published = publication_date(self.page.meta) if self.page.sources else None
        else:
            self.page.modified = why


def keep_authors_dates(pages: Sequence[Page]) -> None:
    """Take from pages the dates that no author states, so that git is asked instead.

    Most pages whose source git does not have are lists, which state the newest date of their pages
    or the day of the build. Where dates of others are not their authors', theirs are not believed
    either.
    """
    sources: set[Path] = set()
    for page in pages:
        sources.update(Path(file_of(source)) for source in page.sources)
    tracked = tracked_among(sources)
    are_others = False
    of_lists: list[_Stated] = []
    for each in _stated(pages):
        if not any(Path(file_of(source)) in tracked for source in each.page.sources):
            of_lists.append(each)
        elif not source_states(each.page, each.value):
            each.refuse(_NOT_IN_SOURCE)
            are_others = True

    of_all = _days_of_all(of_lists)
    for each in of_lists:
        if are_others:
            each.refuse(_OF_LIST)
        elif each.day in of_all:
            each.refuse(_OF_ALL)


def _stated(pages: Iterable[Page]) -> Iterator[_Stated]:
    for page in pages:
        if isinstance(page.modified, date):
            yield _Stated(page, page.modified, is_publication=False)
        if page.published:
            yield _Stated(page, page.published, is_publication=True)


def _days_of_all(stated: Iterable[_Stated]) -> Set[str]:
    """Return the days that each of several pages states."""
    days_of: dict[str, set[str]] = {}
    for each in stated:
        days_of.setdefault(each.page.url, set()).add(each.day)
    if len(days_of) <= 1:  # one page shares nothing
        return set()
    first, *others = days_of.values()
    return first.intersection(*others)
