"""The reader of HTML heads, for builds and tools.

The head is the text before `</head>` or `<body>`. Its elements count even after text or a `<div>`,
where a browser would move them to the body, but not in comments, templates and the text of other
elements. HTML is untrusted input: size is limited, and reading takes linear time.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import TYPE_CHECKING

from sitemapkit.bounds import open_file
from sitemapkit.model import Head
from sitemapkit.urls import HTML_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser

    from sitemapkit.model import FilePath

    Element = tuple[str, Mapping[str, str], str]
    """An element of a head: its tag, its attributes by lower-case name, and a title's text."""

_FIRST_READ = 8 * 1024
LONGEST_HEAD = 512 * 1024
"""The bytes of a page that are read, up to the end of its head."""

# The bounds of pages that are parsed: at most about a second, and 400 MiB.
_LONGEST_TRUSTED, _MOST_TRUSTED, _MOST_FORMATTING = 128 * 1024, 8_000, 64
_MOST_STEPS, _MOST_COPIES, _FEW_COPIED, _LONGEST_TAG = 200_000_000, 1_000_000, 8, 32 * 1024

# `re` compiles a pattern when it is first used, and keeps it: compiling all of them would take
# longer than reading the heads of a small site, which need few.
# Before Python 3.11.5, a possessive group that fails midway keeps what it had matched until then
# (gh-106052). So the last alternative of each such group fails at its first character, or after
# white space that may be skipped.
_COPIED = "b|big|code|em|font|i|s|small|strike|strong|tt|u"
_FORMATTING = rb"(?i)<(?:%b)[\s/]" % _COPIED.encode()
_UNCLOSED = (
    "area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|body|dd|dt|head|html|li"
    "|optgroup|option|p|rp|rt|tbody|td|tfoot|th|thead|tr"
)
_SHAPE = "path|rect|circle|ellipse|line|polyline|polygon|use"
_TAG = r"<(/?)([^\s/>]+)"
_MARKUP = rb"<[^<>]*>"

# Descriptions and scripts may contain such a tag, but there it follows text, not a tag.
_END = rb"(?i)>\s*+(?=<(?:/head|body)[\s/>])"
_CODE = rb"(?i)<(script|style)\b(?:<(?!/\1)|[^<]++)*+(?:</\1[^>]*+>?)?"

# HTML's rules for tokens (13.2.5); an unclosed token extends to the end of the text.
_ATTRIBUTE = r"""([^\s/>][^\s/>=]*+)
    (?:\s*+=\s*+(?:"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^\s"'>][^\s>]*+))?+)?+"""
_TOKENS = rf"""(?aix)<(?:
      (?:(?P<name>html|meta|link|/?template|(?P<holder>
          title|textarea|script|style|noscript|iframe|noframes|noembed|xmp))(?=[\s/>])
        |/?[a-z][^\s/>]*+)
      (?P<attributes>(?:[\s/]++|{_ATTRIBUTE})*+)(?P<closed>>)?+
      (?(holder)(?P<text>(?:<(?!/(?P=holder)[\s/>])|[^<]++)*+))
    | !--(?:-?>|(?:-(?!-!?>)|[^-]++)*+)
    | (?:[!?]|/[^a-z>])[^>]*+
    )"""
_ATTRIBUTES = f"(?ax){_ATTRIBUTE}"

# A canonical link that only plain markup precedes, as nearly always: no reader finds anything else
# there, and to parse a head takes several times as long. In plain tags quotes are only around
# values, straight after `=`. What the loops repeat may fail midway, so they are not possessive.
_PLAIN_REST = rb"""(?:[^"=<>]*+(?<=[0-9A-Za-z])="[^"<>]*+")*[^"=<>]*+>"""
_CANONICAL = rb"""(?x)
    (?: [^<]++
      | <(?:html|head|meta|link|base)(?=[\s/>]) %b
      | <(title|script|style)(?=[\s/>]) %b [^<]*+</\1>
      | <!--(?!-?>)(?:-(?!-!?>)|[^-]++)*+-->
      | <!(?i:doctype)[^>]*+>
    )*?
    <link[ ]rel="canonical"[ ]href="(?P<url>[^\s"&<>]++)"[ ]?/?>""" % (_PLAIN_REST, _PLAIN_REST)

