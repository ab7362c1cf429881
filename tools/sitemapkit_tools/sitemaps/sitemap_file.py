"""A sitemap file as it stands: its kind, its elements, and what was wrong on reading it."""

from __future__ import annotations

import re
from functools import lru_cache
from sys import getsizeof
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from sitemapkit import dates
from sitemapkit.errors import SitemapError
from sitemapkit.model import CHANGEFREQS, ChangeFreq, Issue
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_ISSUES, MAX_KEPT
from sitemapkit_tools.issues import as_note, issue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set
    from datetime import date

    from sitemapkit.extensions.alternates import Alternate

FileKind = Literal["urlset", "index", "text", "feed", "unknown"]

_PRIORITY = re.compile(r"\+?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_SECONDS = len("2024-01-01T00:00")

ENOUGH_DATES = 20
"""Dates below which nothing is concluded from all of them together."""


class UnreadableError(SitemapError):
    """A sitemap or robots.txt cannot be read."""

    def __init__(self, detail: str, *, missing: bool = False, refused: bool = False) -> None:
        """`detail` says in a few words what happened, `missing` that nothing is there.

        `refused` says that nobody may read it, or that nothing is there: storage answers alike.
        """
        super().__init__(detail)
        self.missing = missing
        self.refused = missing or refused


class UrlElement(Struct, gc=False):
    """One `<url>` or `<sitemap>` as it stands in the file: its text, valid or not."""

    loc: str
    line: int
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: Sequence[Alternate] = ()
    images: Sequence[str] = ()
    extensions: Set[str] = frozenset()
    """Namespaces of elements in it that are not read (videos, news, ...)."""

    @property
    def valid_lastmod(self) -> date | None:
        """The date or aware datetime that `lastmod` states exactly, or None."""
        return None if self.lastmod is None else _exact_date(self.lastmod)

    @property
    def valid_changefreq(self) -> ChangeFreq | None:
        """The change frequency, if it is one of the protocol's."""
        return next((each for each in CHANGEFREQS if each == self.changefreq), None)

    @property
    def valid_priority(self) -> float | None:
        """The number from 0.0 to 1.0 that `priority` states, or None."""
        text = self.priority
        if text is None or not _PRIORITY.fullmatch(text) or float(text) > 1:
            return None
        return float(text)


ENTRY_COST = 300
"""Bytes that an entry takes besides its text, with what checks and comparisons make of it."""

VALUE_COST = 150
"""The same for an image or an alternate."""


@lru_cache(maxsize=4096)
def _exact_date(text: str) -> date | None:
    try:
        value = dates.parse_w3c(text)
    except ValueError:
        return None
    is_exact = text[_SECONDS : _SECONDS + 1] in ("", ":")  # a day alone is exact, too
    return value if is_exact else None


class SitemapFile(Struct, eq=False):
    """One sitemap file of a site, and what was read of it."""

    url: str = ""
    location: str = ""
    """Where people find the file: its path, or its URL."""

    index: SitemapFile | None = None
    """The index that names it. None: robots.txt names it, or it has a well-known name."""

    index_line: int | None = None
    """The line on which the index names it."""

    kind: FileKind = "unknown"
    elements: list[UrlElement] = []
    """Pages; in an index, its sitemaps."""

    issues: list[Issue] = []
    size: int = 0
    """Bytes when unpacked."""

    kept: int = 0
    """Bytes of memory that what is kept of it takes, and takes later, more or less."""

    room: int = MAX_KEPT
    """Bytes of memory that it may take."""

    complete: bool = True
    """Whether it was read to its end."""

    is_ours: bool = False
    """Whether sitemapkit wrote it, so that what it lists was chosen by a build."""

    selected_by: str = ""
    """The generator whose plugin wrote it, if it says so."""

    error: UnreadableError | None = None
    """Why nothing of it could be read."""

    @property
    def is_index(self) -> bool:
        """Whether it lists sitemaps and no pages."""
        return self.kind == "index"

    @property
    def is_for_news(self) -> bool:
        """Whether its name says that it is for news: empty when there are none, else repeating."""
        return "news" in self.url.rpartition("/")[2].lower()

    @property
    def is_missing(self) -> bool:
        """Whether there is no such file."""
        return self.error is not None and self.error.missing

    @property
    def is_refused(self) -> bool:
        """Whether there is no such file, or nobody may read it."""
        return self.error is not None and self.error.refused

    def issue(self, rule: str, where: str, detail: str, line: int | None = None) -> Issue:
        """Return an issue that is found in this file."""
        return issue(rule, where, detail, self.location, line)

    def chosen(self, found: Issue) -> Issue:
        """Return an issue about what a build chose: a note if it was ours, which knew why."""
        return as_note(found) if self.is_ours else found

    def element_issue(self, rule: str, element: UrlElement, detail: str) -> Issue:
        """Return an issue about one of the elements."""
        return self.issue(rule, element.loc, detail, element.line)

    def add_issue(self, rule: str, detail: str, line: int | None = None, where: str = "") -> None:
        """Add an issue about a listed page, or without `where` about the file."""
        if len(self.issues) < MAX_ISSUES:
            self.issues.append(self.issue(rule, where.strip() or self.url, detail, line))
            self.keep(ENTRY_COST, where, detail)

    def keep(self, cost: int, *texts: str) -> bool:
        """Count something with these texts, and tell whether there is room for it."""
        self.kept += cost + sum(map(getsizeof, texts))
        return self.kept <= self.room

    def stop(self, rule: str, detail: str, line: int | None = None) -> None:
        """Add an issue that ends the reading."""
        self.complete = False
        self.issues.append(self.issue(rule, self.url, detail, line))


class ListedUrl(Struct, frozen=True, gc=False):
    """One page that a sitemap lists."""

    url: str
    """In normal form."""

    element: UrlElement
    file: SitemapFile

    def issue(self, rule: str, detail: str) -> Issue:
        """Return an issue about the URL."""
        return self.file.issue(rule, self.url, detail, self.element.line)


def listed_urls(files: Iterable[SitemapFile]) -> list[ListedUrl]:
    """Return the pages that the sitemaps list, without URLs that are not valid."""
    found: list[ListedUrl] = []
    for file in files:
        elements = [] if file.is_index else file.elements
        locs = (normalize_or_none(element.loc) for element in elements)
        listed = zip(locs, elements, strict=True)
        found += [ListedUrl(url, element, file) for url, element in listed if url]
    return found
