"""Sitemaps, indexes and feeds in XML, read by expat in one pass.

lxml would build a tree or lose the line numbers; expat gives the line of each element and keeps
nothing. A document type declaration ends the reading, so there are no entities and no external
files, and the depth of elements and the length of values are bounded.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from sitemapkit.extensions import alternates
from sitemapkit.extensions.alternates import Alternate
from sitemapkit.xmltext import SITEMAP
from sitemapkit_extras.extensions import images, videos
from sitemapkit_extras.formats import news
from sitemapkit_tools.bounds import MAX_DEPTH, MAX_ELEMENTS, MAX_ISSUES, MAX_NAMESPACE, MAX_TEXT
from sitemapkit_tools.sitemaps.sitemap_file import ENTRY_COST, VALUE_COST, UrlElement
from sitemapkit_tools.sitemaps.values import wrong_in_news, wrong_in_video

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapkit_tools.sitemaps.sitemap_file import FileKind, SitemapFile

_IMAGE = images.NAMESPACE.url
_XHTML = alternates.NAMESPACE.url

_VIDEO = videos.NAMESPACE.url
_NEWS = news.NAMESPACE.url

_EXTENSIONS = (alternates.NAMESPACE, images.NAMESPACE, videos.NAMESPACE, news.NAMESPACE)
_BY_PREFIX = {each.prefix: each.url for each in _EXTENSIONS}
_SIGNS = {"xhtml": _XHTML, "sitemap-image": _IMAGE, "sitemap-video": _VIDEO, "sitemap-news": _NEWS}
"""What the addresses of the known extensions hold, also if they are not quite right."""

_REQUIRED = {
    f"{_IMAGE} image": ("loc",),
    f"{_VIDEO} video": ("thumbnail_loc", "title", "description", "content_loc|player_loc"),
    f"{_NEWS} news": ("name", "language", "publication_date", "title"),
}
"""The parts without which an element counts for nothing; of those with a bar between, one."""

_PARTS = frozenset("|".join(chain.from_iterable(_REQUIRED.values())).split("|"))

_MOST_VALUES = 100
"""Names in one element of an extension that are kept; the schema of videos has 30."""

_JUDGES = {f"{_VIDEO} video": wrong_in_video, f"{_NEWS} news": wrong_in_news}

_ENTRY, _FIELD, _INNER = 1, 2, 3
"""Depths of `<url>`, of what is in it, and of what is in an extension's element."""

_MAX_UNKNOWN = 100_000
MAX_TOKEN = 32_768
"""Bytes of one tag or comment. Expat writes out the namespace of each attribute: in a tag of 1 MiB
that half names a namespace and half uses it, these would be gigabytes."""

_FED = 16_384
"""Bytes that expat gets at a time; it parses all of them, even if their first ends the reading."""

_SHORT = 64
"""Characters of a field that the cost of its entry includes; most are dates, and shared."""

_MOST_LINES = 100_000
_LINES: dict[int, int] = {}
"""One object for each number of a line: a million of them would take 32 MB."""


@lru_cache(maxsize=4096)
def _shared(text: str) -> str:
    """Return the same object for texts that follow each other soon: most dates and hints do.

    `sys.intern` would need as much again for a million different dates.
    """
    return text


_ROOTS: dict[str, FileKind] = {"urlset": "urlset", "sitemapindex": "index"}
_FIELDS = frozenset({"loc", "lastmod", "changefreq", "priority"})


TOO_MANY = ("too-many-urls", f"Only {MAX_ELEMENTS:,} were read.")
"""The rule that more elements than are read break, and the detail."""

NO_ROOM = ("not-checked", "Its rest was not read: too much would be kept (--max-memory).")
"""The same if there is no room for them."""


class _StopReading(Exception):  # noqa: N818 - not an error
    """Ends the reading; the issue is in the file already."""


_CONFLICT = b"<<<<<<<"
"""Where git did not know which of two versions to take; expat stops at its second character."""


