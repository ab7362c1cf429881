"""Facts read from a rendered page: may it be indexed, and is it the real one.

Only the head is read and parsed, so a page costs tens of microseconds whatever its size. HTML is
hostile input: the parser is a browser-grade one that never raises on markup, and it gets no more
than bounds its time, for it takes quadratic time for some kinds of nonsense.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, AnyStr

from sitemapkit.model import Head

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selectolax.lexbor import LexborHTMLParser

    from sitemapkit.model import FilePath

HTML_SUFFIXES = (".html", ".htm", ".xhtml", "")
"""How the names of HTML files end, the usual first; some sites write files without any suffix."""

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_FIRST_READ = 8 * 1024
_NEXT_READ = 64 * 1024
_LONGEST_HEAD = 512 * 1024
_LONGEST_PARSED = 64 * 1024
_HEAD_ENDS = re.compile(rb">\s*+(?=</head\b|<body\b)", re.IGNORECASE)
_ORDINARY = re.compile(
    rb"""(?:\s++|<title>[^<]*</title>
      |<(?!link[ ]rel="canonical")(?:!doctype|html|head|meta|link|base)\b[^<>]*>)*+
    <link[ ]rel="canonical"[ ]href="(?P<href>[^"&\s]+)"[ ]?/?>""",
    re.IGNORECASE | re.VERBOSE,
)
_LANG = re.compile(r"<html\b[^>]*?\s(?:xml:)?lang\s*=\s*[\"']?\s*([a-z][\w-]*)", re.IGNORECASE)
_BEFORE_HEAD = 1024
_CODE = re.compile(rb"<(script|style)\b")
_FORBIDS = re.compile(rb"no(?:ne|index)")
_ENGINE = re.compile(rb"bots?\b|slurp|yandex|baidu|yeti")

ENGINES = frozenset(
    {
        *("robots", "googlebot", "bingbot", "msnbot", "slurp", "duckduckbot", "baiduspider"),
        *("yandex", "yandexbot", "seznambot", "naverbot", "yeti", "applebot", "petalbot"),
    }
)
"""Names of `<meta>` elements that tell all search engines, or one of them, what to do."""


NOTHING = Head()

EMPTY = Head()
"""What the head of an empty file says: nothing too, but there is no page to be found."""


def is_html(file: FilePath) -> bool:
    """Tell by the name of a file whether it is HTML."""
    name = os.fspath(file)
    if name.endswith(".html"):
        return True
    return os.path.splitext(name)[1].lower() in HTML_SUFFIXES  # noqa: PTH122 - it is text


def read_head(file: FilePath) -> Head:
    """Read the facts of the HTML file's head. Raises OSError if the file cannot be read."""
    descriptor = os.open(file, _READ)  # a file object costs as much as all the rest
    try:
        data = os.read(descriptor, _FIRST_READ)
        if len(data) == _FIRST_READ:
            data = _with_whole_head(data, descriptor)
    finally:
        os.close(descriptor)
    return EMPTY if not data or data.isspace() else parse_head(data)


def _with_whole_head(data: bytes, descriptor: int) -> bytes:
    """Read on until the head ends, but not for ever."""
    while not _HEAD_ENDS.search(data) and len(data) < _LONGEST_HEAD:
        more = os.read(descriptor, _NEXT_READ)
        if not more:
            break
        data += more
    return data


def parse_head(html: bytes | str) -> Head:
    """Return the facts of the head of a page's HTML; the rest of the page is not looked at."""
    head = head_of(html.encode("utf-8", "replace") if isinstance(html, str) else html)
    lower = head.lower()  # all that we look for has one of a few words
    canonicals = lower.count(b"canonical")
    says_more = b"refresh" in lower or _may_forbid(lower)
    if not (canonicals or says_more):
        return NOTHING
    ordinary = _ORDINARY.match(head) if canonicals == 1 and not says_more else None
    if ordinary:  # ten times as fast as a parser
        return Head(canonical=ordinary["href"].decode("utf-8", "replace"))
    return _parsed(head)


