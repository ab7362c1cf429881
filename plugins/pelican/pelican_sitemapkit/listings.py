"""What a list shows of its articles. The theme decides, so this reads the written file."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sitemapkit.lastmod.cuts import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings

    ShownArticle = tuple[Content, Shown | None]
    """An article in a list and what the list shows of it: None is everything."""

_Phrases = tuple[str, str, str, int]

_TEXTLESS = 20
"""After so many articles without a text a list shows titles at most, or nothing of any."""

_NEAR = 500
"""Characters of HTML at each end of a text to search for phrases."""

_PHRASE = 30
"""Most characters of a phrase: a summary may be as short as ten words."""

_SHORT = 12
"""Desired length of a phrase."""

_BETWEEN = re.compile(r"^[^<>]*>|<[^>]*>?|&#?\w+;|\n")
"""What separates phrases: tags, since links depend on the page, and what themes may respell."""

_GROUPS = {"tags": "tag", "categories": "category", "authors": "author"}
"""What lists of names contain."""

_STATED = {"tag": ("tags",), "category": ("category",), "author": ("author", "authors")}
"""Metadata that put an article into a group; the last is also the article's attribute."""

_SOME = 3
"""Number of groups of articles to look for in a list, to see whether it names them."""


class Lists:
    """Reads lists of articles that are already written."""

    def __init__(self, settings: Settings) -> None:
        """Start without an article."""
        self._mark = settings.get("SUMMARY_END_MARKER", "<!-- PELICAN_END_SUMMARY -->")
        self._words = settings["SUMMARY_MAX_LENGTH"] or 0
        self._known: dict[Content, _Phrases | None] = {}
        """Written articles, and how to recognize them: filled when needed."""

    def add(self, article: Content) -> None:
        """Remember an article that was just written."""
        self._known[article] = None

    def read(
        self, html: str, name: str, articles: Sequence[Content], group: str = ""
    ) -> Sequence[ShownArticle]:
        """Return the articles that a list shows, with what it shows of them.

        `name` is `tag` for the page of a tag (the `group`), and `tags` for the list of all.
        """
        quote = '"' if 'href="' in html else "'"
        names = [each for each in _STATED.values() if _are_linked(each[-1], articles, html, quote)]
        title = Shown(("date", *chain(*names)), groups=_STATED.get(name, ()), group=group)
        excerpt = replace(title, text=True, separator=self._mark, words=self._words)
        shown: list[ShownArticle] = []
        at = textless = 0
        for article in filter(self._known.__contains__, articles):
            if textless == _TEXTLESS and not shown:
                break
            looks = textless < _TEXTLESS
            start, end, stated, size = self._phrases(article) if looks else ("", "", "", 0)
            text, summary = _find(html, start, at), _find(html, stated, at)
            if max(text, summary) >= 0:
                is_whole = text >= 0 and html.find(end, text, text + size) >= 0
                shown.append((article, None if is_whole else excerpt))
            else:
                textless += textless < _TEXTLESS
                text = _find(html, article.url + quote, at)
                shown += [(article, title)] if text >= 0 else []
            at = max(at, text, summary)
        if shown or name not in _GROUPS:
            return shown
        return [(article, Shown(_STATED[_GROUPS[name]], title=False)) for article in articles]

    def _phrases(self, article: Content) -> _Phrases:
        found = self._known[article] = self._known[article] or _phrases_of(article)
        return found


def _are_linked(name: str, articles: Sequence[Content], html: str, quote: str) -> bool:
    """Return whether a list links the `tags`, the `category` or the `authors` of its articles."""
    found: Iterable[Any] = (getattr(article, name, None) or () for article in articles)
    groups = (each if name != "category" else [each] for each in found if each)
    some = list(islice(chain.from_iterable(groups), _SOME))
    return bool(some) and all(each.url + quote in html for each in some)


def _find(html: str, phrase: str, after: int) -> int:
    """Return where a phrase is, usually soon after the last one found; -1 if nowhere."""
    if not phrase:
        return -1
    found = html.find(phrase, after)
    return found if found >= 0 else html.find(phrase)


def _phrases_of(article: Content) -> _Phrases:
    """Return phrases at the start, the end and in the stated summary, and the maximum length."""
    html, summary = article.content, str(article.metadata.get("summary") or "")
    start, end = _phrases(html[:_NEAR], article.title), _phrases(html[-_NEAR:], article.title)
    stated = _phrases(summary[:_NEAR], article.title)[0][:_PHRASE]
    return start[0][:_PHRASE], end[-1][-_PHRASE:], stated, 2 * len(html) + _NEAR


def _phrases(html: str, title: str) -> Sequence[str]:
    """Return the phrases of some HTML, without short ones if there are longer, or [""]."""
    phrases = [p for each in _BETWEEN.split(html) if (p := each.strip()) and p not in title]
    return [phrase for phrase in phrases if len(phrase) >= _SHORT] or phrases or [""]
