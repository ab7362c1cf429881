"""SiteSnapshot: all that is known of a site when it is checked, in a directory or online."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from sitemapkit_tools.site.facts import Facts
    from sitemapkit_tools.sitemaps.robots import RobotsTxt
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl, SitemapFile


class UrlStatus(Struct, frozen=True):
    """What a URL answers."""

    code: int = 200
    """HTTP status; in a directory 200, 301 or 404; 0: no valid response."""

    location: str = ""
    """Where people find the page: the path of its file, or its URL."""

    facts: Facts | None = None
    """What the page says of itself. None: it is not HTML, or was not read."""

    target: str | None = None
    """Where it redirects to."""

    noindex: bool = False
    """Whether a header forbids indexing."""

    generated: bool = False
    """Whether it is an error page, a search page or the like."""

    detail: str = ""
    """What went wrong, if anything did."""

    @property
    def is_gone(self) -> bool:
        """Whether nothing is there."""
        return self.code in (404, 410)

    @property
    def is_noindex(self) -> bool:
        """Whether its header or its head forbids indexing."""
        return self.noindex or bool(self.facts and self.facts.head.noindex)


class SiteSnapshot(Struct, frozen=True):
    """A site as far as it was read."""

    base_url: str
    files: Sequence[SitemapFile]
    listed: Sequence[ListedUrl]
    now: datetime
    robots: RobotsTxt
    """Of the root of the host."""

    robots_location: str
    """Where people find it; "" if the site cannot have one."""

    answer: Callable[[str], UrlStatus | None]
    """Returns what a URL answers, listed or not; None: unknown."""

    statuses: Mapping[str, UrlStatus] = {}
    """What the listed URLs answer, as far as that is known."""

    unread: str = ""
    """How many pages were read, and why not all were."""

    is_part: bool = False
    """Whether the site may have more sitemaps, which were not looked for."""

    @property
    def complete(self) -> bool:
        """Whether all sitemaps are known, and could be read to their ends."""
        return not self.is_part and all(file.complete for file in self.files)