_LETTER = r"&#(?:0|x0*[4-7]|(?:[6-9]|1[0-2])[0-9](?![0-9]))"
RELEVANT = rf"canonical|no(?:ne|index)|refresh|{_LETTER}"
"""Matches, in lower case, each element that can affect a Head; its letters may be escaped."""

_ENGINE = rb"bots?\b|slurp|yandex|baidu|yeti"
_SIGNS = {b"noindex": _ENGINE, b"none": _ENGINE, b"refresh": b"", b"&#": _LETTER.encode()}
"""Words of heads that may say more than a canonical link, if they also match the pattern."""

_REFRESH = r"""(?is)[0-9.]+(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))"""
_REFERENCE = r"(?a)&(?:#\w{1,99}+;?|([0-9A-Za-z]++(?:;|(?!=))))"

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


def read_head(file: FilePath) -> Head:
    """Read the facts in the head of an HTML file. Raises OSError if it cannot be read."""
    data = read_beginning(file)
    return EMPTY if not data or data.isspace() else parse_head(data)


def read_beginning(file: FilePath) -> bytes:
    """Read an HTML file up to the end of its head or further. Raises OSError as `read_head`."""
    descriptor = open_file(file)  # a file object would double the time
    try:
        data = os.read(descriptor, _FIRST_READ)
        if len(data) == _FIRST_READ and not re.search(_END, data):
            data += os.read(descriptor, LONGEST_HEAD - _FIRST_READ)
    finally:
        os.close(descriptor)
    return data


def parse_head(html: bytes | str) -> Head:
    """Return the facts in the head of a page's HTML; the rest of the page is ignored."""
    head = head_of(html)
    lower = head.lower()
    says_more = any(
        lower.rfind(word) >= 0 and re.search(sign, lower)  # `in` takes twice as long
        for word, sign in _SIGNS.items()
    )
    links = lower.count(b"canonical")
    if not (says_more or links):
        return NOTHING
    if links == 1 and not says_more and (plain := re.match(_CANONICAL, head)):
        return Head(canonical=plain["url"].decode("utf-8", "replace"))
    return facts(elements(head.decode("utf-8", "replace"), RELEVANT))


def head_of(html: bytes | str) -> bytes:
    """Return the head of a page's HTML, limited in size so that it is parsed quickly."""
    data = as_utf8(html[:LONGEST_HEAD])
    end = data.find(b"</head>")
    head = data[:end] if end >= 0 else data
    lower = head.lower()
    is_text = end >= 0 and not head.rstrip().endswith(b">")
    if is_text or lower.rfind(b"</head") >= 0 or lower.rfind(b"<body") >= 0:
        match = re.search(_END, data)
        head = data[: match.end()] if match else data
    return head


def as_utf8(html: bytes | str) -> bytes:
    """Return HTML as UTF-8; UTF-16 begins with a byte order mark (HTML, 13.2.3.2)."""
    if isinstance(html, bytes) and html.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        html = html.decode("utf-16", "replace")
    return html if isinstance(html, bytes) else html.encode("utf-8", "replace")


def elements(head: str, pattern: str) -> Iterator[Element]:
    """Yield the title, and each `html`, `meta` and `link` element with attributes that match.

    The pattern is searched for in lower case. Elements in the text of others, in comments or in
    templates are ignored.
    """
    templates = 0
    for token in re.finditer(_TOKENS, head):
        if not (token["name"] and token["closed"]):
            continue
        tag = token["name"].lower()
        if tag.endswith("template"):
            templates = max(0, templates + (1 if tag == "template" else -1))
        elif templates:
            continue
        elif tag == "title":
            yield tag, {}, unescape(token["text"][:4096])  # `int` raises for longer numbers
        elif token["text"] is None:
            attributes = _attributes(token["attributes"][:_LONGEST_TAG], pattern)
            if attributes is not None:
                yield tag, attributes, ""


@lru_cache(maxsize=128)  # pages of a site have most elements in common
def _attributes(source: str, pattern: str) -> Mapping[str, str] | None:
    """Return the values by lower-case name, "" for no value; of duplicates the first counts.

    None: the source does not match the pattern.
    """
    if not re.search(pattern, source.lower()):
        return None
    found = reversed(re.findall(_ATTRIBUTES, source))
    values = {name.lower(): double or single or bare for name, double, single, bare in found}
    if "&" not in source:  # the usual case
        return values
    return {name: re.sub(_REFERENCE, _character, value) for name, value in values.items()}