class XmlReader:
    """Runs expat, keeps the bounds, and passes elements to the handler for the root element."""

    def __init__(self, file: SitemapFile) -> None:
        """Read into `file`."""
        self.file = file
        self.handler: _UrlsetHandler | _FeedHandler | None = None
        self.depth = 0
        self.text: list[str] = []
        self.room = 0
        self.meant: dict[str, str] = {}
        """The right namespace of an extension, by a wrong one that was declared for it."""

        self.wrong: set[str] = set()
        """Of the wrong ones those that are reported."""

        # The encoding that the file declares does not count: its text is UTF-8 by now.
        self.parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
        self.parser.buffer_text = True
        # Expat 2.6 delays an unfinished tag until twice as much has come, so a permitted one
        # would seem too long. The bound makes the delay unnecessary.
        if hasattr(self.parser, "SetReparseDeferralEnabled"):
            self.parser.SetReparseDeferralEnabled(False)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartNamespaceDeclHandler = self._namespace

    @property
    def line(self) -> int:
        """The line that is being read, counted from 1."""
        return self.parser.CurrentLineNumber

    def read(self, pieces: Iterable[bytes]) -> None:
        """Read the whole document, or what comes before its first error."""
        fed, part, at_end = 0, b"", False
        try:
            for part in _parts(pieces):
                self.parser.Parse(part, False)
                fed += len(part)
                if fed - self.parser.CurrentByteIndex > MAX_TOKEN:
                    self.stop("broken-xml", f"A tag or comment has over {MAX_TOKEN:,} bytes.")
            if self.file.complete:  # else the pieces end too early
                at_end = True
                self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            said = f"{expat.ErrorString(error.code).capitalize()}, column {error.offset + 1}."
            detail = "The file ends too early." if at_end else said
            if part[max(self.parser.CurrentByteIndex - fed - 1, 0) :].startswith(_CONFLICT):
                detail += " It has the marks of a merge conflict."
            self.file.stop("broken-xml", detail, error.lineno)
        except _StopReading:
            self.file.complete = False

    def stop(self, rule: str, detail: str) -> NoReturn:
        """End the reading with an issue."""
        self.file.stop(rule, detail, self.line)
        raise _StopReading

    def keep(self, cost: int, *texts: str) -> None:
        """Count what is kept; end the reading if there is no room for it."""
        if not self.file.keep(cost, *texts):
            self.stop(*NO_ROOM)

    def _as_meant(self, name: str) -> str:
        """Return the name of an element in the right namespace; a wrong one is reported."""
        namespace, _, local = name.rpartition(" ")
        right = self.meant.get(namespace)
        if not right:
            return name
        self._report(namespace, right)
        return f"{right} {local}"

    def _report(self, namespace: str, right: str) -> None:
        if namespace not in self.wrong:
            self.wrong.add(namespace)
            detail = f"It is {namespace!r}, not {right}."
            where = f"{self.file.url} {namespace}"
            self.file.add_issue("namespace", detail, self.line, where)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = self._as_meant(name) if self.meant else name
        if self.depth > MAX_DEPTH:
            self.stop("broken-xml", f"Elements are nested more than {MAX_DEPTH} deep.")
        self.text.clear()
        self.room = MAX_TEXT
        if self.handler:
            self.handler.start(self.depth, name, attributes)
        else:
            self.handler = self._handler_for(name)
        self.depth += 1

    def _end(self, name: str) -> None:
        self.depth -= 1
        name = self._as_meant(name) if self.meant else name
        if self.handler:
            self.handler.end(self.depth, name, "".join(self.text).strip())
        self.text.clear()

    def _characters(self, data: str) -> None:
        if self.room > 0:
            self.text.append(data[: self.room])
            self.room -= len(data)

    def _doctype(self, name: str, *_: object) -> None:
        if name.lower() == "html":
            self.stop("not-a-sitemap", "It is an HTML page.")
        self.stop("dtd", "Nothing after it was read.")

    def _namespace(self, prefix: str | None, address: str | None) -> None:
        address = address or ""
        if len(address) > MAX_NAMESPACE:
            detail = f"The address of a namespace has over {MAX_NAMESPACE:,} characters."
            self.stop("broken-xml", detail)
        right = _BY_PREFIX.get(prefix or "") or next(
            (url for sign, url in _SIGNS.items() if sign in address.lower()), address
        )
        if address in (*_SIGNS.values(), SITEMAP) and address != right:
            self._report(address, right)  # it is also that of other elements
        elif address not in (right, *self.meant):
            self.keep(VALUE_COST, address)
            self.meant[address] = right

    def _handler_for(self, name: str) -> _UrlsetHandler | _FeedHandler:
        namespace, _, local = name.rpartition(" ")
        if local in _ROOTS:
            self.file.kind = _ROOTS[local]
            if namespace != SITEMAP:
                given = f"It is {namespace!r}." if namespace else "It has none."
                self.file.add_issue("namespace", given, self.line)
            return _UrlsetHandler(self, namespace)
        if local in ("rss", "RDF", "feed"):
            self.file.kind = "feed"
            return _FeedHandler(self)
        return self.stop("not-a-sitemap", f"Its root element is <{local[:60]}>.")


