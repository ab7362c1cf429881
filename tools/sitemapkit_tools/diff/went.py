"""Where the page of a dead address is now: the new page that has its text, or else its title.

That is said only where one page has it: of two, nobody knows which. A page that was listed before
is another page, however alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit_tools.site.output_dir import is_page
from sitemapkit_tools.site.read_pages import ReadOptions, read_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from sitemapkit_tools.diff.compare import FoundBy
    from sitemapkit_tools.diff.load import LoadedSite
    from sitemapkit_tools.diff.present import Present
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.site.words import PageWords

_FEW = 20
"""Words below which two pages with the same ones, and other titles, need not be one page."""


class Successor(NamedTuple):
    """The page that has taken the place of another one."""

    url: str
    found_by: FoundBy


def find_successors(
    dead: Sequence[str],
    old: LoadedSite,
    new: LoadedSite,
    present: Present,
    on_progress: OnProgress,
) -> Mapping[str, Successor]:
    """Return where the pages of dead addresses are now, as far as their words tell."""
    gone = _old_words(dead, old, on_progress)
    if not gone:
        return {}
    titles = Counter((words.lang, title) for words in gone.values() for title in words.titles)
    by_text, by_title = _now(new, old, present, {title for _, title in titles}, on_progress)
    found: dict[str, Successor] = {}
    for url, words in gone.items():
        same_text: Sequence[str] = (
            by_text.get((words.lang, words.digest), ()) if words.count >= _FEW else []
        )
        same_title: set[str] = set()
        for title in words.titles:
            alike = by_title.get((words.lang, title), ())
            if len(alike) == 1 and titles[words.lang, title] == 1:
                same_title.update(alike)
        same_title.difference_update(old.elements)
        if len(same_text) == 1:
            found[url] = Successor(same_text[0], "text")
        elif not same_text and len(same_title) == 1:
            found[url] = Successor(same_title.pop(), "title")
    return found


def _now(
    new: LoadedSite,
    old: LoadedSite,
    present: Present,
    titles: Set[str],
    on_progress: OnProgress,
) -> tuple[Mapping[tuple[str, bytes], Sequence[str]], Mapping[tuple[str, str], Sequence[str]]]:
    """Return the URLs of the new pages by their text, and of all that may have a title by that."""
    named = present.named(titles)
    asked: dict[str, str] = {}
    for url, file in _pages(new, new.elements).items():
        if url not in old.elements or file in named:
            asked[url] = file
    present.read_words(sorted({*asked.values()}), on_progress)
    by_text: dict[tuple[str, bytes], list[str]] = defaultdict(list)
    by_title: dict[tuple[str, str], list[str]] = defaultdict(list)
    for url in asked:
        words = present.words(url)
        if words is None:
            continue
        if url not in old.elements:
            by_text[words.lang, words.digest].append(url)
        for title in words.titles:
            by_title[words.lang, title].append(url)
    return by_text, by_title


def _old_words(
    urls: Sequence[str], old: LoadedSite, on_progress: OnProgress
) -> Mapping[str, PageWords]:
    """Return what the pages at some URLs said."""
    if old.tree is None:
        return {}
    at = {file: url for url, file in _pages(old, urls).items()}
    found: dict[str, PageWords] = {}
    options = ReadOptions(words=True)
    for read in read_pages(old.tree, sorted(at), options, on_progress=on_progress):
        if read.words:
            found[at[read.file]] = read.words
    return found


def _pages(site: LoadedSite, urls: Iterable[str]) -> Mapping[str, str]:
    """Return the HTML files that some URLs of a site lead to."""
    found: dict[str, str] = {}
    for url in urls:
        route = site.tree.route(url) if site.tree else None
        if route and is_page(route.file):
            found[url] = route.file
    return found
