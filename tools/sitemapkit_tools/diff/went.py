"""Where the page of a dead address is now: the new page that has most of its words.

The page that takes the place of another one is new: one that was there beside it is a sibling,
however alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.words import PageWords, read_words, segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapkit_tools.diff.present import Present
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress

_FEW = 20
"""Words below which two pages with the same ones, and other titles, need not be one page."""

_HELD, _NAMED = 0.5, 0.1
"""Which part of the old words it has at least: under another name and title, under the same."""

_MARGIN = 0.2
"""How much less any other new page has."""


def successors(
    dead: Iterable[str], old: OutputDir, present: Present, on_progress: OnProgress
) -> Iterator[tuple[str, str]]:
    """Yield the dead addresses whose page is elsewhere now, and where it is."""
    files = {old.url_of(file): file for file in old.pages()}
    new = {
        url: (read.words, {*read.words.all_shingles()})
        for url, read in present.pages.items()
        if url not in files and read.words and read.words.count
    }
    for url in dead:
        on_progress(1)
        file = files.get(url)
        words = read_words(old.read(file, MAX_PAGE), url) if file and new else PageWords()
        if found := _successor(url, words, new):
            yield url, found


def _successor(url: str, words: PageWords, new: dict[str, tuple[PageWords, set[int]]]) -> str:
    own = {*words.all_shingles()}
    held = {
        other: len(own & shingles) / len(own)
        for other, (each, shingles) in new.items()
        if own and each.lang in ("", words.lang or each.lang)
    }
    first, second = (*sorted(held, key=held.__getitem__, reverse=True), "", "")[:2]
    if not first:
        return ""
    other = new[first][0]
    is_clear = held[first] - held.get(second, 0) >= _MARGIN
    has_title = other.title == words.title
    if words.count < _FEW:
        return first if is_clear and has_title and other.digest == words.digest else ""
    if other.digest == words.digest:
        is_only = not second or new[second][0].digest != words.digest
        return first if is_only else ""
    is_named = has_title or segment(first) == segment(url)
    return first if is_clear and held[first] >= (_NAMED if is_named else _HELD) else ""
