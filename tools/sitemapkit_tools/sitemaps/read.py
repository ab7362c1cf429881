"""Bytes to a SitemapFile: XML, text, RSS and Atom, packed or not.

The bytes are untrusted: the unpacked size is bounded, only plain encodings are decoded, and
whatever is wrong becomes an issue with its line. What was read before an error is kept.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from itertools import chain
from typing import TYPE_CHECKING

from sitemapkit.layout import word_in
from sitemapkit.options import MAX_BYTES, MAX_URLS
from sitemapkit_tools.bounds import MAX_ELEMENTS, MAX_FILE, MAX_TEXT
from sitemapkit_tools.sitemaps.sitemap_file import ENTRY_COST, SitemapFile, UrlElement
from sitemapkit_tools.sitemaps.xml import NO_ROOM, TOO_MANY, XmlReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PIECE = 65_536
"""Bytes that are unpacked, decoded and parsed at a time; nothing keeps the whole text."""

_BEGINNING = 4_096
_PART = re.compile(r"<!-- sitemapkit: part of \S+ -->")
"""The comment in the files of a sitemap of ours, apart from the one to start from."""

_HTML = re.compile(rb"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)


def read_sitemap(
    data: bytes, file: SitemapFile, on_piece: Callable[[], object] = lambda: None
) -> SitemapFile:
    """Read a sitemap of any kind into `file`; never raises for what is in it.

    `on_piece` is called before each 64 KiB, and may raise to end the reading.
    """
    pieces = _to_utf8(_unpacked(data, file, on_piece), file)
    first = next(pieces, b"")
    beginning = first[:_BEGINNING].decode("utf-8", "replace")
    word = word_in(beginning)
    file.is_ours = word is not None or _PART.search(beginning) is not None
    file.selected_by = word or ""
    whole = chain([first], pieces)
    if _HTML.match(first):
        file.stop("not-a-sitemap", "It is an HTML page.", 1)
    elif first.lstrip()[:1] == b"<":
        XmlReader(file).read(whole)
    elif first or file.complete:
        _read_lines(first, whole, file)
    for _ in pieces:  # only its size counts
        pass
    _check_size(file)
    return file


def gunzip(data: bytes, limit: int) -> bytes:
    """Return at most `limit` + 1 unpacked bytes of a gzip file of one or more members.

    Raises ValueError, which says how it is damaged; what follows the last member is ignored.
    """
    return b"".join(_members(data, limit + 1))


GZIP = b"\x1f\x8b"
_MOST_MEMBERS = 1_000


def _members(data: bytes, room: int) -> Iterator[bytes]:
    """Yield at most `room` bytes of all members, in pieces."""
    place = 0
    for _ in range(_MOST_MEMBERS):
        if data[place : place + 2] != GZIP:
            break
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            if not room:
                return
            packed = member.unconsumed_tail or data[place : place + _PIECE]
            place += 0 if member.unconsumed_tail else len(packed)
            try:
                piece = member.decompress(packed, min(room, _PIECE))
            except zlib.error as error:
                raise ValueError(str(error)) from error
            if not (packed or piece):
                raise ValueError("it ends too early")
            room -= len(piece)
            yield piece
        place -= len(member.unused_data)
    if not place:
        raise ValueError("it is not gzip")


def _unpacked(data: bytes, file: SitemapFile, on_piece: Callable[[], object]) -> Iterator[bytes]:
    packed = data.startswith(GZIP)
    plain = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    try:
        for piece in _members(data, MAX_FILE + 1) if packed else plain:
            on_piece()
            file.size += len(piece)
            yield piece
    except ValueError as error:
        file.stop("gzip-broken", f"{str(error).capitalize()}.")


_DECLARATION = re.compile(r"\s*(<\?xml\s[^>]{0,400}>)", re.ASCII)
_DECLARED_ENCODING = re.compile(r"\sencoding\s*=\s*[\"']([\w.-]+)[\"']", re.ASCII)
_ENCODINGS = re.compile(
    r"(?:iso[-_]?8859|windows-12|cp12|utf-?16|euc|shift_jis|gb|big5|koi8|latin)[\w-]*",
    re.IGNORECASE,
)
"""Encodings read besides UTF-8; some of Python's codecs (punycode, ...) may take for ever."""


