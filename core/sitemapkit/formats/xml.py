"""Sitemaps and indexes in XML, compressed or not (rules D1-D8, D13, IX1).

Each entry is written alone, as a row, without what is invalid. A file is the rows that fit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.dates import lastmod_text, newest_text
from sitemapkit.errors import OutputError
from sitemapkit.extensions.registry import FIELDS, load
from sitemapkit.layout import ANY_SITEMAP
from sitemapkit.model import CHANGEFREQS, OutputFile
from sitemapkit.options import MAX_BYTES, MAX_URLS
from sitemapkit.xmltext import DECLARATION, SITEMAP, URLSET_FOOT, element, escaped_url, urlset_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit.xmltext import Namespace

NAMESPACES_SIZE = 167
"""Bytes reserved in each file for the namespaces of images, videos and translations.

They are reserved even if unused, so that the first image of a site moves no URL to another file.
"""

_CHANGEFREQS = frozenset({None, *CHANGEFREQS})


class Row(Struct, frozen=True, gc=False):
    """One entry as it is written."""

    xml: bytes
    """Its `<url>` element and a line end."""

    loc: str
    """Its URL in normal form."""

    lastmod: str
    """Its date, or ""."""

    extensions: Sequence[str] = ()
    """The names of the extensions in it."""


def row(entry: Entry, options: Options, report: Report) -> Row:
    """Return an entry, whose URL is valid, as it is written.

    The report gets issues of what else is invalid, and left out.
    """
    elements = f"<loc>{escaped_url(entry.loc)}</loc>"
    lastmod = lastmod_text(entry.lastmod)
    if lastmod:
        elements += f"<lastmod>{lastmod}</lastmod>"
    elif entry.lastmod is not None:
        _refuse("bad-date", entry, entry.lastmod, report)
    elements += _hints(entry, report)
    extensions: Sequence[str] = ()
    if entry.images or entry.videos or entry.alternates or entry.extensions:
        found = _extensions(entry, options, report)
        elements += "".join(found.values())
        extensions = tuple(found)
    xml = f"<url>{elements}</url>\n".encode()
    if options.indent:
        xml = _indented(xml, options.indent)
    return Row(xml, entry.loc, lastmod, extensions)


def _hints(entry: Entry, report: Report) -> str:
    """Return the changefreq and priority elements."""
    changefreq, priority = entry.changefreq, entry.priority
    if changefreq not in _CHANGEFREQS:
        _refuse("bad-changefreq", entry, changefreq, report)
        changefreq = None
    if priority is not None and not 0 <= priority <= 1:
        _refuse("bad-priority", entry, priority, report)
        priority = None
    return _valid_hints(changefreq, priority)


@lru_cache
def _valid_hints(changefreq: str | None, priority: float | None) -> str:
    elements = f"<changefreq>{changefreq}</changefreq>" if changefreq else ""
    if priority is not None:
        # One or two decimals and a dot, in every locale (rule CP3); "-0.0" is 0.
        decimal = f"{abs(priority):.2f}".removesuffix("0")
        elements += f"<priority>{decimal}</priority>"
    return elements


def _refuse(rule: str, entry: Entry, value: object, report: Report) -> None:
    report.add(rule, entry.loc, f"It is {value!r} and is left out.")


def _extensions(entry: Entry, options: Options, report: Report) -> dict[str, str]:
    """Return the elements of each extension that has some, in the order of D6."""
    names = [name for name in FIELDS if getattr(entry, name)]
    names += sorted(entry.extensions or ())
    found: dict[str, str] = {}
    for name in names:
        xml = load(name).xml(entry, options, report)
        if xml:
            found[name] = xml
    return found


def _indented(xml: bytes, spaces: int) -> bytes:
    """Return a row with each element on a line, indented by `spaces` per level."""
    level = 1
    lines: list[bytes] = []
    for tag in xml.removeprefix(b"<").split(b"><"):  # both are escaped in text
        is_end = tag.startswith(b"/")
        if is_end:
            level -= 1
        lines.append(b" " * (spaces * level) + b"<" + tag)
        if not is_end and b"</" not in tag and not tag.endswith(b"/"):
            level += 1
    return b">\n".join(lines)


def fitting(rows: Iterable[Row], layout: Layout) -> tuple[list[Row], Row | None]:
    """Return the rows that fit into one file (rules D10, TX2), and the first that does not.

    Raises OutputError if not even one fits.
    """
    kept: list[Row] = []
    extensions: set[str] = set()
    size = 0
    room = _room(layout, extensions)
    for each in rows:
        if not extensions.issuperset(each.extensions):
            # Namespaces that the reserved bytes have no room for make it smaller.
            extensions.update(each.extensions)
            room = _room(layout, extensions)
        size += len(each.xml)
        if size > room or len(kept) == layout.options.max_urls:
            if kept:
                return kept, each
            raise OutputError(
                f"the entry of {each.loc!r} has {size:,} bytes and does not fit into a file of"
                " `max_bytes`; raise that option or list fewer images of the page"
            )
        kept.append(each)
    return kept, None


def _room(layout: Layout, extensions: Set[str]) -> int:
    """Return how many bytes the rows of one file may have."""
    # The comment of the one is longer, or that of the other; a row must fit into both.
    whole = urlset_head(layout.marker(""), ())
    child = urlset_head(layout.marker("child"), ())
    declared = sum(len(each.declaration) for each in _namespaces(extensions))
    around = max(len(whole), len(child)) + max(NAMESPACES_SIZE, declared) + len(URLSET_FOOT)
    return layout.options.max_bytes - around


def _namespaces(extensions: Iterable[str]) -> list[Namespace]:
    return [load(name).NAMESPACE for name in extensions]


def urlset(rows: Sequence[Row], layout: Layout, label: str) -> Iterator[bytes]:
    """Yield the sitemap of all entries (label ""), or a child of an index, row by row."""
    used: set[str] = set()  # only these are declared (D8)
    for each in rows:
        used.update(each.extensions)
    head = urlset_head(layout.marker(label), _namespaces(used))
    if layout.options.indent:
        # The comment joins the declaration's line, since nesting begins at the second line.
        head = head.replace(b"\n", b"", 1)
    yield head
    for each in rows:
        yield each.xml
    yield URLSET_FOOT


def url_list(rows: Iterable[Row]) -> Iterator[bytes]:
    """Yield the URLs, one per line: a sitemap in text (rules TX1-TX3)."""
    for each in rows:
        yield f"{each.loc}\n".encode()


class Child(Struct, frozen=True):
    """What an index says of one of its files, in each format."""

    label: str
    """What the file's name has between the name of the index and the suffix."""

    lastmod: str
    """The newest date in it (rule IX4), "" if there is none."""


