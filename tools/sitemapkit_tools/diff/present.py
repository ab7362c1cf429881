"""The finished site as it is now: which addresses it answers, and what its pages say."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitemapkit.parsing import as_utf8
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.canonical import redirect_of, redirects
from sitemapkit_tools.site.directory import answers
from sitemapkit_tools.site.output_dir import is_page
from sitemapkit_tools.site.read_pages import ReadOptions, no_progress, read_pages
from sitemapkit_tools.site.words import heading_words, plain

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress, PageRead
    from sitemapkit_tools.site.words import PageWords


class Present:
    """The site in a directory."""

    def __init__(self, tree: OutputDir, reads: Sequence[PageRead]) -> None:
        """Take what was read of all its pages."""
        self._tree = tree
        self._reads = reads
        self._answer = answers(tree, reads)
        self._words: dict[str, PageWords | None] = {}

    def words(self, url: str) -> PageWords | None:
        """Return what the page at a URL says; None if no HTML file is there."""
        route = self._tree.route(url)
        return self._words_of(route.file) if route and is_page(route.file) else None

    def _words_of(self, file: str) -> PageWords | None:
        if file not in self._words:
            self.read_words([file])
        return self._words[file]

    def read_words(self, files: Sequence[str], on_progress: OnProgress = no_progress) -> None:
        """Read what some pages say, of which it will be asked."""
        options = ReadOptions(words=True)
        for read in read_pages(self._tree, files, options, on_progress=on_progress):
            self._words[read.file] = read.words

    def named(self, titles: Set[str]) -> set[str]:
        """Return the files of the pages that may have one of these titles."""
        found: set[str] = set()
        pages_with: dict[str, list[str]] = defaultdict(list)
        for read in self._reads:
            words = None if read.error else heading_words(self._html(read.file))
            if words is None or plain(read.facts.title) in titles:
                found.add(read.file)
                continue
            for word in words:
                pages_with[word].append(read.file)
        for title in titles:
            rarest = min(title.split(), key=lambda word: len(pages_with.get(word, ())))
            found.update(pages_with.get(rarest, ()))
        return found

    def _html(self, file: str) -> bytes:
        return as_utf8(self._tree.read(file, MAX_PAGE))

    def end(self, url: str) -> str | None:
        """Return the URL of the page that readers of an address arrive at; None if it is dead.

        They also follow the only link of a page that says it has moved.
        """
        seen: set[str] = set()
        while url not in seen:
            seen.add(url)
            at = redirects(url, self._answer)[-1]
            status = self._answer(at)
            if status is None:  # out of the site, where nobody looked
                return at
            if status.is_gone or redirect_of(at, status):
                return None
            words = self._words_of(status.location) if is_page(status.location) else None
            target = resolve_or_none(words.points_to, at) if words and words.points_to else None
            after = self._answer(target) if target else None
            if not target or not after or after.is_gone:
                return at
            url = target
        return url
