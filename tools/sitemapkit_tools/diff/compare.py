"""What changed between two sitemaps: pages that came, went, or say something else of themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sitemapkit.errors import SitemapError
from sitemapkit_tools.site.read_pages import Wanted, looks, silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.diff.load import Loaded
    from sitemapkit_tools.site.read_pages import Tick
    from sitemapkit_tools.sitemaps.sitemap_file import Listing

Kind = Literal["added", "changed", "removed"]
KINDS: tuple[Kind, ...] = ("added", "changed", "removed")

ENOUGH_DATES = 20
"""Dated pages that it takes to say that all dates moved at once."""


@dataclass(frozen=True, slots=True)
class Change:
    """One page that is not what it was."""

    kind: Kind
    url: str
    fields: tuple[str, ...] = ()
    """What changed: `lastmod`, `changefreq`, `priority`, `alternates`, `images`, `content`."""

    old_date: str | None = None
    new_date: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the change as JSON wants it."""
        return {
            "kind": self.kind,
            "url": self.url,
            "fields": list(self.fields),
            "old_lastmod": self.old_date,
            "new_lastmod": self.new_date,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes between two sitemaps, in the order of their URLs."""

    changes: Sequence[Change]
    old_count: int
    unchanged: int
    dated: int
    """Pages in both that have a date in both."""

    def of_kind(self, kind: Kind) -> list[Change]:
        """Return the changes of one kind."""
        return [change for change in self.changes if change.kind == kind]

    @property
    def lost(self) -> float:
        """Percentage of the old pages that are gone."""
        return 100 * len(self.of_kind("removed")) / self.old_count if self.old_count else 0.0

    @property
    def moved(self) -> float:
        """Percentage of the pages with two dates whose date changed."""
        moved = sum(
            bool(each.old_date and each.new_date and each.old_date != each.new_date)
            for each in self.changes
        )
        return 100 * moved / self.dated if self.dated else 0.0


def diff(
    old: Loaded, new: Loaded, *, contents: tuple[Mapping[str, str], Mapping[str, str]] | None = None
) -> Difference:
    """Compare two sitemaps; `contents` are digests of the pages by URL, old and new."""
    changes = [
        Change("removed", url, old_date=listing.lastmod)
        for url, listing in old.listings.items()
        if url not in new.listings
    ]
    for url, listing in new.listings.items():
        if url not in old.listings:
            changes.append(Change("added", url, new_date=listing.lastmod))
            continue
        before = old.listings[url]
        fields = [*_fields(before, listing), *_content(url, contents)]
        if fields:
            dates = (before.lastmod, listing.lastmod)
            changes.append(Change("changed", url, tuple(fields), *dates))
    both = [(old.listings[url], new.listings[url]) for url in old.listings if url in new.listings]
    return Difference(
        changes=sorted(changes, key=lambda change: change.url),
        old_count=len(old.listings),
        unchanged=len(new.listings) - sum(change.kind != "removed" for change in changes),
        dated=sum(bool(before.lastmod and after.lastmod) for before, after in both),
    )


def _fields(old: Listing, new: Listing) -> list[str]:
    compared = {
        "lastmod": old.lastmod != new.lastmod,
        "changefreq": old.changefreq != new.changefreq,
        "priority": old.priority != new.priority,
        "alternates": set(old.alternates) != set(new.alternates),
        "images": set(old.images) != set(new.images),
    }
    return [name for name, differs in compared.items() if differs]


def _content(
    url: str, contents: tuple[Mapping[str, str], Mapping[str, str]] | None
) -> Sequence[str]:
    if contents is None:
        return ()
    old, new = (digests.get(url) for digests in contents)
    return ("content",) if old and new and old != new else ()


def content_digests(
    side: Loaded, wanted: Wanted, *, jobs: int | None = None, tick: Tick = silent
) -> Mapping[str, str]:
    """Return the digest of the main content of each listed page of a site in a directory.

    Raises SitemapError if it is no directory.
    """
    if side.tree is None:
        raise SitemapError(f"{side.name} is no directory; only the contents of files are compared")
    tree = side.tree
    answers = {url: answer for url in side.listings if (answer := tree.answer(url))}
    files = sorted({answer.file for answer in answers.values()})
    digests = {look.file: look.digest for look in looks(tree, files, wanted, jobs=jobs, tick=tick)}
    return {url: digest for url, each in answers.items() if (digest := digests.get(each.file))}
