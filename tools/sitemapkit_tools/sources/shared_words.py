"""The words that a source and a page share: whether one can have been made from the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit_tools.sources.cuts import Wording
from textdates.rendered import main_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from selectolax.lexbor import LexborHTMLParser

PROGRAMS = (".js", ".jsx", ".ts", ".tsx", ".astro", ".vue")
"""Suffixes of pages that are written as programs."""


class Overlap(NamedTuple):
    """How much the words of a source and a page are the same, from 0 to 1."""

    alike: float
    """Which part of all their words they have in common."""

    of_source: float
    """Which part of the source's words the page has."""


_WORD = re.compile(r"[^\W\d_]{4,}")
_TOP = re.compile(
    r"\s*(?:---|\+\+\+)[ \t]*\n(?P<stated>(?s:.*?))\n(?:---|\+\+\+|\.\.\.)[ \t]*(?:\n|\Z)"
)
_LISTING = re.compile(r"(?m)^pagination\s*+:")
_SHOWN = re.compile(
    r"""(?mx) ^[ \t-]*+ (?: title | heading | description | summary | tagline | text | details )
    \s*+ [:=] (?P<value> [^\n]*+ )"""
)
"""What pages show of front matter, besides settings of their look."""

_UNSHOWN = re.compile(
    r"""(?mx)
      ^[ \t>]*+ (?P<fence> `{3,} | ~{3,} ) (?s:.*?) (?: ^[ \t>]*+ (?P=fence) | \Z )  # code
    | <!-- (?s:.*?) (?: --> | \Z )
    | <(?P<raw> script | style )\b (?s:.*?) (?: </(?P=raw) | \Z )
    | </?[a-zA-Z] [^<>]*+ >
    | `[^`\n]++`
    | \]\( [^()\n]*+ \)                          # where a link leads
    | \{ [{%<#] [^{}]*+ \}?                      # templates
    | \b(?: https?:// | www\. | xref: | link: ) [^\s\[<>()]++
    | ^(?: import | export | <<< )\s [^\n]*+   # of MDX and VitePress
    | ^(?: include:: | \[ | : [\w-]++ : | \.\.[ ][\w:-]++ ) [^\n]*+  # of AsciiDoc and Docutils
    | & [a-z]++ ;
    """
)


def words_of_source(text: str, suffix: str) -> Set[str]:
    """Return the words that a reader of a text sees: no code, markup, addresses or names."""
    if suffix in (".html", ".htm") and "<html" in text.lower():  # an old build
        return frozenset()
    if suffix in PROGRAMS:
        return _words(Wording()(text))
    top = _TOP.match(text)
    if top and _LISTING.search(top["stated"]):  # it makes pages that list others
        return frozenset()
    stated = " ".join(_SHOWN.findall(top["stated"])) if top else ""
    return _words(" ".join([stated, *body_of(text)]))


def body_of(text: str) -> Iterator[str]:
    """Yield what a reader sees of a text below its front matter, between what is not shown."""
    top, at = _TOP.match(text), 0
    body = text[top.end() if top else 0 :]
    for unshown in _UNSHOWN.finditer(body):
        yield body[at : unshown.start()]
        at = unshown.end()
    yield body[at:]


def words_of_page(page: LexborHTMLParser) -> Set[str]:
    """Return the words of the content, the title and the description; this changes the tree."""
    heads = [each.text() for each in page.css("title")]
    heads += [each.attributes.get("content") or "" for each in page.css("meta[name=description]")]
    main = main_of(page)
    return _words(" ".join([*heads, main.text(separator=" ") if main else ""]))


def _words(text: str) -> Set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def overlap(source: Set[str], page: Set[str]) -> Overlap:
    """Return how much the words of a source and a page are the same."""
    common = len(source & page)
    return Overlap(common / (len(source | page) or 1), common / (len(source) or 1))