def _character(reference: re.Match[str]) -> str:
    """`?a&copy=1` and `?a&region` are not references in an attribute (HTML, 13.2.5.73)."""
    return html5.get(reference[1], reference[0]) if reference[1] else unescape(reference[0])


def facts(head: Iterable[Element]) -> Head:
    """Return the facts in the elements of a head; of several links the first counts."""
    noindex, canonical, refresh = False, None, None
    for tag, attributes, _ in head:
        content = attributes.get("content", "")
        if tag == "link" and "canonical" in attributes.get("rel", "").lower().split():
            canonical = canonical or attributes.get("href")
        elif tag == "meta" and attributes.get("name", "").strip().lower() in ENGINES:
            noindex = noindex or says_noindex(content)
        elif tag == "meta" and attributes.get("http-equiv", "").strip().lower() == "refresh":
            refresh = refresh or _refresh_target(content)
    return Head(noindex, canonical or None, refresh)


def says_noindex(content: str) -> bool:
    """Return whether the content of a robots meta element forbids indexing, in any spelling."""
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,;]+", content.strip().lower()))


def _refresh_target(content: str) -> str | None:
    """`5; url=/new/` leads to `/new/`; a plain number only reloads the page (HTML, 4.2.5.3)."""
    found = re.match(_REFRESH, content.strip())
    return next(filter(None, found.groups()), None) if found else None


def stated_lang(html: bytes | str) -> str | None:
    """Return the language in the `<html>` element of a page, as written."""
    return lang_of(elements(head_of(html).decode("utf-8", "replace"), "lang"))


def lang_of(head: Iterable[Element]) -> str | None:
    """Return the language in the `<html>` element, as written."""
    for tag, attributes, _ in head:
        if tag == "html":
            return (attributes.get("lang") or attributes.get("xml:lang") or "").strip() or None
    return None


def parse_html(html: bytes | str) -> LexborHTMLParser:
    """Return the tree of a document or a fragment; of one that is a bomb, only its text."""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - most builds need no parser

    data = as_utf8(html)
    small = len(data) <= _LONGEST_TRUSTED and data.count(b"<") <= _MOST_TRUSTED
    if not (small and len(re.findall(_FORMATTING, data)) <= _MOST_FORMATTING) and _is_bomb(data):
        data = re.sub(_MARKUP, b" ", re.sub(_CODE, b"", data)).replace(b"<", b" ")
    return LexborHTMLParser(data)


def _is_bomb(html: bytes) -> bool:
    """Return whether parsing might take quadratic time or memory.

    A parser may look through all open elements for each tag, through the attributes before it for
    each attribute, and copy open formatting for each paragraph. What is uncertain counts.
    """
    text = html.decode("latin-1").lower()
    tags, stack, copied, hidden, merged = text.count("<"), [""], 0, 0, 0
    code = () if "<svg" in text or "<math" in text else ("script", "style")  # there they have tags
    for token in re.finditer(_TOKENS, text):
        if not token["closed"]:  # a comment
            continue
        closing, name = re.findall(_TAG, token[0])[0]
        if closing and stack[-1] == name:
            copied -= bool(re.fullmatch(_COPIED, stack.pop()))
        elif stack[-1] == "svg" and re.fullmatch(_SHAPE, name) and token[0].endswith("/>"):
            continue
        elif stack[-1] == "svg" or not (closing or re.fullmatch(_UNCLOSED, name)):
            stack.append(name)
            copied += bool(re.fullmatch(_COPIED, name))
        hidden += 0 if name in code else (token["text"] or "").count("<")
        is_long = len(token[0]) > _LONGEST_TAG
        many = is_long and len(re.findall(_ATTRIBUTES, token[0])) > _MOST_TRUSTED
        if not closing and name in ("body", "html"):  # which get the attributes of all others
            merged += len(re.findall(_ATTRIBUTES, token[0][:_LONGEST_TAG]))
            many = many or merged > _MOST_TRUSTED
        copies = copied * tags if copied > _FEW_COPIED else 0
        if many or copies > _MOST_COPIES or (len(stack) + hidden) * tags > _MOST_STEPS:
            return True
    return False
