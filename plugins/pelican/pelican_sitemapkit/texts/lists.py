"""What a list shows of its articles. The theme decides, so this reads the written file."""

from __future__ import annotations

from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pelican_sitemapkit.texts.groups import STATED
from textdates.parts import Shown, excerpt_in, phrases_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Sequence

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


class Lists:
    """Reads lists of articles that are already written."""

    def __init__(self, settings: Settings, groups: Groups, drafts: tuple[Draft, ...]) -> None:
        """Start without a list; `drafts` are metadata of texts that no list shows."""
        self._mark = settings.get("SUMMARY_END_MARKER", "<!-- PELICAN_END_SUMMARY -->")
        self._words = settings["SUMMARY_MAX_LENGTH"] or 0
        self._drafts = drafts
        self._groups = groups
        self._phrases_of = cache(_phrases_of)

    def read(
        self, path: str, name: str, articles: Sequence[Content], group: str = ""
    ) -> Sequence[tuple[Shown | None, Content]]:
        """Return what a list, which was written to `path`, shows of which articles.

        None is everything. `name` is `tag` for the page of a tag (the `group`), and `tags` for the
        list of all.
        """
        html = Path(path).read_text(encoding="utf-8", errors="replace")
        links = cache(lambda: self._groups.links_in(html))  # texts are often enough
        whole, excerpts, titles = found = self._find_all(html, articles, links)
        if name in _GROUPS and not any(found):
            stated = STATED[_GROUPS[name]]
            grouped = [each for each in articles if getattr(each, stated[-1], None)]
            names_of = Shown(stated, title=False, drafts=self._drafts)
            return [(names_of, each) for each in grouped or articles]
        some = [*islice(chain(*found), _SOME)]
        named = (n for n in STATED.values() if self._groups.are_linked(n[-1], some, links()))
        groups = STATED.get(name, ())
        in_group = Shown(groups=groups, group=group, title=False, drafts=self._drafts)
        title = replace(in_group, names=("date", *chain(*named)), title=True)
        excerpt = replace(title, text=True, separator=self._mark, words=self._words)
        shown = {None: whole, in_group: whole if group else [], excerpt: excerpts, title: titles}
        return [(cut, each) for cut, some in shown.items() for each in some]

    def _find_all(
        self, html: str, articles: Iterable[Content], links: Links
    ) -> tuple[list[Content], ...]:
        """Return the articles that a list shows whole, in part, and by their titles."""
        found: tuple[list[Content], ...] = [], [], []
        whole, excerpts, titles = found
        at = textless = 0
        written = filter(self._groups.files.__contains__, articles)
        for article in written:
            place, is_certain, is_whole = excerpt_in(html, self._phrases_of(article), at)
            if is_certain or self._is_linked(article, links):
                (whole if is_whole else excerpts if place >= 0 else titles).append(article)
            textless += place < 0
            at = max(at, place)
            if textless == _TEXTLESS:
                break
        if any(found):
            titles += [each for each in written if self._is_linked(each, links)]
        return found

    def _is_linked(self, article: Content, links: Links) -> bool:
        return links()[self._groups.url_of(article)] > 0


def _phrases_of(article: Content) -> Phrases:
    summary = str(article.metadata.get("summary") or "")
    return phrases_of(article.content, article.title, summary)
