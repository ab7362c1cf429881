"""What a list shows of its articles. The theme decides, so this reads the written file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from pelican_sitemapkit.texts.groups import STATED
from textdates import Part
from textdates.parts import Shown, excerpt_in, phrases_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings
    from pelican_sitemapkit.texts.groups import Groups
    from textdates.parts import Draft, Phrases

    Links = Callable[[], Counter[str]]
    """Returns how often a list has each link, as `Groups` finds them."""

_TEXTLESS = 20
"""After so many articles without a text a list shows titles at most, or nothing of any."""

_GROUPS = {"tags": "tag", "categories": "category", "authors": "author"}
"""What lists of names contain."""

_SOME = 9
"""Number of articles to look at in a list, to see whether it names their tags and the like."""


class ListText(NamedTuple):
    """What a list shows of articles."""

    parts: list[Part]
    """Parts of their sources."""

    in_part: list[Content]
    """The articles that these are of."""

    whole: list[Content]
    """Other articles, of which it shows everything, or which have no source."""

    def add(self, article: Content, cut: Shown) -> None:
        """Add an article of which a list shows a part."""
        if article.source_path:
            self.parts.append(Part(article.source_path, cut))
            self.in_part.append(article)
        else:  # a plugin made it
            self.whole.append(article)


class _Found(NamedTuple):
    """The articles that a list shows."""

    whole: list[Content]
    in_part: list[Content]
    by_title: list[Content]


class Lists:
    """Reads lists of articles that are already written."""

    def __init__(self, settings: Settings, groups: Groups, drafts: tuple[Draft, ...]) -> None:
        """Start without a list; `drafts` are metadata of texts that no list shows."""
        self._mark = settings.get("SUMMARY_END_MARKER", "<!-- PELICAN_END_SUMMARY -->")
        self._words = settings["SUMMARY_MAX_LENGTH"] or 0
        self._drafts = drafts
        self._groups = groups
        self._phrases_of = cache(_phrases_of)

    def read(self, path: str, name: str, articles: Sequence[Content], group: str = "") -> ListText:
        """Return what a list, which was written to `path`, shows of which articles.

        `name` is `tag` for the page of a tag (the `group`), and `tags` for the list of all.
        """
        html = Path(path).read_text(encoding="utf-8", errors="replace")
        links = cache(lambda: self._groups.links_in(html))  # texts are often enough
        found = self._find(html, articles, links)
        text = ListText([], [], whole=found.whole)
        if name in _GROUPS and not any(found):
            # A list of names shows those of each article, and nothing else of it.
            stated = STATED[_GROUPS[name]]
            cut = Shown(stated, title=False, drafts=self._drafts)
            grouped = [each for each in articles if getattr(each, stated[-1], None)]
            for article in grouped or articles:
                text.add(article, cut)
            return text
        groups = STATED.get(name, ())
        in_group = Shown(groups=groups, group=group, title=False, drafts=self._drafts)
        if group:  # an article that is shown whole may leave the group
            for article in [*found.whole]:
                text.add(article, in_group)
        names = ["date"]
        some = [*found.whole, *found.in_part, *found.by_title][:_SOME]
        for stated in STATED.values():
            if self._groups.are_linked(stated[-1], some, links()):
                names += stated
        title = replace(in_group, names=tuple(names), title=True)
        excerpt = replace(title, text=True, separator=self._mark, words=self._words)
        for article in found.in_part:
            text.add(article, excerpt)
        for article in found.by_title:
            text.add(article, title)
        return text

    def _find(self, html: str, articles: Sequence[Content], links: Links) -> _Found:
        """Return the articles that a list shows whole, in part, and by their titles."""
        found = _Found([], [], [])
        # An iterator: what is behind the last that is looked for is asked for links alone.
        written = filter(self._groups.files.__contains__, articles)
        at = textless = 0
        for article in written:
            place, is_certain, is_whole = excerpt_in(html, self._phrases_of(article), at)
            if is_certain or self._is_linked(article, links):
                if is_whole:
                    found.whole.append(article)
                elif place >= 0:
                    found.in_part.append(article)
                else:
                    found.by_title.append(article)
            at = max(at, place)
            if place < 0:
                textless += 1
            if textless == _TEXTLESS:
                break
        if any(found):  # the others are not looked for in the HTML
            for article in written:
                if self._is_linked(article, links):
                    found.by_title.append(article)
        return found

    def _is_linked(self, article: Content, links: Links) -> bool:
        return links()[self._groups.url_of(article)] > 0


def _phrases_of(article: Content) -> Phrases:
    summary = str(article.metadata.get("summary") or "")
    return phrases_of(article.content, article.title, summary)
