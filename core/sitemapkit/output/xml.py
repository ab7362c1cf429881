"""Entries to XML (rules D1-D8, D13, IX1).

A batch of entries becomes one text in which each entry is exactly one line: whoever needs an
entry's size, or a place to cut, finds it at the newlines. URLs are looked at in bulk by `batch`,
UTC datetimes are written in bulk by msgspec, and other values are found in tables of finished
texts, which are filled on a miss.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, json

from sitemapkit.model import CHANGEFREQS
from sitemapkit.output.batch import Normalizer
from sitemapkit.output.extensions import NAMESPACES, Extensions
from sitemapkit.output.values import lastmod_text, priority_text
from sitemapkit.rules import issue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitemapkit.model import Entry, Issue

    OnIssue = Callable[[Issue], None]

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_URLSET_FOOT = b"</urlset>\n"
_TABLE_SIZE = 10_000
_QUOTED_SECOND = len('"2024-01-01T00:00:00Z",')
_YEAR_10000 = 253_402_300_800


def urlset_frame(marker: str, tags: Iterable[bytes]) -> tuple[bytes, bytes]:
    """Return what stands before and behind the entries of a `<urlset>`.

    `tags` are those of the extensions that it uses: no other namespace is declared (D8).
    """
    namespaces = "".join(NAMESPACES[tag] for tag in sorted(tags))
    head = f'{_DECLARATION}{marker}\n<urlset xmlns="{_SITEMAP}"{namespaces}>\n'
    return head.encode(), _URLSET_FOOT


def longest_frame(marker: str) -> int:
    """Return how many bytes a `<urlset>` can have beside its entries."""
    return sum(map(len, urlset_frame(marker, NAMESPACES)))


def sitemapindex(marker: str, children: Iterable[tuple[str, str]]) -> bytes:
    """Return a `<sitemapindex>` of pairs (URL in normal form, lastmod or ""), rule IX1."""
    rows = [
        f"<sitemap><loc>{_escaped(loc)}</loc>{_date_element(lastmod)}</sitemap>\n"
        for loc, lastmod in children
    ]
    head = f'{_DECLARATION}{marker}\n<sitemapindex xmlns="{_SITEMAP}">\n'
    return f"{head}{''.join(rows)}</sitemapindex>\n".encode()


def _escaped(url: str) -> str:
    """Escape a URL in normal form (D4); it holds no other character that needs it."""
    return url.replace("&", "&amp;").replace("'", "&apos;")


def _date_element(text: str) -> str:
    return f"<lastmod>{text}</lastmod>" if text else ""


class Rendered(Struct, frozen=True):
    """Some entries as XML, each one line, with what is asked about them later."""

    data: bytes

    locs: list[str]
    """Their URLs, as XML text."""

    lastmods: list[str]
    """Their dates, "" where there is none; empty if no entry has one."""

    tags: frozenset[bytes] = frozenset()
    """How the tags of those extensions begin that are used."""

    def text(self) -> bytes:
        """Return the same as lines of a text sitemap, without XML's escapes (TX1, TX3)."""
        lines = "\n".join([*self.locs, ""])
        return lines.replace("&apos;", "'").replace("&amp;", "&").encode()

    def picked(self, lines: Sequence[bytes], positions: Sequence[int]) -> Rendered:
        """Return the entries at these positions; `lines` is `data` split at its newlines."""
        data = b"".join([lines[i] for i in positions])
        return Rendered(
            data,
            [self.locs[i] for i in positions],
            [self.lastmods[i] for i in positions],
            self._tags_in(data),
        )

    def cut(self, size: int, count: int) -> tuple[Rendered, Rendered]:
        """Return the first entries, at most `count` and `size` bytes of them, and the others."""
        if len(self.locs) <= count and len(self.data) <= size:
            return self, NOTHING
        lines = self.data.splitlines(keepends=True)
        ends = [end for end in accumulate(map(len, lines[:count])) if end <= size]
        at, end = len(ends), max(ends, default=0)
        first, others = self.data[:end], self.data[end:]
        return (
            Rendered(first, self.locs[:at], self.lastmods[:at], self._tags_in(first)),
            Rendered(others, self.locs[at:], self.lastmods[at:], self._tags_in(others)),
        )

    def _tags_in(self, data: bytes) -> frozenset[bytes]:
        return frozenset(tag for tag in self.tags if tag in data)


NOTHING = Rendered(b"", [], [])


def joined(several: Sequence[Rendered]) -> Rendered:
    """Return the entries of all, in their order."""
    return Rendered(
        b"".join([some.data for some in several]),
        [loc for some in several for loc in some.locs],
        [lastmod for some in several for lastmod in some.lastmods],
        frozenset(tag for some in several for tag in some.tags),
    )


