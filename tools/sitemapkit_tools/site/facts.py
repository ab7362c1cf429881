"""What an HTML page says of itself: all that a scan or a check wants to know, read once.

Of the head the few elements that matter are looked at, of the body only what a plain search finds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit import dates
from sitemapkit.extensions.alternates import Alternate
from sitemapkit.head import NOTHING, Stated, read_page
from sitemapkit.parsing import as_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from sitemapkit.head import Attributes
    from sitemapkit.model import Head


class Facts(Struct, frozen=True):
    """What one page says of itself."""

    head: Head = NOTHING
    lang: str | None = None
    title: str = ""
    alternates: tuple[Alternate, ...] = ()
    """Versions in other languages that its head names, as written."""

    modified: date | None = None
    """The date of its last change that the page states, where it states only one."""

    published: date | None = None
    og_url: str = ""
    """Its URL according to the Open Graph protocol, as written."""

    included: frozenset[str] = frozenset()
    """The files that a server puts into it (SSI), as written."""

    previous: str = ""
    """The page before it in a series, as written: a part of a list, or a chapter."""


NO_FACTS = Facts()


def read_facts(file: str | Path) -> Facts:
    """Read the facts of an HTML file. Raises OSError if it cannot be read."""
    return page_facts(read_page(file))


def page_facts(html: bytes, content_type: str = "") -> Facts:
    """Return the facts of a page's HTML, sent with a header `Content-Type` or read from a file."""
    html = as_utf8(html, content_type)
    stated = Stated(html)
    days = _stated_dates(stated.metas)
    scripts = "".join(stated.texts("head script")) if b"datePublished" in html else ""
    in_scripts = _only(scripts.encode("utf-8", "replace"), b"datePublished")
    return Facts(
        head=stated.to_engines(),
        lang=stated.lang,
        title=stated.title,
        alternates=tuple(_alternates(stated.links)),
        modified=days.get("modified") or _only(html, b"dateModified"),
        published=days.get("published") or in_scripts,
        included=frozenset(_included_in(html)),
        og_url=next(_og_urls(stated.metas), ""),
        previous=next(_previous(stated.links), ""),
    )


_INCLUDE = re.compile(rb"""<!--#\s*include\s+(?:file|virtual)\s*=\s*["']?([^"'\s>]+)""")


def _included_in(html: bytes) -> Iterator[str]:
    for name in _INCLUDE.findall(html):
        yield name.decode("utf-8", "replace")


def _previous(links: Sequence[Attributes]) -> Iterator[str]:
    for link in links:
        if not {"prev", "previous"}.isdisjoint(link.get("rel", "").lower().split()):
            yield link.get("href", "")


def _og_urls(metas: Sequence[Attributes]) -> Iterator[str]:
    for meta in metas:
        key = meta.get("property") or meta.get("name", "")
        if key.strip().lower() == "og:url":
            yield meta.get("content", "")


def _alternates(links: Sequence[Attributes]) -> Iterator[Alternate]:
    for link in links:
        if "alternate" in link.get("rel", "").lower().split():
            code, href = link.get("hreflang", "").strip(), link.get("href")
            if code and href:
                yield Alternate(code, href)


_MODIFIED = (
    *("article:modified_time", "og:updated_time", "last-modified", "lastmod", "revised"),
    *("dcterms.modified", "dc.date.modified", "datemodified", "date.modified"),
)
_PUBLISHED = (
    *("article:published_time", "dcterms.created", "dcterms.issued", "datepublished", "date"),
)
_META_DATES = dict.fromkeys(_PUBLISHED, "published") | dict.fromkeys(_MODIFIED, "modified")
_YEARS_OF_THE_WEB = range(dates.FIRST_YEAR, 9999)
_META_KEYS = frozenset({"property", "name", "itemprop", "http-equiv"})


def _stated_dates(metas: Sequence[Attributes]) -> dict[str, date]:
    """Return the first dates that `<meta>` elements state, as `modified` and `published`."""
    stated: dict[str, date] = {}
    for meta in metas:
        for key in meta.keys() & _META_KEYS:
            kind = _META_DATES.get(meta[key].strip().lower())
            if kind and (value := _date(meta.get("content", ""))):
                stated.setdefault(kind, value)
    return stated


_VALUE = re.compile(
    rb"""["']?[^"'<>{}]{0,40}["']([0-9]{4}-[0-9]{2}-[0-9]{2}[0-9T:.Z+ -]{0,30})["']"""
)


def _only(html: bytes, word: bytes) -> date | None:
    """Return the date that follows `word`, in JSON-LD or as microdata, if it is always the same.

    A page that states several dates tells those of the pages it lists.
    """
    found: set[date] = set()
    position = html.rfind(word)  # which is twice as quick as `find`
    while position >= 0 and len(found) <= 1:
        if value := _VALUE.match(html, position + len(word)):
            stated = _date(value[1].decode("ascii"))
            found |= {stated} if stated else set()
        position = html.rfind(word, 0, position)
    return found.pop() if len(found) == 1 else None


def _date(text: str) -> date | None:
    try:
        value = dates.parse(text)
    except ValueError:
        return None
    return value if value.year in _YEARS_OF_THE_WEB else None
