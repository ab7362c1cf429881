"""Bytes to a SitemapFile: XML, text, RSS and Atom, packed or not.

The bytes are untrusted: the unpacked size is bounded, only plain encodings are decoded, and
whatever is wrong becomes an issue with its line. What was read before an error is kept.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from io import BytesIO

from sitemapkit.options import MAX_BYTES, MAX_URLS
from sitemapkit_tools.sitemaps.sitemap_file import MAX_ELEMENTS, MAX_TEXT, SitemapFile, UrlElement
from sitemapkit_tools.sitemaps.xml import XmlReader

MAX_FILE = MAX_BYTES + 1_048_576
"""Unpacked bytes that are read of one file, a little more than the protocol allows."""

_BEGINNING = 4_096
_OURS = re.compile(rb"<!-- sitemapkit(?:: part of \S+)? -->")
"""The comment with which the core marks its files."""

_HTML = re.compile(rb"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)


def read_sitemap(data: bytes, file: SitemapFile | None = None) -> SitemapFile:
    """Read a sitemap of any kind into `file`, or a new one; never raises for what is in it."""
    file = file or SitemapFile()
    unpacked = _unpack(data, file)
    file.size = len(unpacked)
    if len(unpacked) > MAX_BYTES:
        over = " or more" if len(unpacked) > MAX_FILE else ""
        file.add_issue("too-large", f"It has {len(unpacked):,} bytes{over}.")
    if not file.complete:
        return file
    text = _to_utf8(unpacked[:MAX_FILE], file)
    file.is_ours = _OURS.search(text[:_BEGINNING]) is not None
    if _HTML.match(text):
        file.stop("not-a-sitemap", "It is an HTML page.", 1)
    elif text.lstrip()[:1] == b"<":
        XmlReader(file).read(text)
    else:
        _read_lines(text, file)
    _check_count(file)
    return file


def gunzip(data: bytes, limit: int = MAX_FILE) -> bytes:
    """Return at most `limit` + 1 unpacked bytes of a gzip file of one or more members.

    Raises ValueError, which says how it is damaged; what follows the last member is ignored.
    """
    parts: list[bytes] = []
    place, room = 0, limit + 1
    for _ in range(_MOST_MEMBERS):
        if room <= 0 or data[place : place + 2] != _GZIP:
            break
        place, room = _member(data, place, room, parts)
    if not parts:
        raise ValueError("it is not gzip")
    return b"".join(parts)


_GZIP = b"\x1f\x8b"
_MOST_MEMBERS = 1_000
_PIECE = 65_536


def _member(data: bytes, place: int, room: int, parts: list[bytes]) -> tuple[int, int]:
    """Unpack a member from `place` on; return where the next one begins, and the room left."""
    member = zlib.decompressobj(wbits=31)
    while not member.eof and room > 0:
        piece = member.unconsumed_tail or data[place : place + _PIECE]
        if not piece:
            raise ValueError("it ends too early")
        place += 0 if member.unconsumed_tail else len(piece)
        try:
            parts.append(member.decompress(piece, room))
        except zlib.error as error:
            raise ValueError(str(error)) from error
        room -= len(parts[-1])
    return place - len(member.unused_data), room


def _unpack(data: bytes, file: SitemapFile) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        return gunzip(data)
    except ValueError as error:
        file.stop("gzip-broken", f"{str(error).capitalize()}.")
        return b""


_DECLARATION = re.compile(r"\s*(<\?xml\s[^>]{0,400}>)", re.ASCII)
_DECLARED_ENCODING = re.compile(r"\sencoding\s*=\s*[\"']([\w.-]+)[\"']", re.ASCII)
_ENCODINGS = re.compile(
    r"(?:iso[-_]?8859|windows-12|cp12|utf-?16|euc|shift_jis|gb|big5|koi8|latin)[\w-]*",
    re.IGNORECASE,
)
"""Encodings read beside UTF-8; some of Python's codecs (punycode, ...) may take for ever."""


def _to_utf8(data: bytes, file: SitemapFile) -> bytes:
    """Return the file as UTF-8 without BOM and XML declaration; any other encoding is an issue."""
    encoding = _encoding(data)
    if encoding not in ("utf-8", "utf8", "us-ascii"):
        file.add_issue("encoding", f"It is in {encoding}.", 1)
        encoding = encoding if _ENCODINGS.fullmatch(encoding) else "utf-8"
    text = _decode(data.removeprefix(BOM_UTF8), encoding, file)
    if found := _DECLARATION.match(text):
        if found.start(1):
            file.add_issue("broken-xml", "There is white space before the XML declaration.", 1)
        text = text[: found.start(1)] + text[found.end(1) :]
    return text.encode("utf-8", "replace")


def _encoding(data: bytes) -> str:
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    if data[:4] in (b"<\0?\0", b"<\0u\0", b"<\0s\0"):
        return "utf-16-le"
    if data[:4] in (b"\0<\0?", b"\0<\0u", b"\0<\0s"):
        return "utf-16-be"
    found = _DECLARATION.match(data[:1024].removeprefix(BOM_UTF8).decode("ascii", "replace"))
    declared = found and _DECLARED_ENCODING.search(found[1])
    return declared[1].lower() if declared else "utf-8"


def _decode(data: bytes, encoding: str, file: SitemapFile) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        file.add_issue("encoding", f"It cannot be read as {encoding}: {error.reason}.", line)
        return data.decode(encoding, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _read_lines(text: bytes, file: SitemapFile) -> None:
    """Read a list of URLs, one a line (rule TX1)."""
    first = text.lstrip()[:2_048]
    if not re.match(rb"[A-Za-z][A-Za-z0-9+.-]*://", first):
        file.stop("not-a-sitemap", "It is empty." if not first else "It is not XML.", 1)
        return
    file.kind = "text"
    for number, line in enumerate(BytesIO(text), 1):
        if loc := line.strip():
            if len(file.elements) >= MAX_ELEMENTS:
                file.stop("too-many-urls", f"Only {MAX_ELEMENTS:,} were read.", number)
                return
            file.elements.append(UrlElement(loc[:MAX_TEXT].decode("utf-8", "replace"), number))


def _check_count(file: SitemapFile) -> None:
    count = len(file.elements)
    if MAX_URLS < count < MAX_ELEMENTS:
        file.add_issue("too-many-urls", f"It lists {count:,}.")
    if not count and file.complete and file.kind in ("urlset", "index") and not file.is_for_news:
        file.add_issue("empty-sitemap", "It has no entry.")
