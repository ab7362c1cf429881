"""Sitemaps, indexes and feeds in XML, read by expat in one pass.

lxml would build a tree, or tell no lines; expat tells the line of all it finds and keeps nothing.
A document type declaration ends the reading, so there are no entities and no external files, and
the depth of elements and the length of values are bounded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn, Protocol
from xml.parsers import expat

from sitemapkit.model import Alternate
from sitemapkit_tools.sitemaps.sitemap_file import MAX_KEPT, MAX_TEXT, Listing

if TYPE_CHECKING:
    from sitemapkit_tools.sitemaps.sitemap_file import Kind, Sitemap

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
_XHTML = "http://www.w3.org/1999/xhtml"

_ENTRY, _FIELD, _INNER = 1, 2, 3
"""Depths of `<url>`, of what is in it, and of what is in an extension's element."""

_MAX_DEPTH = 32
_MAX_STRANGE = 100_000
_MAX_TOKEN = 1_048_576
_PIECE = 65_536
_ROOTS: dict[str, Kind] = {"urlset": "urlset", "sitemapindex": "index"}
_FIELDS = frozenset({"loc", "lastmod", "changefreq", "priority"})


_ENDS_TOO_EARLY = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}


class _Enough(Exception):  # noqa: N818 - it is no error, it ends the reading
    """Nothing more is to be read; the flaw is noted already."""


class _Dialect(Protocol):
    """What a kind of XML does with its elements; depth 1 is the root's children."""

    def start(self, depth: int, name: str, attributes: dict[str, str], /) -> None: ...

    def end(self, depth: int, name: str, text: str, /) -> None: ...


def _explained(error: expat.ExpatError) -> str:
    if error.code in _ENDS_TOO_EARLY:
        return "The file ends too early."
    return f"{expat.ErrorString(error.code).capitalize()}, column {error.offset + 1}."


class XmlReader:
    """Drives expat, keeps the bounds, and hands elements to the dialect of the root element."""

    def __init__(self, sitemap: Sitemap) -> None:
        """Begin before the root element of the file that `sitemap` is to describe."""
        self.sitemap = sitemap
        self.dialect: _Dialect | None = None
        self.depth = 0
        self.text: list[str] = []
        self.room = 0
        # What a file declares counts for nothing: its text is UTF-8 by now.
        self.parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._doctype

    @property
    def line(self) -> int:
        """Number of the line that is being read, from 1."""
        return self.parser.CurrentLineNumber

    def read(self, text: bytes) -> None:
        """Read the whole document, or what comes before its first fault."""
        try:
            for start in range(0, len(text), _PIECE):
                piece = text[start : start + _PIECE]
                self.parser.Parse(piece, False)
                if start + len(piece) - self.parser.CurrentByteIndex > _MAX_TOKEN:
                    self.stop("broken-xml", f"A tag or comment has over {_MAX_TOKEN:,} bytes.")
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            self.sitemap.stop("broken-xml", error.lineno, _explained(error))
        except _Enough:
            self.sitemap.whole = False

    def stop(self, rule: str, detail: str) -> NoReturn:
        """End the reading with a flaw."""
        self.sitemap.stop(rule, self.line, detail)
        raise _Enough

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self.depth > _MAX_DEPTH:
            self.stop("broken-xml", f"Elements are nested more than {_MAX_DEPTH} deep.")
        self.text.clear()
        self.room = MAX_TEXT
        if self.dialect:
            self.dialect.start(self.depth, name, attributes)
        else:
            self.dialect = self._dialect_of(name)
        self.depth += 1

    def _end(self, name: str) -> None:
        self.depth -= 1
        if self.dialect and self.depth:
            self.dialect.end(self.depth, name, "".join(self.text).strip())
        self.text.clear()

    def _characters(self, data: str) -> None:
        if self.room > 0:
            self.text.append(data[: self.room])
            self.room -= len(data)

    def _doctype(self, name: str, *_: object) -> None:
        if name.lower() == "html":
            self.stop("not-a-sitemap", "It is an HTML page.")
        self.stop("dtd", "Nothing after it was read.")

    def _dialect_of(self, name: str) -> _Dialect:
        namespace, _, local = name.rpartition(" ")
        if local in _ROOTS:
            self.sitemap.kind = _ROOTS[local]
            if namespace != NAMESPACE:
                given = f"It is {namespace!r}." if namespace else "It has none."
                self.sitemap.flaw("namespace", self.line, given)
            return _Urlset(self, namespace)
        if local in ("rss", "RDF", "feed"):
            self.sitemap.kind = "feed"
            return _Feed(self)
        return self.stop("not-a-sitemap", f"Its root element is <{local[:60]}>.")


