"""The reader of what HTML pages say to browsers and search engines, for builds and tools.

The parser decides what is an element, and what the head is. It gets the part of a page that can
hold the elements that count: a search says that none begins in the rest, and the parser confirms
that the cut is between two elements. HTML is untrusted input: size is limited, and reading takes
linear time.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from sitemapkit.model import Head
from sitemapkit.urls import HTML_SUFFIXES
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selectolax.lexbor import LexborHTMLParser

    from sitemapkit.model import FilePath

    Attributes = Mapping[str, str]
    """The attributes of an element by lower-case name, "" for no value; the first one counts."""

LONGEST_PAGE = 2 * 1024 * 1024
"""Bytes that are read of a page: what Googlebot reads of one."""

# The bounds of pages that are parsed: at most about a second, and 400 MiB.
_LONGEST_TRUSTED, _MOST_TRUSTED, _MOST_FORMATTING = 128 * 1024, 8_000, 64
_MOST_STEPS, _MOST_COPIES, _FEW_COPIED, _LONGEST_TAG = 200_000_000, 1_000_000, 8, 32 * 1024

# `re` compiles a pattern when it is first used, and keeps it: few pages need all of them.
# Before Python 3.11.5, a possessive group that fails midway keeps what it had matched until then
# (gh-106052). So the last alternative of each such group fails at its first character, or after
# white space that may be skipped.
_COPIED = frozenset(
    ("b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u")
)
_FORMATTING = rb"(?i)<(?:%b)[\s/]" % "|".join(_COPIED).encode()
_UNCLOSED = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
        *("track", "wbr", "body", "dd", "dt", "head", "html", "li", "optgroup", "option", "p"),
        *("rp", "rt", "tbody", "td", "tfoot", "th", "thead", "tr"),
    )
)
_SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use")
_MARKUP = rb"<[^<>]*>"
_CODE = rb"(?i)<(script|style)\b(?:<(?!/\1)|[^<]++)*+(?:</\1[^>]*+>?)?"

# HTML's rules for tokens (13.2.5); an unclosed token extends to the end of the text.
_ATTRIBUTE = r"""([^\s/>][^\s/>=]*+)
    (?:\s*+=\s*+(?:"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^\s"'>][^\s>]*+))?+)?+"""
_TOKENS = rf"""(?aix)<(?:
      (?:(?P<holder>title|textarea|script|style|noscript|iframe|noframes|noembed|xmp)(?=[\s/>])
        |(?P<closing>/?)(?P<name>[a-z][^\s/>]*+))
      (?:[\s/]++|{_ATTRIBUTE})*+(?P<closed>>)?+
      (?(holder)(?P<text>(?:<(?!/(?P=holder)[\s/>])|[^<]++)*+))
    | !--(?:-?>|(?:-(?!-!?>)|[^-]++)*+)
    | (?:[!?]|/[^a-z>])[^>]*+
    )"""
_GROUPS = ("closed", "closing", "holder", "name", "text")
_ATTRIBUTES = f"(?ax){_ATTRIBUTE}"

_BODY = rb"(?i)<body[\s/>]"
_TELLING = rb"(?i)<(?:html|meta)[\s/>]"
"""Begins what may say something in a body, if the next pattern matches there as well."""

_LETTER = rb"&#(?:0|x0*[4-7]|(?:[6-9]|1[0-2])[0-9](?![0-9]))"
_SIGN = rb"(?i)<html[\s/>]|http-equiv|bots?\b|slurp|yandex|baidu|yeti|%b" % _LETTER

_NOSCRIPT = rb"(?i)<(/?)noscript(?=[\s/>])"
_AS_TEXT = "noFraMes"
"""The parser runs no scripts. For all who do, `<noscript>` holds text, as `<noframes>` does for
everybody. No page spells that name so, and what is in attributes keeps its spelling."""

_REFRESH = r"""(?is)[0-9.]+(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))"""

ENGINES = frozenset(
    {
        *("robots", "googlebot", "bingbot", "msnbot", "slurp", "duckduckbot", "baiduspider"),
        *("yandex", "yandexbot", "seznambot", "naverbot", "yeti", "applebot", "petalbot"),
    }
)
"""Names of `<meta>` elements with rules for all search engines, or for one."""


NOTHING = Head()

EMPTY = Head()
"""The head of an empty file, which is not a page."""


def is_html(file: FilePath) -> bool:
    """Return whether a file is HTML, according to its name; a name without a suffix is."""
    name = os.fspath(file)
    return name.endswith(".html") or os.path.splitext(name)[1].lower() in ("", *HTML_SUFFIXES)  # noqa: PTH122


def read_page(file: FilePath) -> bytes:
    """Return the HTML of a file, as far as search engines read it. Raises OSError."""
    return read_file(file, LONGEST_PAGE, cut=True)


def read_head(file: FilePath) -> Head:
    """Read what an HTML file says to search engines. Raises OSError if it cannot be read."""
    data = read_page(file)
    return EMPTY if not data or data.isspace() else parse_head(data)


def parse_head(html: bytes | str) -> Head:
    """Return what a page's HTML says to search engines."""
    return Stated(html).to_engines()


def stated_lang(html: bytes | str) -> str | None:
    """Return the language in the `<html>` element of a page, as written."""
    return Stated(html).lang


class Stated:
    """What the HTML of a page says of itself: the elements in its head, and a few others."""

    def __init__(self, html: bytes | str) -> None:
        """Parse the part of the page that says something."""
        self._data = as_utf8(html[:LONGEST_PAGE])
        self._end = _end_of_telling(self._data)
        mark = f"sitemapkit-{self._end}"
        self._parse(f"<{mark}>".encode())
        if not (self._is_bomb or self._tree.css_first(mark)):  # the cut is in a script or tag, say
            self._parse_all()
        self._is_cut = len(html) >= LONGEST_PAGE and self._end == len(self._data)

    def _parse(self, mark: bytes = b"") -> None:
        from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - others here need no parser

        part = re.sub(_NOSCRIPT, rf"<\1{_AS_TEXT}".encode(), self._data[: self._end])
        self._is_bomb = _is_bomb(part)
        self._tree = LexborHTMLParser(b"" if self._is_bomb else part + mark)

    def _parse_all(self) -> None:
        self._end = len(self._data)
        self._parse()

    @property
    def unread(self) -> str:
        """The limit beyond which the page was not read, in words; "" if its head ends before."""
        if self._is_bomb:
            return "It has so many elements in each other that no parser is given it."
        return f"It has more than {LONGEST_PAGE - 1:,} bytes." if self._is_cut else ""

    @cached_property
    def metas(self) -> Sequence[Attributes]:
        """The `<meta>` elements of the head."""
        return self._found("head meta")

    @cached_property
    def links(self) -> Sequence[Attributes]:
        """The `<link>` elements of the head: engines believe no others."""
        return self._found("head link")

    def _found(self, selector: str) -> Sequence[Attributes]:
        found: list[Attributes] = []
        for each in self._tree.css(selector):
            attributes: dict[str, str] = {}
            for name, value in each.attributes.items():
                attributes[name] = _as_written(value or "")
            found.append(attributes)
        return found

    @property
    def lang(self) -> str | None:
        """The language in the `<html>` element, as written."""
        stated = self._found("html")[0]
        return (stated.get("lang") or stated.get("xml:lang") or "").strip() or None

    @property
    def title(self) -> str:
        """The title, in one line."""
        found = self._tree.css_first(_TITLE)
        if not found and re.search(rb"(?i)<title", self._data[self._end :]):
            self._parse_all()
            found = self._tree.css_first(_TITLE)
        return " ".join(_as_written(found.text()).split()) if found else ""

    def texts(self, tag: Literal["script", "noscript"]) -> Sequence[str]:
        """Return what is in these elements of the head."""
        name = _AS_TEXT if tag == "noscript" else tag
        return [each.text() for each in self._tree.css(f"head {name}")]

    def to_engines(self) -> Head:
        """Return what the page says to search engines; of several links the first counts.

        A `<meta>` element hides a page or leads elsewhere wherever it is, as in browsers.
        """
        metas, bases = self._found("meta"), self._found("head base[href]")
        base = bases[0]["href"] if bases else ""
        canonical = second = None
        for link in self._found('head link[rel~="canonical" i]'):
            href = link.get("href")
            target = _from_base(href, base) if href else None
            if canonical is None:
                canonical = target
            elif second is None and target != canonical:
                second = target
        refresh = _refresh(metas)
        return Head(
            noindex=any(map(_hides, metas)),
            canonical=canonical,
            refresh=refresh and _from_base(refresh, base),
            unread=self.unread,
            second_canonical=second,
        )


_TITLE = "title:not(svg title)"


def _end_of_telling(html: bytes) -> int:
    """Return where to cut a page: before its body, if there surely nothing counts any more."""
    body = re.search(_BODY, html)
    if not body:
        return len(html)
    rest = html[body.start() :]
    says_more = re.search(_TELLING, rest) and re.search(_SIGN, rest)
    return len(html) if says_more else body.start()


def _as_written(text: str) -> str:
    return text.replace(_AS_TEXT, "noscript")


def _hides(meta: Attributes) -> bool:
    """Return whether a `<meta>` element forbids indexing."""
    is_for_engines = meta.get("name", "").strip().lower() in ENGINES
    return is_for_engines and says_noindex(meta.get("content", ""))


def says_noindex(content: str) -> bool:
    """Return whether the content of a robots meta element forbids indexing, in any spelling."""
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,;]+", content.strip().lower()))


def _refresh(metas: Sequence[Attributes]) -> str | None:
    """`5; url=/new/` leads to `/new/`; a plain number only reloads the page (HTML, 4.2.5.3)."""
    for meta in metas:
        if meta.get("http-equiv", "").strip().lower() == "refresh":
            found = re.match(_REFRESH, meta.get("content", "").strip())
            target: str | None = found and (found[1] or found[2] or found[3])
            if target:
                return target
    return None


def _from_base(target: str, base: str) -> str:
    """Return a target as seen from the page, whose `<base>` may itself be relative to it."""
    if not base:
        return target
    try:
        is_relative = not urlsplit(target).scheme and target[:1] not in ("/", "?", "#")
        if "//" in base or not is_relative:
            return urljoin(base, target)
    except ValueError:  # an address with a bracket that is not closed
        return target
    return base[: base.rfind("/") + 1] + target


def as_utf8(html: bytes | str) -> bytes:
    """Return HTML as UTF-8; UTF-16 has a byte order mark (HTML, 13.2.3.2), or else many NULs."""
    if isinstance(html, bytes):
        if html.startswith(BOM_UTF16_LE) or html[1:8:2] == _NO_LETTERS:
            html = html.decode("utf-16-le", "replace")
        elif html.startswith(BOM_UTF16_BE) or html[:8:2] == _NO_LETTERS:
            html = html.decode("utf-16-be", "replace")
    data = html if isinstance(html, bytes) else html.encode("utf-8", "replace")
    return data.removeprefix(BOM_UTF8)


_NO_LETTERS = bytes(4)


def parse_html(html: bytes | str) -> LexborHTMLParser:
    """Return the tree of a document or a fragment; of one that is a bomb, only its text."""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - few builds need no parser

    data = as_utf8(html)
    if _is_bomb(data):
        data = re.sub(_MARKUP, b" ", re.sub(_CODE, b"", data)).replace(b"<", b" ")
    return LexborHTMLParser(data)


def _is_bomb(html: bytes) -> bool:
    """Return whether parsing might take quadratic time or memory; what is small cannot."""
    is_small = len(html) <= _LONGEST_TRUSTED and html.count(b"<") <= _MOST_TRUSTED
    if is_small and len(re.findall(_FORMATTING, html)) <= _MOST_FORMATTING:
        return False
    return _is_too_deep(html)


def _is_too_deep(html: bytes) -> bool:
    """Return whether there are too many steps, attributes or copies.

    A parser may look through all open elements for each tag, through the attributes before it for
    each attribute, and copy open formatting for each paragraph. What is uncertain counts.
    """
    text = html.decode("latin-1").lower()
    code = () if "<svg" in text or "<math" in text else ("script", "style")  # there they have tags
    tags = max(text.count("<"), 1)
    deepest, most_copied = _MOST_STEPS // tags, max(_MOST_COPIES // tags, _FEW_COPIED)
    stack, copied, hidden, merged = [""], 0, 0, 0
    for token in re.finditer(_TOKENS, text):
        closed, closing, holder, own, inner = token.group(*_GROUPS)
        if not closed:  # a comment
            continue
        name = holder or own
        if closing and stack[-1] == name:
            stack.pop()
            copied -= name in _COPIED
        elif stack[-1] == "svg" and name in _SHAPES and token[0].endswith("/>"):
            continue
        elif stack[-1] == "svg" or not (closing or name in _UNCLOSED):
            stack.append(name)
            copied += name in _COPIED
        if inner and name not in code:
            hidden += inner.count("<")
        if token.end() - token.start() > _LONGEST_TAG:
            merged = max(merged, len(re.findall(_ATTRIBUTES, token[0])))
        if name in ("body", "html") and not closing:  # which get the attributes of all others
            merged += len(re.findall(_ATTRIBUTES, token[0][:_LONGEST_TAG]))
        if merged > _MOST_TRUSTED or copied > most_copied or len(stack) + hidden > deepest:
            return True
    return False
