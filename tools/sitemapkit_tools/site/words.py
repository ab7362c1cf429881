"""What a page says, in a form that is quick to compare."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapkit.urls import resolve_or_none
from sitemapkit_extras.content import main_content
from sitemapkit_tools.site.facts import page_facts

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

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


def read_words(html: bytes, url: str) -> PageWords:
    """Return what the page at a URL says."""
    facts = page_facts(html)
    if facts.head.refresh:  # nobody reads it
        return PageWords()
    lang = (facts.lang or "").partition("-")[0].lower()
    root = main_content(html)
    heading = root.css_first("h1") if root else None
    titles = {_plain(heading.text()) if heading else "", _plain(facts.title)} - {""}
    words = _plain(root.text(separator=" ")).split() if root else []
    digest = blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=12).digest()
    soft = len(words) <= _SHORT and bool(_SAYS_MOVED.search(" ".join(words)))
    return PageWords(
        titles=frozenset(titles),
        lang=lang,
        count=len(words),
        digest=digest,
        points_to=_only_link(root, url) if soft and root else "",
    )


def _plain(text: str) -> str:
    return " ".join(text.replace("¶", " ").lower().split())


def _only_link(root: LexborNode, url: str) -> str:
    """Return the only page that the content links to, or ""."""
    hrefs = (each.attributes.get("href") for each in root.css("a[href]"))
    targets = {resolve_or_none(href, url) for href in hrefs if href and not href.startswith("#")}
    own = urlsplit(url).netloc
    found = {each for each in targets - {None, url} if each and urlsplit(each).netloc == own}
    return found.pop() if len(found) == 1 else ""