def head_text(html: str) -> str:
    """Return the beginning of a page's HTML, the head and what little may belong to it."""
    end = _end_of_head(html, "</head>", ">")
    return html[: end + len("</head>") if end >= 0 else _LONGEST_HEAD]


def stated_lang(html: str) -> str | None:
    """Return the language that the `<html>` element states, as written."""
    found = _LANG.search(html, 0, _BEFORE_HEAD)
    return found[1] if found else None


def parse_html(html: bytes | str) -> LexborHTMLParser:
    """Return the tree of a document or of a part of one."""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - most builds need no parser

    return LexborHTMLParser(html)


def _may_forbid(lower: bytes) -> bool:
    """Tell whether the words are there with which a head tells an engine to stay away."""
    by_number = b"&" in lower and b"&#" in lower  # any letter may be written so
    says = by_number or _FORBIDS.search(lower) is not None
    return says and _ENGINE.search(lower) is not None


def _parsed(head: bytes) -> Head:
    elements = parse_html(head).css("head meta, head link")
    return facts((element.tag or "", element.attributes) for element in elements)


def head_of(html: bytes) -> bytes:
    """Return the head of a page's HTML, and no more of it than can be parsed in bounded time."""
    end = _end_of_head(html, b"</head>", b">")
    if end < 0:
        found = _HEAD_ENDS.search(html, 0, _LONGEST_HEAD)
        end = found.end() if found else _LONGEST_HEAD
    head = html[:end]
    return head if len(head) <= _LONGEST_PARSED else without_code(head)[:_LONGEST_PARSED]


def _end_of_head(html: AnyStr, tag: AnyStr, bracket: AnyStr) -> int:
    """Return where the tag is that ends the head, or -1; descriptions and scripts may name it.

    There it follows a word, and where it ends the head, another tag.
    """
    end = html.find(tag, 0, _LONGEST_HEAD)
    while end >= 0 and html[html.rfind(bracket, 0, end) + 1 : end].strip():
        end = html.find(tag, end + 1, _LONGEST_HEAD)
    return end


def without_code(head: bytes) -> bytes:
    """Cut out scripts and styles; an unclosed one reaches to the end."""
    parts: list[bytes] = []
    lower, start = head.lower(), 0
    while opened := _CODE.search(lower, start):
        parts.append(head[start : opened.start()])
        closed = lower.find(b"</" + opened[1], opened.end())
        start = (lower.find(b">", closed) + 1 if closed >= 0 else 0) or len(head)
    return b"".join([*parts, head[start:]])


def facts(elements: Iterable[tuple[str, Mapping[str, str | None]]]) -> Head:
    """Return what the `<meta>` and `<link>` elements of a head say, given as (tag, attributes)."""
    noindex, canonical, refresh = False, None, None
    for tag, attributes in elements:
        content = attributes.get("content") or ""
        if tag == "link":
            if canonical is None and "canonical" in _words(attributes.get("rel")):
                canonical = attributes.get("href") or None
        elif (attributes.get("name") or "").strip().lower() in ENGINES:
            noindex = noindex or says_noindex(content)
        elif (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            refresh = refresh or _refresh_target(content)
    return Head(noindex, canonical, refresh)


def says_noindex(content: str) -> bool:
    """Tell whether the content of a robots meta element forbids indexing, in any spelling."""
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,;]+", content.strip().lower()))


def _words(value: str | None) -> list[str]:
    return (value or "").lower().split()


def _refresh_target(content: str) -> str | None:
    """`5; url=/new/` leads to `/new/`; a plain number only reloads the page (HTML, 4.2.5.3)."""
    rest = re.sub(r"^[^;,]*[;,]?", "", content)
    target = re.sub(r"^\s*url\s*=\s*", "", rest, flags=re.IGNORECASE).strip().strip("'\"")
    return target or None
