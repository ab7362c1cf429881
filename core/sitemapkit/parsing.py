"""From the bytes of HTML to its tree: its characters, and the guard against what no parser bears.

HTML is untrusted input: a plugin reads the pages of pull requests. So what might take a parser
quadratic time or memory is found before, in linear time.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_NO_LETTERS = bytes(4)
_ESCAPE = b"\x1b"
"""Begins each word of ISO-2022-JP, whose bytes are all ASCII."""

_OF_BROWSERS = r"""(?x)
    cp(?: 125[0-8] | 866 | 874 | 932 | 949 ) | iso8859-\d+ | koi8-[ru] | mac-\w+
    | gb18030 | big5hkscs | euc_jp | iso2022_jp
    """
"""Python's names of the character sets that a page may name: it has others, also slow ones."""

_DECLARED = 4_096
"""Bytes in which w3lib looks for the name."""

_COMMENT = rb"(?s)<!--.*?(?:-->|\Z)"


def as_utf8(html: bytes | str, content_type: str = "") -> bytes:
    """Return HTML as UTF-8, read as browsers do: what is not UTF-8 says what it is (HTML, 13.2.3).

    That is by a byte order mark, by the header `content_type` of what a server sent, by a `<meta>`
    element, or by many NULs, as UTF-16 has them.
    """
    if isinstance(html, bytes):
        if _is_utf8(html):
            return html.removeprefix(BOM_UTF8)
        if html[1:8:2] == _NO_LETTERS:
            html = html.decode("utf-16-le", "replace")
        elif html[:8:2] == _NO_LETTERS:
            html = html.decode("utf-16-be", "replace")
        else:
            html = _decoded(html, content_type)
    return html.encode("utf-8", "replace").removeprefix(BOM_UTF8)


def _is_utf8(html: bytes) -> bool:
    """Return whether bytes are UTF-8, whose last character may be cut off."""
    if html.isascii():
        return _NO_LETTERS not in (html[1:8:2], html[:8:2]) and _ESCAPE not in html
    try:
        html.decode()
    except UnicodeDecodeError as error:
        return error.end == len(html) and error.reason == "unexpected end of data"
    return True


def _decoded(html: bytes, content_type: str) -> str:
    # Its patterns take a while to compile, and few pages need them.
    from w3lib import encoding  # noqa: PLC0415

    name, _ = encoding.read_bom(html)
    if not name:
        start = re.sub(_COMMENT, b"", html[:_DECLARED])  # as w3lib before 2.5 does not
        name = encoding.http_content_type_encoding(content_type)
        name = name or encoding.html_body_declared_encoding(start) or ""
        if name != "utf-8" and not re.fullmatch(_OF_BROWSERS, name):
            is_ascii = html.decode(errors="ignore").isascii()  # without what is no UTF-8
            name = "cp1252" if is_ascii else "utf-8"
    return encoding.to_unicode(html, name)


_CODE = rb"(?i)<(script|style)\b(?:<(?!/\1)|[^<]++)*+(?:</\1[^>]*+>?)?"
_MARKUP = rb"<[^<>]*>"


def parse_html(html: bytes | str) -> LexborHTMLParser:
    """Return the tree of a document or a fragment; of one that is a bomb, only its text."""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - few builds need no parser

    data = as_utf8(html)
    if is_bomb(data):
        text = re.sub(_MARKUP, b" ", re.sub(_CODE, b"", data))
        data = text.replace(b"<", b" ")
    return LexborHTMLParser(data)


# What is smaller than all three is parsed without a look at its tags.
_LONGEST_TRUSTED = 128 * 1024
_MOST_TRUSTED = 8_000
"""Tags in a page; attributes in a tag."""

_MOST_FORMATTING = 64

# The rest takes a parser at most about a second, and 400 MiB.
_MOST_STEPS = 200_000_000
"""Tags, times the elements that are open at one."""

_MOST_COPIES = 1_000_000
"""Tags, times the formatting that is open at one."""

