"""What one sitemap file says, as it says it: the words, and the flaws found while reading them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sitemapkit.model import Alternate
from sitemapkit.options import MAX_URLS

Kind = Literal["urlset", "index", "text", "feed", "unknown"]

MAX_FLAWS = 1_000
"""Flaws kept of one file; a file that is wrong throughout is wrong often enough by then."""

MAX_KEPT = 4 * MAX_URLS
"""Listings read of one file."""

MAX_TEXT = 8_192
"""Characters kept of one value; no URL may be that long."""


class Flaw(NamedTuple):
    """Something wrong in a file, found while reading it."""

    rule: str
    line: int | None
    detail: str
    subject: str = ""
    """The URL it is about; empty: the whole file."""


@dataclass(slots=True)
class Listing:
    """One `<url>` or `<sitemap>` as it stands in the file: the words, not yet their meaning."""

    loc: str
    line: int
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: list[Alternate] = field(default_factory=list[Alternate])
    images: list[str] = field(default_factory=list[str])
    extensions: set[str] = field(default_factory=set[str])
    """Namespaces of elements in it that are not read (videos, news, ...)."""


@dataclass(slots=True)
class Sitemap:
    """What one file says."""

    kind: Kind = "unknown"
    listings: list[Listing] = field(default_factory=list[Listing])
    """Pages; of an index, its sitemaps."""

    flaws: list[Flaw] = field(default_factory=list[Flaw])
    size: int = 0
    """Bytes when unpacked."""

    whole: bool = True
    """False: reading ended before the end of the file."""

    def flaw(self, rule: str, line: int | None, detail: str, subject: str = "") -> None:
        """Note a flaw."""
        if len(self.flaws) < MAX_FLAWS:
            self.flaws.append(Flaw(rule, line, detail, subject))

    def stop(self, rule: str, line: int | None, detail: str) -> None:
        """Note a flaw that ends the reading."""
        self.whole = False
        self.flaws.append(Flaw(rule, line, detail))