class Renderer:
    """Turns entries into XML, a batch at a time; reports and leaves out what cannot be written."""

    def __init__(self, on_issue: OnIssue, *, base: str, encoding: str = "utf-8") -> None:
        """List only URLs below `base`; `encoding` is that of new percent-escapes."""
        self._on_issue = on_issue
        self._locs = Normalizer("loc", on_issue, base=base, encoding=encoding)
        self._extensions = Extensions(on_issue, encoding=encoding)
        self._hints: dict[tuple[str | None, float | None], str] = {}

    def render_urls(self, urls: list[str]) -> Rendered:
        """Render entries that are nothing but a URL, with no step for each in Python."""
        locs = self._locs.escaped(urls)
        if "" in locs:
            locs = [loc for loc in locs if loc]
        lines = "</loc></url>\n<url><loc>".join(locs)
        data = f"<url><loc>{lines}</loc></url>\n".encode() if locs else b""
        return Rendered(data, locs, [])

    def render(self, entries: Sequence[Entry]) -> Rendered:
        """Render entries of which every field is looked at."""
        locs = self._locs.escaped([entry.loc for entry in entries])
        if "" in locs:
            entries = [entry for entry, loc in zip(entries, locs, strict=True) if loc]
            locs = [loc for loc in locs if loc]
        lastmods = self._lastmods(entries)
        starts = [
            f"<url><loc>{loc}</loc><lastmod>{lastmod}</lastmod>{hints}"
            if lastmod
            else f"<url><loc>{loc}</loc>{hints}"
            for loc, lastmod, hints in zip(locs, lastmods, self._hints_of(entries), strict=True)
        ]
        extended = [entry for entry in entries if entry.images or entry.videos or entry.alternates]
        if not extended:
            return Rendered("</url>\n".join([*starts, ""]).encode(), locs, lastmods)
        pieces, tags = self._extensions.pieces(starts, entries)
        return Rendered("".join(pieces).encode(), locs, lastmods, tags)

    def _lastmods(self, entries: Sequence[Entry]) -> list[str]:
        texts = _texts_in_bulk([entry.lastmod for entry in entries])
        return [self._lastmod(entry) for entry in entries] if texts is None else texts

    def _lastmod(self, entry: Entry) -> str:
        try:
            return "" if entry.lastmod is None else lastmod_text(entry.lastmod)
        except (ValueError, OverflowError):
            self._refuse("bad-date", entry, entry.lastmod)
            return ""

    def _hints_of(self, entries: Sequence[Entry]) -> list[str]:
        """Return the changefreq and priority elements of each entry."""
        changefreqs = [entry.changefreq for entry in entries]
        priorities = [entry.priority for entry in entries]
        texts = [*map(self._hints.get, zip(changefreqs, priorities, strict=True))]
        if None in texts:
            return [*map(self._hints_of_one, entries)]
        return cast("list[str]", texts)

    def _hints_of_one(self, entry: Entry) -> str:
        changefreq, priority = self._changefreq(entry), self._priority(entry)
        refused = (entry.changefreq, entry.priority) != (
            entry.changefreq if changefreq else None,
            entry.priority if priority else None,
        )
        if len(self._hints) >= _TABLE_SIZE:
            self._hints.clear()
        if not refused:  # else it is to be reported for each entry
            self._hints[entry.changefreq, entry.priority] = changefreq + priority
        return changefreq + priority

    def _changefreq(self, entry: Entry) -> str:
        value = entry.changefreq
        if value in CHANGEFREQS:
            return f"<changefreq>{value}</changefreq>"
        if value is not None:
            self._refuse("bad-changefreq", entry, value)
        return ""

    def _priority(self, entry: Entry) -> str:
        value = entry.priority
        if value is None:
            return ""
        if 0 <= value <= 1:
            return f"<priority>{priority_text(value)}</priority>"
        self._refuse("bad-priority", entry, value)
        return ""

    def _refuse(self, rule: str, entry: Entry, value: object) -> None:
        self._on_issue(issue(rule, entry.loc, f"It is {value!r} and is left out."))


def _texts_in_bulk(values: list[Any]) -> list[str] | None:
    """Return the texts of datetimes in UTC or seconds since 1970, or None if there are others."""
    kinds = set(map(type, values))
    if kinds == {int}:
        values = _from_seconds(values)
    elif kinds != {datetime}:
        return None
    if not values or [value.tzinfo for value in values].count(UTC) != len(values):
        return None
    texts = json.encode(values).decode()
    if len(texts) != len(values) * _QUOTED_SECOND + 1:  # some have fractions of a second
        return None
    return texts[2:-2].split('","')


def _from_seconds(values: Sequence[int]) -> list[datetime]:
    if min(values) < 0 or max(values) >= _YEAR_10000:
        return []
    return [datetime.fromtimestamp(value, UTC) for value in values]