_FEW_COPIED = 8
_LONGEST_TAG = 32 * 1024

_COPIED = frozenset(
    ("b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u")
)
"""Formatting, which a parser opens anew in each paragraph until it is closed."""

_FORMATTING = rb"(?i)<(?:%b)[\s/]" % "|".join(_COPIED).encode()


def is_bomb(html: bytes) -> bool:
    """Return whether parsing might take quadratic time or memory; what is small cannot."""
    is_small = len(html) <= _LONGEST_TRUSTED and html.count(b"<") <= _MOST_TRUSTED
    if is_small and len(re.findall(_FORMATTING, html)) <= _MOST_FORMATTING:
        return False
    return _is_too_deep(html)


_UNCLOSED = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
        *("track", "wbr", "body", "dd", "dt", "head", "html", "li", "optgroup", "option", "p"),
        *("rp", "rt", "tbody", "td", "tfoot", "th", "thead", "tr"),
    )
)
"""Elements that hold nothing, or end where the next begins."""

_SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use")

# Before Python 3.11.5, a possessive group that fails midway keeps what it had matched until then
# (gh-106052). So the last alternative of each such group fails at its first character, or after
# white space that may be skipped.
_ATTRIBUTE = r"""([^\s/>][^\s/>=]*+)
    (?:\s*+=\s*+(?:"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^\s"'>][^\s>]*+))?+)?+"""
_ATTRIBUTES = f"(?ax){_ATTRIBUTE}"

# HTML's rules for tokens (13.2.5); an unclosed token extends to the end of the text.
_TOKENS = rf"""(?aix)<(?:
      (?:  # a tag, and of elements whose content is no markup that content
          (?P<holder>title|textarea|script|style|noscript|iframe|noframes|noembed|xmp)(?=[\s/>])
        | (?P<closing>/?)(?P<name>[a-z][^\s/>]*+)
      )
      (?:[\s/]++|{_ATTRIBUTE})*+
      (?P<closed>>)?+
      (?(holder)(?P<text>(?:<(?!/(?P=holder)[\s/>])|[^<]++)*+))
    | !--(?:-?>|(?:-(?!-!?>)|[^-]++)*+)  # a comment
    | (?:[!?]|/[^a-z>])[^>]*+            # what is read as a comment
    )"""


def _is_too_deep(html: bytes) -> bool:
    """Return whether there are too many steps, attributes or copies.

    A parser may look through all open elements for each tag, through the attributes before it for
    each attribute, and copy open formatting for each paragraph. What is uncertain counts.
    """
    text = html.decode("latin-1").lower()
    code = () if "<svg" in text or "<math" in text else ("script", "style")  # there they have tags
    tags = max(text.count("<"), 1)
    deepest = _MOST_STEPS // tags
    most_copied = max(_MOST_COPIES // tags, _FEW_COPIED)
    elements, copied, hidden, attributes = [""], 0, 0, 0
    for token in re.finditer(_TOKENS, text):
        if not token["closed"]:  # a comment, or the end
            continue
        name = token["holder"] or token["name"]
        innermost = elements[-1]
        if token["closing"] and innermost == name:
            elements.pop()
            copied -= name in _COPIED
        elif innermost == "svg" and name in _SHAPES and token[0].endswith("/>"):
            continue
        elif innermost == "svg" or not (token["closing"] or name in _UNCLOSED):
            elements.append(name)
            copied += name in _COPIED
        # Where a parser takes the content for markup after all, each tag in it may be open.
        if token["text"] and name not in code:
            hidden += token["text"].count("<")
        if len(token[0]) > _LONGEST_TAG:
            attributes = max(attributes, len(re.findall(_ATTRIBUTES, token[0])))
        if name in ("body", "html") and not token["closing"]:  # they get those of all others
            attributes += len(re.findall(_ATTRIBUTES, token[0][:_LONGEST_TAG]))
        depth = len(elements) + hidden
        if depth > deepest or copied > most_copied or attributes > _MOST_TRUSTED:
            return True
    return False
