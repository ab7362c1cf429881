"""What changed between two sitemaps: added and removed pages, and pages with other entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.diff.load import LoadedSite
    from sitemapkit_tools.sitemaps.sitemap_file import UrlElement

    Digests = Mapping[str, str]
    """The digest of each page's main content, by URL."""

ChangeKind = Literal["added", "changed", "removed", "moved"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)

FoundBy = Literal["redirect", "text", "title"]
"""How it is known where a page is now: by what its address answers, or by what the two pages
share."""


class UrlChange(Struct, frozen=True):
    """One page that was added or removed, or whose entry changed, or that is a redirect now."""

    kind: ChangeKind
    url: str
    fields: tuple[str, ...] = ()
    """What changed: `lastmod`, `changefreq`, `priority`, `alternates`, `images`, `content`."""

    old_date: str | None = field(default=None, name="old_lastmod")
    new_date: str | None = field(default=None, name="new_lastmod")
    moved_to: str | None = None
    """Where a redirect leads."""

    now_at: str | None = None
    """Where a removed page is now: elsewhere without a redirect, or there, listed by another
    spelling or not at all."""

    found_by: FoundBy | None = None
    dead: bool | None = None
    """Whether nothing answers its address. None: it is not known, or nobody asked."""

    title: str = ""
    """The page's, or that of the page which it is now; "" if it is not known."""

    source: str = ""
    """What the page was made from, if the report of the build names it."""

    because: str = ""
    """What gave it its date, or left it out, as the report of the build says."""


class Difference(Struct, frozen=True):
    """All changes between two sitemaps, in the order of their URLs."""

    changes: Sequence[UrlChange]
    old_count: int
    unchanged: int
    dated: int
    """Pages of both that had a date in the old one."""

    def of_kind(self, kind: ChangeKind) -> list[UrlChange]:
        """Return the changes of one kind."""
        return [change for change in self.changes if change.kind == kind]

    @property
    def lost(self) -> float:
        """Percentage of the old pages that were removed."""
        return 100 * len(self.of_kind("removed")) / self.old_count if self.old_count else 0.0

    @property
    def moved(self) -> float:
        """Percentage of the pages that had a date whose date is another now, or none."""
        return 100 * len(self._moved) / self.dated if self.dated else 0.0

    @property
    def mostly_gone(self) -> bool:
        """Whether most of these pages have no date now."""
        return 2 * sum(not each.new_date for each in self._moved) > len(self._moved)

    @property
    def _moved(self) -> Sequence[UrlChange]:
        changed = self.of_kind("changed")
        return [each for each in changed if each.old_date and each.old_date != each.new_date]


def compare(
    old: LoadedSite, new: LoadedSite, *, contents: tuple[Digests, Digests] | None = None
) -> Difference:
    """Compare two sitemaps; `contents` are digests of the pages, old and new."""
    gone = {url: each.lastmod for url, each in old.elements.items() if url not in new.elements}
    removed = [UrlChange("removed", url, (), date) for url, date in gone.items()]
    changes: list[UrlChange] = []
    dated = 0
    for url, after in new.elements.items():
        before = old.elements.get(url)
        if before is None:
            changes.append(UrlChange("added", url, new_date=after.lastmod))
            continue
        dated += bool(before.lastmod)
        if fields := (*_fields(before, after), *_content(url, contents)):
            changes.append(UrlChange("changed", url, fields, before.lastmod, after.lastmod))
    return Difference(
        changes=sorted([*removed, *changes], key=lambda change: change.url),
        old_count=len(old.elements),
        unchanged=len(new.elements) - len(changes),
        dated=dated,
    )


def _fields(old: UrlElement, new: UrlElement) -> Sequence[str]:
    differs = {
        "lastmod": old.lastmod != new.lastmod,
        "changefreq": old.changefreq != new.changefreq,
        "priority": old.priority != new.priority,
        "alternates": set(old.alternates) != set(new.alternates),
        "images": set(old.images) != set(new.images),
    }
    return [name for name, changed in differs.items() if changed]


def _content(url: str, contents: tuple[Digests, Digests] | None) -> Sequence[str]:
    old, new = (digests.get(url) for digests in contents or ({}, {}))
    return ("content",) if old and new and old != new else ()
