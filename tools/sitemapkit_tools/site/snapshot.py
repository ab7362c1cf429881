"""Survey: all that is known of a site when it is judged, from a directory or from the Web."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from sitemapkit import urls
from sitemapkit.errors import SitemapError, UrlError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from sitemapkit_tools.site.facts import Facts
    from sitemapkit_tools.sitemaps.robots import Robots
    from sitemapkit_tools.sitemaps.sitemap_file import Listing, Sitemap


class UnreadableError(SitemapError):
    """A sitemap or robots.txt is not to be had."""

    def __init__(self, detail: str, *, missing: bool = False) -> None:
        """`detail` says in a few words what happened, `missing` that nothing is there."""
        super().__init__(detail)
        self.missing = missing


class Source(Protocol):
    """Where the files of a site come from."""

    def read(self, url: str) -> bytes:
        """Return the file behind a URL. Raises UnreadableError."""
        ...

    def place(self, url: str) -> str:
        """Return what a person calls the file behind a URL: a path, or the URL itself."""
        ...


@dataclass(frozen=True, slots=True)
class Document:
    """One sitemap file of the site."""

    url: str
    place: str
    sitemap: Sitemap | None
    """What it says; None: it could not be read."""

    error: UnreadableError | None = None
    named_by: Document | None = None
    """The index that names it; None: robots.txt does, or it has a well-known name."""

    line: int | None = None
    """The line on which the index names it."""

    @property
    def is_for_news(self) -> bool:
        """Tell by its name whether it is for news: empty when nothing is new, and else a repeat."""
        return "news" in self.url.rpartition("/")[2].lower()


@dataclass(frozen=True, slots=True)
class Listed:
    """One URL of a sitemap, in normal form."""

    url: str
    listing: Listing
    document: Document


@dataclass(frozen=True, slots=True)
class View:
    """What a URL answers."""

    status: int = 200
    """HTTP status; of a directory 200, 301 or 404; 0: no proper answer."""

    place: str = ""
    facts: Facts | None = None
    """What the page says; None: it is no HTML, or was not read."""

    target: str | None = None
    """Where it leads on to."""

    noindex: bool = False
    """A header forbids indexing."""

    generated: bool = False
    """It is an error page, a search page or the like."""

    detail: str = ""
    """What went wrong, if something did."""


def _unknown(_: str) -> bool | None:
    return None


@dataclass(slots=True)
class Survey:
    """A site as far as it was looked at."""

    base_url: str
    documents: Sequence[Document]
    now: datetime
    listed: Sequence[Listed] = ()
    robots: Robots | None = None
    """The rules at the root of the host; None: there are none, or they are not to be seen."""

    robots_place: str = ""
    views: Mapping[str, View] = field(default_factory=dict[str, View])
    """What each listed URL answers; those that were not asked are absent."""

    exists: Callable[[str], bool | None] = _unknown
    """Tells whether a URL leads to a page; None: it cannot be known."""

    agent: str = "Googlebot"

    @property
    def whole(self) -> bool:
        """Whether all sitemaps could be read to their ends."""
        return all(each.sitemap is not None and each.sitemap.whole for each in self.documents)


def normal(url: str) -> str | None:
    """Return a URL in normal form, or None if it is none that could be listed."""
    try:
        return urls.normalize(url)
    except UrlError:
        return None


def resolved(reference: str, url: str) -> str | None:
    """Return the target of a link in the page at `url`, or None if it is no web address."""
    try:
        return urls.resolve(reference, url)
    except UrlError:
        return None


def listed_in(documents: Sequence[Document]) -> list[Listed]:
    """Return the pages that the sitemaps list, as far as their URLs make sense."""
    return [
        Listed(url, listing, document)
        for document in documents
        if document.sitemap and document.sitemap.kind != "index"
        for listing in document.sitemap.listings
        if (url := normal(listing.loc))
    ]