class _Urlset:
    """`<urlset>` and `<sitemapindex>`."""

    def __init__(self, reader: XmlReader, namespace: str) -> None:
        self.reader, self.sitemap = reader, reader.sitemap
        self.prefixes = (f"{namespace} " if namespace else "", f"{NAMESPACE} ")
        self.element = "sitemap" if self.sitemap.kind == "index" else "url"
        self.listing = Listing("", 0)
        self.locs = 0
        self.strange: set[str] = set()
        self.strangers = 0

    def start(self, depth: int, name: str, attributes: dict[str, str]) -> None:
        if depth == _ENTRY and self._own(name) == self.element:
            self._begin()
        elif depth == _FIELD and name == f"{_XHTML} link":
            self._add_alternate(attributes)
            return
        elif depth <= _FIELD:
            self._judge(depth, name)
        if attributes and self._own(name):
            self._flaw_once(next(iter(attributes)), "attribute")

    def end(self, depth: int, name: str, text: str) -> None:
        own = self._own(name)
        if depth == _ENTRY and own == self.element:
            self._finish()
        elif depth == _FIELD and own == "loc":
            self.locs += 1
            self.listing.loc = self.listing.loc or text
        elif depth == _FIELD and own in _FIELDS:
            setattr(self.listing, own, sys.intern(text))
        elif depth == _INNER and name == f"{_IMAGE} loc":
            self.listing.images.append(text)

    def _own(self, name: str) -> str:
        """Return the local name of an element of the protocol, or "" for one of another."""
        namespace, separator, local = name.rpartition(" ")
        return local if namespace + separator in self.prefixes else ""

    def _begin(self) -> None:
        if len(self.sitemap.listings) >= MAX_KEPT:
            self.reader.stop("too-many-urls", f"Only {MAX_KEPT:,} were read.")
        self.listing, self.locs = Listing("", self.reader.line), 0

    def _finish(self) -> None:
        if self.locs != 1 or not self.listing.loc:
            detail = f"It has {self.locs}." if self.locs != 1 else "It is empty."
            self.sitemap.flaw("no-loc", self.listing.line, detail, self.listing.loc)
        if self.listing.loc:
            self.sitemap.listings.append(self.listing)

    def _judge(self, depth: int, name: str) -> None:
        namespace, _, local = name.rpartition(" ")
        known = self._own(name)
        if known:
            fields = _FIELDS if self.element == "url" else ("loc", "lastmod")
            if depth == _ENTRY or known not in fields:
                self._flaw_once(local, "element")
        elif depth == _FIELD:
            self.listing.extensions.add(sys.intern(namespace))

    def _add_alternate(self, attributes: dict[str, str]) -> None:
        if attributes.get("rel", "").lower() == "alternate" and "hreflang" in attributes:
            code = sys.intern(attributes["hreflang"].strip()[:100])
            href = attributes.get("href", "").strip()[:MAX_TEXT]
            self.listing.alternates.append(Alternate(code, href))

    def _flaw_once(self, name: str, what: str) -> None:
        name = name[:60]
        if name not in self.strange:
            self.strange.add(name)
            detail = f"It is the {what} {name!r}."
            self.sitemap.flaw("unknown-element", self.reader.line, detail, name)
        self.strangers += 1
        if self.strangers > _MAX_STRANGE:
            self.reader.stop("unknown-element", f"There are more than {_MAX_STRANGE:,} of them.")


class _Feed:
    """RSS 0.9 to 2.0 and Atom, as far as a sitemap goes: links and dates (rules FD1, FD2)."""

    def __init__(self, reader: XmlReader) -> None:
        self.reader, self.sitemap = reader, reader.sitemap
        self.listing: Listing | None = None

    def start(self, _depth: int, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local in ("item", "entry") and self.listing is None:
            self.listing = Listing("", self.reader.line)
        elif local == "link" and self.listing and attributes.get("rel", "alternate") == "alternate":
            self.listing.loc = self.listing.loc or attributes.get("href", "").strip()[:MAX_TEXT]

    def end(self, _depth: int, name: str, text: str) -> None:
        local = name.rpartition(" ")[2]
        if self.listing is None:
            return
        if local == "link":
            self.listing.loc = self.listing.loc or text
        elif local == "updated":
            self.listing.lastmod = text
        elif local == "pubDate":
            self.listing.lastmod = _from_rfc822(text)
        elif local in ("item", "entry"):
            if self.listing.loc and len(self.sitemap.listings) < MAX_KEPT:
                self.sitemap.listings.append(self.listing)
            self.listing = None


def _from_rfc822(text: str) -> str | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - 10 ms, and only for feeds

    try:
        return parsedate_to_datetime(text).isoformat()
    except ValueError:
        return None
