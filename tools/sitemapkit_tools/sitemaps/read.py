"""Bytes to what a sitemap says: XML, text, RSS and Atom, packed or not, from whoever wrote it.

What is read is hostile until proved harmless: the unpacked size is bounded, only plain encodings
are decoded, and whatever is wrong becomes a flaw with the line it stands on. What was read before
a flaw is kept.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from io import BytesIO

from sitemapkit.options import MAX_BYTES, MAX_URLS
from sitemapkit_tools.sitemaps.sitemap_file import MAX_KEPT, MAX_TEXT, Listing, Sitemap
from sitemapkit_tools.sitemaps.xml import XmlReader

MAX_FILE = MAX_BYTES + 1_048_576
"""Unpacked bytes that are read of one file; beyond the protocol's limit nothing is of use."""


_HTML = re.compile(rb"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)


def read_sitemap(data: bytes) -> Sitemap:
    """Return what the file says, whatever it is; never raises on what is in it."""
    sitemap = Sitemap()
    unpacked = _unpacked(data, sitemap)
    sitemap.size = len(unpacked)
    if len(unpacked) > MAX_BYTES:
        over = " or more" if len(unpacked) > MAX_FILE else ""
        sitemap.flaw("too-large", None, f"It has {len(unpacked):,} bytes{over}.")
    if not sitemap.whole:
        return sitemap
    text = _utf8(unpacked[:MAX_FILE], sitemap)
    if _HTML.match(text):
        sitemap.stop("not-a-sitemap", 1, "It is an HTML page.")
    elif text.lstrip()[:1] == b"<":
        XmlReader(sitemap).read(text)
    else:
        _read_lines(text, sitemap)
    _count(sitemap)
    return sitemap


def gunzip(data: bytes, limit: int = MAX_FILE) -> bytes:
    """Return at most `limit` + 1 unpacked bytes of a gzip file of one or more members.

    Raises ValueError if it is damaged, and says how; what follows the last member is ignored.
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


def _unpacked(data: bytes, sitemap: Sitemap) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        return gunzip(data)
    except ValueError as error:
        sitemap.stop("gzip-broken", None, f"{str(error).capitalize()}.")
        return b""


_DECLARATION = re.compile(r"\s*(<\?xml\s[^>]{0,400}>)", re.ASCII)
_DECLARED_ENCODING = re.compile(r"\sencoding\s*=\s*[\"']([\w.-]+)[\"']", re.ASCII)
_ENCODINGS = re.compile(
    r"(?:iso[-_]?8859|windows-12|cp12|utf-?16|euc|shift_jis|gb|big5|koi8|latin)[\w-]*",
    re.IGNORECASE,
)
"""What is decoded beside UTF-8; other codecs of Python's (punycode, ...) may take for ever."""


def _utf8(data: bytes, sitemap: Sitemap) -> bytes:
    """Return the file as UTF-8 without BOM and XML declaration; any other encoding is a flaw."""
    encoding = _encoding(data)
    if encoding not in ("utf-8", "utf8", "us-ascii"):
        sitemap.flaw("encoding", 1, f"It is in {encoding}.")
        encoding = encoding if _ENCODINGS.fullmatch(encoding) else "utf-8"
    text = _decoded(data.removeprefix(BOM_UTF8), encoding, sitemap)
    if found := _DECLARATION.match(text):
        if found.start(1):
            sitemap.flaw("broken-xml", 1, "White space stands before the XML declaration.")
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


def _decoded(data: bytes, encoding: str, sitemap: Sitemap) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        sitemap.flaw("encoding", line, f"It cannot be read as {encoding}: {error.reason}.")
        return data.decode(encoding, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _read_lines(text: bytes, sitemap: Sitemap) -> None:
    """Read a list of URLs, one a line (rule TX1)."""
    first = text.lstrip()[:2_048]
    if not re.match(rb"[A-Za-z][A-Za-z0-9+.-]*://", first):
        sitemap.stop("not-a-sitemap", 1, "It is empty." if not first else "It is no XML.")
        return
    sitemap.kind = "text"
    for number, line in enumerate(BytesIO(text), 1):
        if loc := line.strip():
            if len(sitemap.listings) >= MAX_KEPT:
                sitemap.stop("too-many-urls", number, f"Only {MAX_KEPT:,} were read.")
                return
            sitemap.listings.append(Listing(loc[:MAX_TEXT].decode("utf-8", "replace"), number))


def _count(sitemap: Sitemap) -> None:
    found = len(sitemap.listings)
    if found > MAX_URLS and found < MAX_KEPT:
        sitemap.flaw("too-many-urls", None, f"It lists {found:,}.")
    if not found and sitemap.whole and sitemap.kind in ("urlset", "index"):
        sitemap.flaw("empty-sitemap", None, "It has no entry.")
