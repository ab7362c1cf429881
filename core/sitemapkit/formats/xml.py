"""Sitemaps and indexes in XML, compressed or not (rules D1-D8, D13, IX1).

A batch of entries is rendered with each entry on exactly one line, so that newlines give the size
of each entry and the places to split. A `Normalizer` checks URLs in bulk, msgspec writes UTC
datetimes in bulk, and other elements come from a cache.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from itertools import accumulate, chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, json
from msgspec.structs import replace

from sitemapkit.dates import lastmod_text
from sitemapkit.errors import OutputError
from sitemapkit.extensions.registry import FIELDS, load
from sitemapkit.layout import ANY_SITEMAP
from sitemapkit.model import CHANGEFREQS, OutputFile, SitemapPart
from sitemapkit.normalizer import Normalizer
from sitemapkit.options import MAX_BYTES, MAX_URLS
from sitemapkit.rules import issue
from sitemapkit.xmltext import DECLARATION, SITEMAP, URLSET_FOOT, element, urlset_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitemapkit.extensions.registry import Writer
    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry, Issue
    from sitemapkit.xmltext import Namespace

    OnIssue = Callable[[Issue], None]
    Namespaces = frozenset[Namespace]

NAMESPACES_SIZE = 167
"""Bytes reserved in each file for the namespaces of images, videos and translations.

