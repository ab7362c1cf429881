"""The reader of what HTML pages say to browsers and search engines, for builds and tools.

The parser decides what is an element, and what the head is. It gets the part of a page that can
hold the elements that count: a search says that none begins in the rest, and the parser confirms
that the cut is between two elements.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from sitemapkit import dates
from sitemapkit.model import Head
from sitemapkit.parsing import as_utf8, is_bomb
from sitemapkit.urls import HTML_SUFFIXES
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.model import FilePath

    Attributes = Mapping[str, str]
    """The attributes of an element by lower-case name, "" for no value; the first one counts."""

LONGEST_PAGE = 2 * 1024 * 1024
"""Bytes that are read of a page: what Googlebot reads of one."""

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


_NOSCRIPT = rb"(?i)<(/?)noscript(?=[\s/>])"
_AS_TEXT = "noFraMes"
"""The parser runs no scripts. For all who do, `<noscript>` holds text, as `<noframes>` does for
everybody. No page spells that name so, and what is in attributes keeps its spelling."""

_AFTER = r"""(?xi) unavailable_after \s*+:\s*+
    (?: [a-z]++ ,?\s++ )?  # the day of the week
    (
        [0-9]{4}-[0-9]{2}-[0-9]{2}
        | [0-9]{1,2} [\ -] [a-z]{3,9} [\ -] [0-9]{2,4}
        | [a-z]{3,9} \s+ [0-9]{1,2} ,? \s+ (?: [0-9:]{8} \s+ )? [0-9]{4}
    )"""

_TITLE = "title:not(svg title)"


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
        """Parse the page up to the cut, and the mark, which shows where the parser is there."""
        from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - others here need no parser

        part = re.sub(_NOSCRIPT, rf"<\1{_AS_TEXT}".encode(), self._data[: self._end])
        self._is_bomb = is_bomb(part)
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
        html = self._found("html")[0]  # which the parser makes where there is none
        return (html.get("lang") or html.get("xml:lang") or "").strip() or None

    @property
    def title(self) -> str:
        """The title, in one line; browsers take one in the body as well."""
        found = self._tree.css_first(_TITLE)
        if not found and re.search(rb"(?i)<title", self._data[self._end :]):
            self._parse_all()
            found = self._tree.css_first(_TITLE)
        return " ".join(_as_written(found.text()).split()) if found else ""

    def texts(self, selector: str) -> Sequence[str]:
        """Return what is in these elements."""
        return [each.text() for each in self._tree.css(selector)]

    def to_engines(self) -> Head:
        """Return what the page says to search engines; of several links the first counts.

        A `<meta>` element hides a page or leads elsewhere wherever it is, as in browsers.
        """
        metas, bases = self._found("meta"), self._found("head base[href]")
        base = bases[0]["href"] if bases else ""
        targets: list[str] = []
        for link in self._found('head link[rel~="canonical" i]'):
            target = _from_base(link.get("href", ""), base)
            if target and target not in targets:
                targets.append(target)
        refresh = _refresh(metas) or self._script_target()
        return Head(
            noindex=any(map(_hides, metas)),
            canonical=targets[0] if targets else None,
            refresh=refresh and _from_base(refresh, base),
            unread=self.unread,
            second_canonical=targets[1] if len(targets) > 1 else None,
        )

    def _script_target(self) -> str | None:
        """Return where a script leads at once: where a refresh for browsers without scripts leads.

        So redirects of mike, sphinx-reredirects and rediraffe are. Such a refresh alone is none: it
        leads whoever runs no scripts from a page to one for them.
        """
        for text in self.texts(_AS_TEXT):
            target = parse_head(text).refresh
            if target:
                self._parse_all()  # the script may be in the body
                scripts = unescape("".join(self.texts("script")))  # templates escape both alike
                is_named = re.search(rf"""["'`]{re.escape(target)}["'`]""", scripts)
                return target if is_named and "location" in scripts else None
        return None


def _as_written(text: str) -> str:
    return text.replace(_AS_TEXT, "noscript")


_BODY = rb"(?i)<body[\s/>]"
_TELLING = rb"(?i)<(?:html|meta)[\s/>]"
"""Begins what may say something in a body, if the next pattern matches there as well."""

_LETTER = rb"&#(?:0|x0*[4-7]|(?:[6-9]|1[0-2])[0-9](?![0-9]))"
"""The number of a letter, by which any of the following words may be spelled."""

_SIGN = rb"(?i)<html[\s/>]|http-equiv|bots?\b|slurp|yandex|baidu|yeti|%b" % _LETTER


def _end_of_telling(html: bytes) -> int:
    """Return where to cut a page: before its body, if there surely nothing counts any more."""
    body = re.search(_BODY, html)
    if not body:
        return len(html)
    rest = html[body.start() :]
    says_more = re.search(_TELLING, rest) and re.search(_SIGN, rest)
    return len(html) if says_more else body.start()


ENGINES = frozenset(
    {
        *("robots", "googlebot", "bingbot", "msnbot", "slurp", "duckduckbot", "baiduspider"),
        *("yandex", "yandexbot", "seznambot", "naverbot", "yeti", "applebot", "petalbot"),
    }
)
"""Names of `<meta>` elements with rules for all search engines, or for one.

`_SIGN` has what each of them contains.
"""


def _hides(meta: Attributes) -> bool:
    """Return whether a `<meta>` element forbids indexing."""
    is_for_engines = meta.get("name", "").strip().lower() in ENGINES
    return is_for_engines and says_noindex(meta.get("content", ""))


def says_noindex(content: str) -> bool:
    """Return whether the content of a robots meta element forbids indexing, in any spelling.

    After the day that `unavailable_after` names it does, too.
    """
    if not {"noindex", "none"}.isdisjoint(re.split(r"[\s,;]+", content.strip().lower())):
        return True
    found = re.search(_AFTER, content)
    if not found:
        return False
    from email.utils import parsedate  # noqa: PLC0415 - few pages need it

    day = found[1]
    if parts := parsedate(f"{day} 00:00 GMT"):
        day = "{:04}-{:02}-{:02}".format(*parts)
    return day < f"{dates.build_time():%Y-%m-%d}"


_REFRESH = r"""(?isx)
    [0-9.]+ (?: \s*[;,] | \s ) \s*
    (?: url \s*=\s* )?
    (?: "([^"]*) | '([^']*) | (.*) )
    """


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
    if not (base and target):
        return target
    try:
        is_relative = not urlsplit(target).scheme and target[:1] not in ("/", "?", "#")
        if "//" in base or not is_relative:
            return urljoin(base, target)
    except ValueError:  # an address with a bracket that is not closed
        return target
    # The URL of the page is not known here: of a relative base only the folder counts.
    return base[: base.rfind("/") + 1] + target
