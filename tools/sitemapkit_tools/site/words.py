"""What a page says, in a form that is quick to compare."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapkit.urls import resolve_or_none
from sitemapkit.xmltext import unescaped
from sitemapkit_extras.content import main_content

if TYPE_CHECKING:
    from collections.abc import Set

    from selectolax.lexbor import LexborNode

    from sitemapkit_tools.site.facts import Facts

_SHORT = 60
"""Words that a page which only says that it has moved has at most."""

_SAYS_MOVED = re.compile(
    r"""\b(?:
    # it has been moved, is now located
    (?:has|have|was|were|is|been|are)[ ](?:been[ ])?(?:now[ ])?(?:re)?(?:moved|located|named)
    | moved[ ]to | relocated
    | (?:new|now)[ ](?:location|address|home|at|lives)
    | redirect(?:ed|ing|s)?
    | can[ ](?:now[ ])?be[ ]found
    )\b""",
    re.VERBOSE,
)


class PageWords(Struct, frozen=True, gc=False):
    """What a page says."""

    titles: frozenset[str] = frozenset()
    """Its first heading and its title, in lower case."""

    lang: str = ""
    count: int = 0
    """How many words it has."""

    digest: bytes = b""
    """The same for pages with the same words."""

    points_to: str = ""
    """Where the only link of a page leads that says it has moved."""


def read_words(html: bytes, url: str, facts: Facts) -> PageWords:
    """Return what the page at a URL says, given what is known of it."""
    if facts.head.refresh:  # nobody reads it
        return PageWords()
    lang = (facts.lang or "").partition("-")[0].lower()
    root = main_content(html)
    heading = root.css_first("h1") if root else None
    titles = {plain(heading.text()) if heading else "", plain(facts.title)} - {""}
    words = plain(root.text(separator=" ")).split() if root else []
    digest = blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=12).digest()
    soft = len(words) <= _SHORT and bool(_SAYS_MOVED.search(" ".join(words)))
    return PageWords(
        titles=frozenset(titles),
        lang=lang,
        count=len(words),
        digest=digest,
        points_to=_only_link(root, url) if soft and root else "",
    )


_MOST_HEADINGS = 20
_BEGINNING = re.compile(rb"(?i)<h1\b")
_HEADING = re.compile(rb"(?is)<h1\b(.{0,1000}?)</h1\b")
_LINK = re.compile(rb"(?is)<a\b.{0,300}?</a\b[^<>]*+>")
_TAG = re.compile(rb"<[^<>]*+>")


def heading_words(html: bytes) -> Set[str] | None:
    """Return the words of all first headings of a page, and perhaps more; None: only parsing tells.

    To look is much quicker than to parse. Elements in a heading may be part of a word, or be no
    part of the title, as permalinks are not.
    """
    begun = len(_BEGINNING.findall(html))
    headings = _HEADING.findall(html) if begun <= _MOST_HEADINGS else []
    if len(headings) < begun:  # one is not closed, or long
        return None
    words: set[str] = set()
    for heading in headings:
        without_links = _LINK.sub(b" ", heading)
        for text in (
            _TAG.sub(b"", heading),
            _TAG.sub(b" ", heading),
            _TAG.sub(b"", without_links),
        ):
            words.update(plain(unescaped(text.decode("utf-8", "replace"))).split())
    return words


def plain(text: str) -> str:
    """Return a text as titles and words are compared."""
    return " ".join(text.replace("¶", " ").lower().split())


def _only_link(root: LexborNode, url: str) -> str:
    """Return the only page that the content links to, or ""."""
    hrefs = (each.attributes.get("href") for each in root.css("a[href]"))
    targets = {resolve_or_none(href, url) for href in hrefs if href and not href.startswith("#")}
    own = urlsplit(url).netloc
    found = {each for each in targets - {None, url} if each and urlsplit(each).netloc == own}
    return found.pop() if len(found) == 1 else ""