They are reserved even if unused, so that the first image of a site moves no URL to another file.
"""

_BREAK = b"\v"
"""A line break inside an indented entry: a byte that is illegal in XML, so that sizes are exact."""

_CACHE_SIZE = 10_000
_QUOTED_SECOND = len('"2024-01-01T00:00:00Z",')
_YEAR_10000 = 253_402_300_800


def urlset(rendered: Rendered, layout: Layout, label: str) -> list[bytes]:
    """Return the sitemap of all entries (label ""), or a child of an index, in chunks."""
    head, data = urlset_head(layout.marker(label), rendered.namespaces), rendered.data
    if layout.options.indent:
        # The comment joins the declaration's line, since nesting begins at the second line.
        head, data = head.replace(b"\n", b"", 1), data.replace(_BREAK, b"\n")
    return [head, data, URLSET_FOOT]


@lru_cache(maxsize=16)
def frame_size(marker: str, namespaces: Namespaces) -> int:
    """Return the largest size in bytes of a `<urlset>` without its entries."""
    bare = len(urlset_head(marker, ())) + len(URLSET_FOOT)
    return bare + max(NAMESPACES_SIZE, sum(len(each.declaration) for each in namespaces))


def index_file(parts: Sequence[SitemapPart], layout: Layout, form: str) -> OutputFile:
    """Return the index of the children in one format.

    Raises OutputError if there are too many (rule IX2): an index cannot list indexes (IX3).
    """
    children = [(layout.url(layout.file(part.label, form)), part.lastmod) for part in parts]
    data = sitemapindex(layout.marker(""), children)
    if len(parts) > MAX_URLS or len(data) > MAX_BYTES:
        raise OutputError(
            f"{layout.index(form)} would list {len(parts):,} files in {len(data):,} bytes; an"
            f" index may list {MAX_URLS:,} in {MAX_BYTES:,}. Raise `max_urls` and `max_bytes`,"
            " or write several sitemaps, each with its own `filename`."
        )
    return OutputFile(layout.index(form), [data], ANY_SITEMAP)


def sitemapindex(marker: str, children: Iterable[tuple[str, str]]) -> bytes:
    """Return a `<sitemapindex>` of pairs (URL in normal form, lastmod or ""), rule IX1."""
    rows: list[str] = []
    for loc, lastmod in children:
        date = element("lastmod", lastmod) if lastmod else ""
        rows.append(f"<sitemap>{element('loc', loc)}{date}</sitemap>\n")
    head = f'{DECLARATION}{marker}\n<sitemapindex xmlns="{SITEMAP}">\n'
    return f"{head}{''.join(rows)}</sitemapindex>\n".encode()


class Rendered(Struct, frozen=True):
    """Entries as XML, one per line, with their URLs and dates."""

    data: bytes

    locs: list[str]
    """Their URLs, as XML text."""

    lastmods: list[str]
    """Their dates, "" where there is none; empty if no entry has one."""

    namespaces: Namespaces = frozenset()
    """Those of the extensions in use."""

    def cut(self, size: int, count: int) -> tuple[Rendered, Rendered]:
        """Return the first entries, at most `count` with at most `size` bytes, and the others."""
        if len(self.locs) <= count and len(self.data) <= size:
            return self, NOTHING
        lines = self.data.splitlines(keepends=True)
        ends = [end for end in accumulate(map(len, lines[:count])) if end <= size]
        at, end = len(ends), max(ends, default=0)
        first, others = self.data[:end], self.data[end:]
        return (
            Rendered(first, self.locs[:at], self.lastmods[:at], used_in(first, self.namespaces)),
            Rendered(others, self.locs[at:], self.lastmods[at:], used_in(others, self.namespaces)),
        )

    def urls(self) -> bytes:
        """Return the URLs without XML escapes, one per line: a sitemap in text (TX1-TX3)."""
        text = "\n".join([*self.locs, ""])
        return text.replace("&apos;", "'").replace("&amp;", "&").encode()

    def indented(self, spaces: int) -> Rendered:
        """Return the entries with each element indented by `spaces` per level."""
        lines = self.data.splitlines(keepends=True)
        return replace(self, data=b"".join([_indented(line, spaces) for line in lines]))


NOTHING = Rendered(b"", [], [])


def joined(several: Sequence[Rendered]) -> Rendered:
    """Return all entries, in their order."""
    return Rendered(
        b"".join([some.data for some in several]),
        [*chain.from_iterable(some.locs for some in several)],
        [*chain.from_iterable(some.lastmods for some in several)],
        frozenset(each for some in several for each in some.namespaces),
    )


def used_in(data: bytes, namespaces: Iterable[Namespace]) -> Namespaces:
    """Return the namespaces that occur in rendered entries."""
    return frozenset(each for each in namespaces if each.tag in data)


def _indented(entry: bytes, spaces: int) -> bytes:
    level, tags = 1, list[bytes]()
    for tag in entry.removeprefix(b"<").split(b"><"):  # both are escaped in text
        is_end = tag.startswith(b"/")
        level -= is_end
        tags.append(b" " * (spaces * level) + b"<" + tag)
        level += not (is_end or b"</" in tag or tag.endswith(b"/"))
    return (b">" + _BREAK).join(tags)


class Renderer:
    """Renders entries as XML, in batches; reports and leaves out what is invalid."""

    def __init__(self, on_issue: OnIssue, *, base: str, encoding: str) -> None:
        """List only URLs below `base`; `encoding` is the charset of new percent-escapes."""
        self._on_issue = on_issue
        self._encoding = encoding
        self._locs = Normalizer("loc", on_issue, base=base, encoding=encoding)
        self._writers: dict[str, Writer] = {}
        self._hints: dict[tuple[str | None, float | None], str] = {}

    def render_urls(self, urls: list[str]) -> Rendered:
        """Render entries that consist of a URL only, without a Python step for each."""
        locs = self._locs.escaped(urls)
        if "" in locs:
            locs = [loc for loc in locs if loc]
        lines = "</loc></url>\n<url><loc>".join(locs)
        data = f"<url><loc>{lines}</loc></url>\n".encode() if locs else b""
        return Rendered(data, locs, [])

    def render(self, entries: Sequence[Entry]) -> Rendered:
        """Render entries with all their fields."""
        locs = self._locs.escaped([entry.loc for entry in entries])
        if "" in locs:
            entries = [entry for entry, loc in zip(entries, locs, strict=True) if loc]
            locs = [loc for loc in locs if loc]
        lastmods = _texts_in_bulk([e.lastmod for e in entries]) or [*map(self._lastmod, entries)]
        starts = [
            f"<url><loc>{loc}</loc><lastmod>{lastmod}</lastmod>{hints}"
            if lastmod
            else f"<url><loc>{loc}</loc>{hints}"
            for loc, lastmod, hints in zip(locs, lastmods, self._hints_of(entries), strict=True)
        ]
        if [e for e in entries if e.images or e.videos or e.alternates or e.extensions]:
            data, namespaces = self._with_extensions(starts, entries)
            return Rendered(data, locs, lastmods, namespaces)
        return Rendered("</url>\n".join([*starts, ""]).encode(), locs, lastmods)

    def _with_extensions(
        self, starts: Sequence[str], entries: Sequence[Entry]
    ) -> tuple[bytes, Namespaces]:
        """Return the entries as XML, extensions in the order of D6, and the namespaces in them."""
        names = [name for name in FIELDS if any(map(attrgetter(name), entries))]
        others = sorted({name for e in entries if e.extensions for name in e.extensions})
        columns = {name: self._writer(name).pieces(entries) for name in (*names, *others)}
        nothing: Sequence[Sequence[str]] = [()] * len(entries)
        images, videos, rest = (
            columns.get(name, nothing) for name in ("images", "videos", "alternates")
        )
        if others:
            rows = zip(rest, *[columns[name] for name in others], strict=True)
            rest = [[*chain(*row)] for row in rows]
        pieces: list[str] = []
        # Unrolled: a loop over the columns would cost a tenth of the rendering time.
        for start, own_images, own_videos, own_rest in zip(
            starts, images, videos, rest, strict=True
        ):
            pieces.append(start)
            pieces += own_images
            pieces += own_videos
            pieces += own_rest
            pieces.append("</url>\n")
        data = "".join(pieces).encode()
        return data, used_in(data, [load(name).NAMESPACE for name in columns])

    def _writer(self, name: str) -> Writer:
        if name not in self._writers:
            self._writers[name] = load(name).Writer(self._on_issue, self._encoding)
        return self._writers[name]

    def _lastmod(self, entry: Entry) -> str:
        text = lastmod_text(entry.lastmod)
        if not text and entry.lastmod is not None:
            self._refuse("bad-date", entry, entry.lastmod)
        return text

    def _hints_of(self, entries: Sequence[Entry]) -> list[str]:
        """Return the changefreq and priority elements of each entry."""
        changefreqs = [entry.changefreq for entry in entries]
        priorities = [entry.priority for entry in entries]
        if changefreqs.count(None) == priorities.count(None) == len(entries):
            return [""] * len(entries)
        texts = [*map(self._hints.get, zip(changefreqs, priorities, strict=True))]
        return [*map(self._hints_of_one, entries)] if None in texts else cast("list[str]", texts)

    def _hints_of_one(self, entry: Entry) -> str:
        changefreq, priority = entry.changefreq, entry.priority
        if changefreq not in (None, *CHANGEFREQS):
            self._refuse("bad-changefreq", entry, changefreq)
            changefreq = None
        if priority is not None and not 0 <= priority <= 1:
            self._refuse("bad-priority", entry, priority)
            priority = None
        if len(self._hints) >= _CACHE_SIZE:
            self._hints.clear()
        # Invalid values are never a key, so that they are reported for each entry.
        text = self._hints[changefreq, priority] = _hints(changefreq, priority)
        return text

    def _refuse(self, rule: str, entry: Entry, value: object) -> None:
        self._on_issue(issue(rule, entry.loc, f"It is {value!r} and is left out."))


def _hints(changefreq: str | None, priority: float | None) -> str:
    text = f"<changefreq>{changefreq}</changefreq>" if changefreq else ""
    if priority is None:
        return text
    # One or two decimals and a dot, in every locale (rule CP3).
    return f"{text}<priority>{f'{abs(priority):.2f}'.removesuffix('0')}</priority>"


def _texts_in_bulk(values: list[Any]) -> list[str] | None:
    """Return datetimes in UTC, seconds since 1970 or nothing as text; None: there are others."""
    kinds = set(map(type, values))
    if kinds == {type(None)}:
        return [""] * len(values)
    if kinds == {int} and min(values) >= 0 and max(values) < _YEAR_10000:
        values = [datetime.fromtimestamp(value, UTC) for value in values]
    elif kinds != {datetime}:
        return None
    if [value.tzinfo for value in values].count(UTC) != len(values):
        return None
    texts = json.encode(values).decode()
    if len(texts) != len(values) * _QUOTED_SECOND + 1:  # some have fractions of a second
        return None
    return texts[2:-2].split('","')