def _parts(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), _FED):
            yield piece[start : start + _FED]


class _UrlsetHandler:
    """`<urlset>` and `<sitemapindex>`."""

    def __init__(self, reader: XmlReader, namespace: str) -> None:
        self.reader, self.file = reader, reader.file
        self.prefixes = (f"{namespace} " if namespace else "", f"{SITEMAP} ")
        self.entry = "sitemap" if self.file.is_index else "url"
        self.element = UrlElement("", 0)
        self.alternates: list[Alternate] = []
        self.images: list[str] = []
        self.extensions: set[str] = set()
        self.values: dict[str, str] = {}
        """The first text of each local name in the element of an extension."""

        self.locs = 0
        self.unknown_names: set[str] = set()
        self.unknown_count = 0

    def start(self, depth: int, name: str, attributes: dict[str, str]) -> None:
        if depth == _ENTRY and self._protocol_name(name) == self.entry:
            self._begin()
        elif depth == _FIELD and name == f"{_XHTML} link":
            self._add_alternate(attributes)
            return
        elif depth <= _FIELD and name != f"{_IMAGE} image":
            self._check_name(depth, name)
        if depth == _FIELD:
            self.values.clear()
        if attributes and self._protocol_name(name):
            self._add_unknown(next(iter(attributes)), "attribute")

    def end(self, depth: int, name: str, text: str) -> None:
        own = self._protocol_name(name)
        if depth == _ENTRY and own == self.entry:
            self._finish()
        elif depth == _FIELD and own == "loc":
            self.locs += 1
            self.element.loc = self.element.loc or text
        elif depth == _FIELD and own in _FIELDS:
            if len(text) > _SHORT:
                self.reader.keep(0, text)
            setattr(self.element, own, _shared(text))
        elif depth >= _INNER and text:
            local = name.rpartition(" ")[2]
            if local in _PARTS or len(self.values) < _MOST_VALUES:
                self.values.setdefault(local, text)
            if name == f"{_IMAGE} loc":
                self.reader.keep(VALUE_COST, text)
                self.images.append(text)
        elif depth == _FIELD:
            self._check_parts(name)

    def _check_parts(self, name: str) -> None:
        """Check that the element of an extension has all that it must."""
        what = name.rpartition(" ")[2]
        missing = [
            part
            for part in _REQUIRED.get(name, ())
            if self.values.keys().isdisjoint(part.split("|"))
        ]
        if missing:
            detail = f"Its {what} has no {', '.join(missing).replace('|', ' or ')}."
            self.file.add_issue("incomplete-extension", detail, self.reader.line, self.element.loc)
        judge = _JUDGES.get(name)
        for detail in judge(self.values) if judge else ():
            self.file.add_issue("bad-extension", detail, self.reader.line, self.element.loc)

    def _protocol_name(self, name: str) -> str:
        """Return the local name of an element of the protocol, or "" for one of another."""
        namespace, separator, local = name.rpartition(" ")
        return local if namespace + separator in self.prefixes else ""

    def _begin(self) -> None:
        if len(self.file.elements) >= MAX_ELEMENTS:
            self.reader.stop(*TOO_MANY)
        line = self.reader.line
        line = _LINES.setdefault(line, line) if line < _MOST_LINES else line
        self.element, self.locs = UrlElement("", line), 0
        self.alternates, self.images, self.extensions = [], [], set()

    def _finish(self) -> None:
        if self.locs != 1 or not self.element.loc:
            detail = f"It has {self.locs}." if self.locs != 1 else "It is empty."
            self.file.add_issue("no-loc", detail, self.element.line, self.element.loc)
        element = self.element
        if element.loc:
            self.reader.keep(ENTRY_COST, element.loc)
            element.alternates, element.images = self.alternates or (), self.images or ()
            element.extensions = self.extensions or element.extensions
            self.file.elements.append(element)

    def _check_name(self, depth: int, name: str) -> None:
        namespace, _, local = name.rpartition(" ")
        known = self._protocol_name(name)
        if known:
            fields = _FIELDS if self.entry == "url" else ("loc", "lastmod")
            if depth == _ENTRY or known not in fields:
                self._add_unknown(local, "element")
        elif depth == _FIELD and namespace not in self.extensions:
            self.reader.keep(VALUE_COST, namespace)
            self.extensions.add(sys.intern(namespace))

    def _add_alternate(self, attributes: dict[str, str]) -> None:
        if attributes.get("rel", "").lower() == "alternate" and "hreflang" in attributes:
            code = sys.intern(attributes["hreflang"].strip()[:100])
            href = attributes.get("href", "").strip()[:MAX_TEXT]
            self.reader.keep(VALUE_COST, href)
            self.alternates.append(Alternate(code, href))

    def _add_unknown(self, name: str, what: str) -> None:
        name = name[:60]
        if name not in self.unknown_names and len(self.unknown_names) < MAX_ISSUES:
            self.unknown_names.add(name)
            detail = f"It is the {what} {name!r}."
            where = f"{self.file.url} {name}"
            self.file.add_issue("unknown-element", detail, self.reader.line, where)
        self.unknown_count += 1
        if self.unknown_count > _MAX_UNKNOWN:
            self.reader.stop("unknown-element", f"There are more than {_MAX_UNKNOWN:,} of them.")


