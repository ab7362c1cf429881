"""Which links a commit led elsewhere: readers who follow them arrive at the page that replaced one.

The same words, in the same page, led to the old page before the commit and lead to another one
after it. Menus count like any other links.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.html import parse_html
from sitemapkit.urls import resolve_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Links = set[tuple[str, str]]
    """The text and the target of each link in a page."""

_NOT_ABOUT = frozenset({"", "next", "previous", "prev", "home", "up", "back", "here", "edit"})
"""Texts of links that say nothing about where they lead, without the arrows beside them."""

_ARROWS = "\N{PILCROW SIGN} \xab\xbb\u2190\u2192\u2039\u203a<>"
"""What stands around the words of some links."""

_MOST_LINKS = 2_000
"""Links of a page that are compared."""


class ChangedPage(Struct, frozen=True):
    """A page before and after a commit."""

    url: str
    before: bytes
    after: bytes


def moved_links(pages: Iterable[ChangedPage]) -> Mapping[str, Mapping[str, set[str]]]:
    """Return, for each URL that links no longer lead to, where they lead now and their texts."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for page in pages:
        before, after = _links(page.before, page.url), _links(page.after, page.url)
        new: dict[str, set[str]] = defaultdict(set)
        for text, target in after - before:
            new[text].add(target)
        for text, target in before - after:
            if len(new[text]) == 1:
                found[target][next(iter(new[text]))].add(text)
    return found


def _links(html: bytes, url: str) -> Links:
    """Return the links of a page that have words, without those to a place in a page."""
    found: Links = set()
    for anchor in parse_html(html).css("a[href]")[:_MOST_LINKS]:
        target = anchor.attributes.get("href") or ""
        text = " ".join(anchor.text().lower().split()).strip(_ARROWS)
        is_about = target and "#" not in target and text not in _NOT_ABOUT
        if is_about and (resolved := resolve_or_none(target, url)):
            found.add((text, resolved))
    return found
