"""What finished pages show beside a text of their own: front matter, and the texts of others."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from sitemapkit.parsing import parse_html
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.sources.shared_words import body_of
from textdates.parts import Draft, Shown, stated_in
from textdates.rendered import main_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir

_LISTS = ("index", "readme")

_PHRASE = re.compile(r"[^\W_](?:[\w ,-]*[^\W_])?")
"""A part of a text that no theme spells in another way, as it does quotes and markup."""

_SHOWN = ("title", "linktitle", "heading", "description", "summary", "subtitle", "tagline")
"""Front matter that is a text for readers; others, such as tags, are no text of the page."""

_SURE = 12
"""Characters of a phrase that is hardly there by chance; a title may be shorter."""

_SURE_WORDS, _MOST_WORDS = 6, 400
"""Words of the beginning of a text that a list shows, at least, and those that are looked for."""


def may_list(source: Path, stated: Mapping[str, object]) -> bool:
    """Return whether a text is that of a folder, to which many themes add what is in it.

    Its front matter may also say so, as `listing` does in Quarto.
    """
    return "listing" in stated or source.name.partition(".")[0].strip("_").lower() in _LISTS


def shown_names(html: str, stated: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of front matter whose values the content of a page shows."""
    start = max(html.find("<main"), html.find("<body"), 0)
    if html.count("<article") == 1:
        start = html.find("<article")
    found: list[str] = []
    for name in _SHOWN:
        value = stated.get(name)
        phrase = _phrase(value) if isinstance(value, str) else ""
        is_sure = len(phrase) >= _SURE or (phrase and name == "title")
        if is_sure and html.find(phrase, start) >= 0:
            found.append(name)
    return tuple(found)


def _phrase(value: str) -> str:
    return max(_PHRASE.findall(value), key=len, default="")


class ListPage:
    """A page to which a theme may have added other pages."""

    def __init__(self, site: OutputDir, page: str) -> None:
        """Read its content."""
        self.linked: dict[str, None] = {}
        """The files that it links to."""

        self._html = self._words = ""
        main = main_of(parse_html(site.read(page, MAX_PAGE)))
        if not main:
            return
        self._html = main.html or ""
        self._words = " ".join(_words(main.text(separator=" ")))
        for link in main.css("a[href]"):
            target = resolve_or_none(link.attributes.get("href") or "", site.url_of(page))
            route = site.route(target) if target else None
            if route and route.file != page:
                self.linked[route.file] = None

    def shown_of(self, text: str, own: str, drafts: tuple[Draft, ...]) -> Shown | None:
        """Return what it shows of a text that it links to; None if its `own` text names that."""
        stated = stated_in(text)
        names = shown_names(self._html, stated)
        titles = [_phrase(stated[name]) for name in ("title", "linktitle") if name in names]
        if not titles or any(title in own for title in titles):
            return None
        year = stated.get("date", "").strip("\"'")[:4]
        names += ("date",) * bool(year and year in self._html)
        words = chain.from_iterable(map(_words, body_of(text)))
        count = self._count([*islice(words, _MOST_WORDS)])
        return Shown(names, text=count >= _SURE_WORDS, words=count, drafts=drafts)

    def _count(self, body: Sequence[str]) -> int:
        """Return how many of the words that a text begins with it shows in a row."""
        least, most = 0, len(body)
        while least < most:
            middle = (least + most + 1) // 2
            if " ".join(body[:middle]) in self._words:
                least = middle
            else:
                most = middle - 1
        return least


def _words(text: str) -> Sequence[str]:
    return re.findall(r"\w+", text)