class _FeedHandler:
    """RSS 0.9 to 2.0 and Atom, as far as a sitemap goes: links and dates (rules FD1, FD2)."""

    def __init__(self, reader: XmlReader) -> None:
        self.reader, self.file = reader, reader.file
        self.element: UrlElement | None = None

    def start(self, _depth: int, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local in ("item", "entry") and self.element is None:
            self.element = UrlElement("", self.reader.line)
        elif local == "link" and self.element and attributes.get("rel", "alternate") == "alternate":
            self.element.loc = self.element.loc or attributes.get("href", "").strip()[:MAX_TEXT]

    def end(self, _depth: int, name: str, text: str) -> None:
        local = name.rpartition(" ")[2]
        if self.element is None:
            return
        if local == "link":
            self.element.loc = self.element.loc or text
        elif local == "updated":
            self.element.lastmod = text
        elif local == "pubDate":
            self.element.lastmod = _from_rfc822(text)
        elif local in ("item", "entry"):
            if self.element.loc:
                if len(self.file.elements) >= MAX_ELEMENTS:
                    self.reader.stop(*TOO_MANY)
                self.reader.keep(ENTRY_COST, self.element.loc, self.element.lastmod or "")
                self.file.elements.append(self.element)
            self.element = None


def _from_rfc822(text: str) -> str | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - 10 ms, and only for feeds

    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, OverflowError):  # a zone of very many hours
        return None
