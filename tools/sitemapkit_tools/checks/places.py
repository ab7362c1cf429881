"""Where an issue is to be fixed: the source of its page where a report knows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from sitemapkit_tools.site.lines import metadata_line
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit.model import Issue

_KEYS = {
    "bad-changefreq": "changefreq",
    "bad-date": "lastmod",
    "bad-priority": "priority",
    "future-date": "lastmod",
    "noindex": "robots|noindex|private",
    "not-listed": "sitemap|robots|noindex|private",
    "old-date": "lastmod",
}
"""The keys of a page's metadata that decide what a rule is about."""


class Place(NamedTuple):
    """A line of a file, or a URL."""

    file: str
    line: int


class Places(Struct, frozen=True):
    """The files of a check: the built ones, and the sources that they were made from."""

    root: str = ""
    """The checked directory as it was given, with a final slash."""

    sources: Mapping[str, str] = {}
    """What a report names as the source of a page, by its URL."""

    def built(self, found: Issue) -> Place:
        """Return the place in the checked site."""
        file = found.file if "://" in found.file else self.root + found.file
        return Place(file, found.line or 1)

    def of(self, found: Issue) -> Place:
        """Return the place in the source, below the current folder, or else in the checked site."""
        source, here = Path(self.sources.get(found.where, "")), Path.cwd()
        if here not in source.parents or not is_file(source):
            return self.built(found)
        key = _KEYS.get(found.rule.id)
        line = metadata_line(source, key) if key else None
        return Place(source.relative_to(here).as_posix(), line.number if line else 1)
