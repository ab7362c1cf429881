"""Which source made which page of a site, whatever generator wrote it.

A page is made of the file that its edit link names, or else of one whose path is like its own. Each
must show its words in the page. Where two pages or two sources are alike, none is taken.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit.parsing import parse_html
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.sources.alike_paths import Alike, AlikePaths, Key, Pair, alike, key_of
from sitemapkit_tools.sources.edit_links import edited_file
from sitemapkit_tools.sources.shared_words import (
    PROGRAMS,
    overlap,
    words_of_page,
    words_of_source,
)
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set
    from pathlib import Path

    from selectolax.lexbor import LexborHTMLParser

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.shared_words import Overlap

_LEAST = 0.5
"""Which part of a source's words must be in a page that links to it: of right sources 98 % have
0.8 or more, and of others half have 0.13 or less."""

_LEAST_BY_PATH = 0.7
_LEAST_ALIKE = 0.1
"""Which part of all words a page and a source of its path have in common: in a list of pages or one
that shows several of them, it is less."""

_FEW_WORDS = 8
"""A source with fewer words says little."""

_SOME_PAGES, _MORE_PAGES = 2, 3
"""How many pages of a folder have sources in another, at least: for any text, for a short one."""

_OFTEN_CONTENTS = (
    *("", "content", "docs", "pages", "site", "source"),
    *("src", "src/content", "src/content/docs", "src/pages"),
)
"""Folders of a project whose texts often are the pages at the root of its site; that counts as much
as pages of the same names."""

_TEXTS = (
    *(".md", ".mdx", ".mdoc", ".markdown", ".rst", ".adoc", ".asciidoc", ".org", ".txt"),
    *(".html", ".htm", ".njk", ".liquid", ".webc", ".hbs", ".ejs", ".pug", ".haml"),
)
"""Suffixes of the texts that are looked for by their paths, beside programs."""


class Texts(NamedTuple):
    """The files that pages may be made from."""

    root: Path
    text: Callable[[Path], str]
    """Returns that of a file, "" if it cannot be read."""

    files: Set[str]
    """Paths below the root."""

    branches: Set[str]
    """The names of what is checked out."""

    folder: str = ""
    """The folder of the project below the root."""

    def read(self, file: str) -> str:
        """Return the text of a file; of one that is not there any more, nothing."""
        path = self.root / file
        return self.text(path) if is_file(path) else ""


class PageSource(NamedTuple):
    """The source of a page."""

    file: str
    is_named: bool = False
    """Whether names tell, too: the edit link of the page, or the end of its path."""

    is_untranslated: bool = False
    """Whether the page is a copy, among those of its language, of one in another."""


class _Fit(NamedTuple):
    """A source, and how much a page has the same words."""

    source: str
    overlap: Overlap


class _Match(NamedTuple):
    """A source whose path is like that of a page."""

    alike: Alike
    overlap: Overlap
    has_few_words: bool


class _Read(NamedTuple):
    """What is kept of one page."""

    lang: str
    branch: str = ""
    """What its edit link names."""

    linked: _Fit | None = None
    """The file that its edit link names, if it shows the words of that."""

    matches: Sequence[_Match] = ()
    """Else what is like it by its path."""


def find_sources(site: OutputDir, pages: Iterable[str], texts: Texts) -> Mapping[str, PageSource]:
    """Return the sources of pages, as far as they are certain."""
    finder = _Finder(site, texts)
    reads = _of_one_branch({page: finder.read(page) for page in pages}, texts.branches)
    linked = {page: read.linked for page, read in reads.items() if read.linked}
    counts = Counter(fit.source for fit in linked.values())
    others: dict[str, Sequence[_Match]] = {}
    for page, read in reads.items():
        if not read.linked:
            others[page] = read.matches
        elif counts[read.linked.source] > 1:  # as from the pages of all versions
            others[page] = finder.better(page, read.linked)
    found = {**linked, **finder.best(others, linked)}

    sharing: dict[str, dict[str, float]] = defaultdict(dict)
    for page, fit in found.items():
        sharing[fit.source][page] = fit.overlap.of_source
    owned: dict[str, PageSource] = {}
    for source, sharers in sharing.items():
        own = {page: _without_language(page, reads[page].lang) for page in sharers}
        owner = _owner(source, sharers, own)
        for page in sharers:
            if owner in (page, own[page]):
                is_linked = page in linked and linked[page].source == source
                is_named = is_linked or _has_name_of(source, page)
                owned[page] = PageSource(source, is_named, is_untranslated=page != owner)
    return owned


def _has_name_of(source: str, page: str) -> bool:
    """Return whether the path of a source ends as that of a page does."""
    own, name = key_of(source), key_of(page)
    return own[len(own) - len(name) :] == name


def _of_one_branch(reads: Mapping[str, _Read], branches: Set[str]) -> Mapping[str, _Read]:
    """Return pages without those whose edit links name a branch that is not checked out.

    If all name the same, it may be checked out under another name.
    """
    named = {read.branch for read in reads.values() if read.branch}
    others = named - branches if len(named) > 1 else set[str]()
    return {page: read for page, read in reads.items() if read.branch not in others}


class _Finder:
    """What is read of the pages and sources of a site."""

    def __init__(self, site: OutputDir, texts: Texts) -> None:
        """Take the files, but templates of several pages (`[id].md`), which are sources of none."""
        self._site, self._texts = site, texts
        self._files = {file for file in texts.files if "[" not in file}
        self._paths = AlikePaths(sorted(f for f in self._files if f.endswith((*_TEXTS, *PROGRAMS))))
        self._words_of = cache(self._read_words)

    def _read_words(self, file: str) -> Set[str]:
        return words_of_source(self._texts.read(file), posixpath.splitext(file)[1])

    def read(self, page: str) -> _Read:
        """Return what the edit link of a page says; if that is not believed, what is like it."""
        tree = self._tree(page)
        root = tree.css_first("html[lang]")
        lang = (root.attributes.get("lang") or "").lower() if root else ""
        edited = edited_file(tree, self._files)
        words = words_of_page(tree)
        if edited:
            same = overlap(self._words_of(edited.file), words)
            if same.of_source >= _LEAST:
                return _Read(lang, edited.branch, _Fit(edited.file, same))
        branch = edited.branch if edited else ""
        return _Read(lang, branch, matches=self._matching(self._paths.of(page), words))

    def better(self, page: str, linked: _Fit) -> Sequence[_Match]:
        """Return what is like a page by its path, and more than what its edit link names."""
        matches = self._matching(self._paths.of(page), words_of_page(self._tree(page)))
        return [match for match in matches if match.overlap > linked.overlap]

    def _tree(self, page: str) -> LexborHTMLParser:
        return parse_html(self._site.read(page, MAX_PAGE))

    def _matching(self, those: Iterable[Alike], words: Set[str]) -> Sequence[_Match]:
        found: list[_Match] = []
        for each in those:
            own = self._words_of(each.source)
            same = overlap(own, words)
            if same.of_source >= _LEAST and same.alike >= _LEAST_ALIKE:
                found.append(_Match(each, same, len(own) < _FEW_WORDS))
        return found

    def best(
        self, matches: Mapping[str, Sequence[_Match]], linked: Mapping[str, _Fit]
    ) -> Mapping[str, _Fit]:
        """Return the source of each page whose path and words are most like it, if one is."""
        pairs = self._pairs(matches, linked)
        folders: dict[Key, list[Pair]] = defaultdict(list)
        for pair in pairs:
            folders[pair.pages].append(pair)
        found: dict[str, _Fit] = {}
        for page, of_name in matches.items():
            both = [*of_name]
            indexes = [*self._paths.indexes(folders[key_of(page)])]
            if indexes:
                both += self._matching(indexes, words_of_page(self._tree(page)))
            if best := _best(both, pairs):
                found[page] = best
        return found

    def _pairs(
        self, matches: Mapping[str, Sequence[_Match]], linked: Mapping[str, _Fit]
    ) -> Mapping[Pair, int]:
        """Return how many pages of a folder have sources in another, if that is no accident."""
        counts = Counter[Pair]()
        for page, fit in linked.items():
            same = alike(page, fit.source)
            if same and page not in matches:
                counts[same.pair] += 1
        for found in matches.values():
            counts.update({match.alike.pair for match in found})
        for each in _OFTEN_CONTENTS:
            counts[Pair((), key_of(f"{self._texts.folder}/{each}/"))] += _MORE_PAGES
        return {pair: count for pair, count in counts.items() if count >= _SOME_PAGES}


def _best(matches: Iterable[_Match], pairs: Mapping[Pair, int]) -> _Fit | None:
    """Return the source that is most like a page, if it is that by its words and by its path."""
    fit = [each for each in matches if _is_enough(each, pairs.get(each.alike.pair, 0))]
    if not fit:
        return None
    most = max(each.overlap for each in fit)
    longest = max(each.alike.common for each in fit)
    best = {each.alike.source for each in fit if each.overlap == most}
    is_longest = any(each.overlap == most and each.alike.common == longest for each in fit)
    return _Fit(best.pop(), most) if len(best) == 1 and is_longest else None


def _is_enough(match: _Match, pages: int) -> bool:
    if match.has_few_words:
        return pages >= _MORE_PAGES
    return pages >= _SOME_PAGES and match.overlap.of_source >= _LEAST_BY_PATH


def _owner(source: str, sharers: Mapping[str, float], own: Mapping[str, str]) -> str:
    """Return the one page that a source is of, among those that could be made of it, or "".

    It has most of its words. Others that have as many may be copies: for want of a translation, of
    another version, in which case it is the one without a folder of its own; or lists that show the
    whole text, which have other names.
    """
    most = max(sharers.values())
    pages = sorted((page for page in sharers if sharers[page] == most), key=len)
    first = pages[0]
    if all(f"/{page}".endswith(f"/{first}") or own[page] == first for page in pages):
        return first
    named = [page for page in pages if key_of(page)[-1:] == key_of(source)[-1:]]
    return named[0] if len(named) == 1 else ""


def _without_language(page: str, lang: str) -> str:
    """Return the path of a page without the folder of its language, `fr` or `pt-br`."""
    parts = page.split("/")
    folder = next((part for part in parts[:-1] if part.lower() in (lang, lang[:2])), None)
    return "/".join(part for part in parts if part != folder)