def child_of(rows: Sequence[Row], label: str) -> Child:
    """Return what an index says of the file of these rows."""
    return Child(label, newest_text([each.lastmod for each in rows]))


def index_file(children: Sequence[Child], layout: Layout, form: str) -> OutputFile:
    """Return the index of the children in one format.

    Raises OutputError if there are too many (rule IX2): an index cannot list indexes (IX3).
    """
    listed: list[tuple[str, str]] = []
    for child in children:
        listed.append((layout.url(layout.file(child.label, form)), child.lastmod))
    data = sitemapindex(layout.marker(""), listed)
    file = layout.index(form)
    if len(listed) > MAX_URLS or len(data) > MAX_BYTES:
        raise OutputError(
            f"{file} would list {len(listed):,} files in {len(data):,} bytes; an"
            f" index may list {MAX_URLS:,} in {MAX_BYTES:,}. Raise `max_urls` and `max_bytes`,"
            " or write several sitemaps, each with its own `filename`."
        )
    return OutputFile(file, [data], ANY_SITEMAP)


def sitemapindex(marker: str, children: Iterable[tuple[str, str]]) -> bytes:
    """Return a `<sitemapindex>` of pairs (URL in normal form, lastmod or ""), rule IX1."""
    rows: list[str] = []
    for loc, lastmod in children:
        elements = element("loc", loc)
        if lastmod:
            elements += element("lastmod", lastmod)
        rows.append(f"<sitemap>{elements}</sitemap>\n")
    head = f'{DECLARATION}{marker}\n<sitemapindex xmlns="{SITEMAP}">\n'
    return f"{head}{''.join(rows)}</sitemapindex>\n".encode()