def _to_utf8(pieces: Iterator[bytes], file: SitemapFile) -> Iterator[bytes]:
    """Yield the file as UTF-8 without BOM and XML declaration; any other encoding is an issue.

    The first piece is long enough to tell what the file is.
    """
    first = b""
    for piece in pieces:
        first += piece
        if len(first) >= _PIECE:
            break
    encoding = _encoding(first)
    if encoding not in ("utf-8", "utf8", "us-ascii"):
        file.add_issue("encoding", f"It is in {encoding}.", 1)
        encoding = encoding if _ENCODINGS.fullmatch(encoding) else "utf-8"
    texts = _decoded(chain([first.removeprefix(BOM_UTF8)], pieces), encoding, file)
    text = next(texts)
    if found := _DECLARATION.match(text):
        if found.start(1):
            file.add_issue("broken-xml", "There is white space before the XML declaration.", 1)
        text = text[: found.start(1)] + text[found.end(1) :]
    for each in chain([text], texts):
        yield each.encode()


def _encoding(data: bytes) -> str:
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    if data[:4] in (b"<\0?\0", b"<\0u\0", b"<\0s\0"):
        return "utf-16-le"
    if data[:4] in (b"\0<\0?", b"\0<\0u", b"\0<\0s"):
        return "utf-16-be"
    found = _DECLARATION.match(data[:1024].removeprefix(BOM_UTF8).decode("ascii", "replace"))
    declared = found and _DECLARED_ENCODING.search(found[1])
    encoding = declared[1].lower() if declared else "utf-8"
    if encoding.startswith(("utf-16", "utf16")):  # else its declaration could not be read
        return f"UTF-8, but declares {encoding}"
    return encoding


def _decoded(pieces: Iterable[bytes], encoding: str, file: SitemapFile) -> Iterator[str]:
    """Yield the text of each piece; the first byte that is none in this encoding is an issue."""
    try:
        decoder = getincrementaldecoder(encoding)()
    except LookupError:
        decoder = getincrementaldecoder("utf-8")("replace")
    line = 1
    for piece, final in chain(((piece, False) for piece in pieces), [(b"", True)]):
        try:
            text = decoder.decode(piece, final)
        except UnicodeDecodeError as error:
            found = line + piece.count(b"\n", 0, error.start)
            file.add_issue("encoding", f"It cannot be read as {encoding}: {error.reason}.", found)
            decoder.errors = "replace"
            text = decoder.decode(piece, final)
        line += piece.count(b"\n")
        yield text


def _read_lines(first: bytes, pieces: Iterable[bytes], file: SitemapFile) -> None:
    """Read a list of URLs, one a line (rule TX1)."""
    if not re.match(rb"\s*[A-Za-z][A-Za-z0-9+.-]{0,40}://", first):
        file.stop("not-a-sitemap", _what_else(first), 1)
        return
    file.kind = "text"
    for number, line in enumerate(_lines(pieces), 1):
        if loc := line[:MAX_TEXT].decode(errors="replace"):
            if len(file.elements) >= MAX_ELEMENTS:
                file.stop(*TOO_MANY, number)
                return
            if not file.keep(ENTRY_COST, loc):
                file.stop(*NO_ROOM, number)
                return
            file.elements.append(UrlElement(loc, number))


def _what_else(first: bytes) -> str:
    """Return what a file is, of which this is the beginning, that is no sitemap."""
    if first.lstrip().startswith(b"---"):
        return "It begins with front matter, as a template does; check the file that it makes."
    return "It is not XML." if first.strip() else "It is empty."


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines without white space around them; of a long one only its beginning."""
    rest = b""
    for piece in chain(pieces, [b"\n"]):
        *lines, rest = (rest.lstrip()[:MAX_TEXT] + piece).split(b"\n")
        yield from (line.strip() for line in lines)


def _check_size(file: SitemapFile) -> None:
    if file.size > MAX_BYTES:
        over = " or more" if file.size > MAX_FILE else ""
        file.add_issue("too-large", f"It has {file.size:,} bytes{over}.")
    count = len(file.elements)
    if MAX_URLS < count < MAX_ELEMENTS:
        file.add_issue("too-many-urls", f"It lists {count:,}.")
    if not count and file.complete and file.kind in ("urlset", "index") and not file.is_for_news:
        file.add_issue("empty-sitemap", "It has no entry.")
