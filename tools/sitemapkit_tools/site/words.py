"""What a page says, in a form that is quick to compare."""

from __future__ import annotations

import re
from array import array
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapkit.urls import resolve_or_none
from sitemapkit_extras.content import main_content
from sitemapkit_tools.site.facts import page_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selectolax.lexbor import LexborNode

_SHINGLE = 5
"""Words in a row that are compared at once."""

_MOST_WORDS = 20_000
"""Words of a page that are compared; of a longer one these are enough."""

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

    title: str = ""
    """Its first heading, or else its title, in lower case."""

    lang: str = ""
    count: int = 0
    """How many words it has."""

    digest: bytes = b""
    """The same for pages with the same words."""

    shingles: bytes = b""
    """Its words, five in a row each, as sorted numbers of eight bytes."""

    redirect: str = ""
    """Where it sends its readers at once, as written."""

    points_to: str = ""
    """Where the only link of a page leads that says it has moved."""

    def all_shingles(self) -> memoryview:
        """Return the numbers of its shingles."""
        return memoryview(self.shingles).cast("Q")


def read_words(html: bytes, url: str) -> PageWords:
    """Return what the page at a URL says."""
    facts = page_facts(html)
    lang = (facts.lang or "").partition("-")[0].lower()
    if facts.head.refresh:
        return PageWords(title=facts.title.lower(), lang=lang, redirect=facts.head.refresh)
    root = main_content(html)
    heading = root.css_first("h1") if root else None
    title = _plain(heading.text()) if heading else ""
    words = _plain(root.text(separator=" ")).split() if root else []
    digest = blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=12).digest()
    soft = len(words) <= _SHORT and bool(_SAYS_MOVED.search(" ".join(words)))
    return PageWords(
        title=title or facts.title.lower(),
        lang=lang,
        count=len(words),
        digest=digest,
        shingles=array("Q", sorted({*_shingles(words[:_MOST_WORDS])})).tobytes(),
        points_to=_only_link(root, url) if soft and root else "",
    )


def _plain(text: str) -> str:
    return " ".join(text.replace("¶", " ").lower().split())


def _shingles(words: Sequence[str]) -> Iterator[int]:
    for start in range(max(1, len(words) - _SHINGLE + 1) if words else 0):
        text = " ".join(words[start : start + _SHINGLE]).encode("utf-8", "replace")
        yield int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def _only_link(root: LexborNode, url: str) -> str:
    """Return the only page that the content links to, or ""."""
    hrefs = (each.attributes.get("href") for each in root.css("a[href]"))
    targets = {resolve_or_none(href, url) for href in hrefs if href and not href.startswith("#")}
    own = urlsplit(url).netloc
    found = {each for each in targets - {None, url} if each and urlsplit(each).netloc == own}
    return found.pop() if len(found) == 1 else ""


def segment(path: str) -> str:
    """Return the last part of a path, without what its file adds to it."""
    name = _INDEX.sub("", path.lower()).rstrip("/").rpartition("/")[2]
    return name.rpartition(".")[0] if _SUFFIX.search(name) else name


_INDEX = re.compile(r"(?:^|/)(?:index|readme)\.x?html?$")
_SUFFIX = re.compile(r"\.x?html?$")
