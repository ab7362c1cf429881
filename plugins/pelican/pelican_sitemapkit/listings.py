"""What a list shows of its articles, which is up to the theme: it is found in the file written."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from sitemapkit.lastmod.cuts import Shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings

    ShownArticle = tuple[Content, Shown | None]
    """An article in a list and what it shows of it: None is all."""

_TEXTLESS = 20
"""After so many articles without a text a list shows titles at most: long ones are read quickly."""

_NEAR = 500
"""Characters of HTML at each end of a text in which phrases are looked for."""

_PHRASE = 30
"""Most characters of a phrase: a summary may be as short as ten words."""

_SHORT = 12
"""Characters that a phrase should have."""

_BETWEEN = re.compile(r"^[^<>]*>|<[^>]*>?|&#?\w+;|\n")
"""What parts phrases: tags, whose links depend on the page, and what themes may spell anew."""

_LINK = re.compile(r"""\bhref\s*=\s*["']?([^"'\s>#]+)""")

_GROUPS = {"tags": "tag", "categories": "category", "authors": "author"}
"""What the lists of names are of."""

_NAMES = {"tag": ("tags",), "category": ("category",), "author": ("author", "authors")}
"""Metadata that put an article into a group."""

_SUMMARY = ("date", *chain(*_NAMES.values()))
"""Metadata that themes show with a summary."""


class Lists:
    """Reads lists of articles that were written before."""

    def __init__(self, settings: Settings) -> None:
        """Start without an article."""
        mark = settings.get("SUMMARY_END_MARKER", "<!-- PELICAN_END_SUMMARY -->")
        words = settings["SUMMARY_MAX_LENGTH"] or 0
        self._excerpt = Shown(_SUMMARY, text=True, separator=mark, words=words)
        self._known: dict[Content, tuple[str, str, str, str]] = {}
        """By what articles are recognised: the end of the link to one, and phrases at the start and
        the end of its text and in its stated summary; "" is none."""

    def add(self, article: Content) -> None:
        """Keep what an article that was just written is recognised by."""
        html, summary = article.content, str(article.metadata.get("summary") or "")
        start, end = _phrases(html[:_NEAR], article.title), _phrases(html[-_NEAR:], article.title)
        stated = _phrases(summary[:_NEAR], article.title)[0][:_PHRASE]
        link = f"/{article.url}\n"
        self._known[article] = link, start[0][:_PHRASE], end[-1][-_PHRASE:], stated

    def read(self, html: str, name: str, articles: Sequence[Content]) -> Sequence[ShownArticle]:
        """Return the articles that a list shows, with what it shows of them.

        `name` is the kind of group that is listed (`tag`), or the name of the template (`tags`).
        """
        links = "".join(f"/{link}\n" for link in _LINK.findall(html))
        title = Shown(("date", *_NAMES.get(name, ())))
        shown: list[ShownArticle] = []
        textless = 0
        for article in filter(self._known.get, articles):
            link, start, end, stated = self._known[article]
            if textless == _TEXTLESS:
                start = stated = ""
            if start and start in html and end in html:
                shown.append((article, None))
            elif any(phrase and phrase in html for phrase in (start, stated)):
                shown.append((article, self._excerpt))
            else:
                textless += textless < _TEXTLESS
                shown += [(article, title)] if link in links else []
        if shown or name not in _GROUPS:
            return shown
        return [(article, Shown(_NAMES[_GROUPS[name]], title=False)) for article in articles]


def _phrases(html: str, title: str) -> Sequence[str]:
    """Return the phrases of some HTML, without short ones if there are others, or [""]."""
    phrases = [p for each in _BETWEEN.split(html) if (p := each.strip()) and p not in title]
    return [phrase for phrase in phrases if len(phrase) >= _SHORT] or phrases or [""]
