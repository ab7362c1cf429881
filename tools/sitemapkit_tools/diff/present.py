"""The finished site as it is now: which addresses it answers, and what its pages say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.site.canonical import redirect_of, redirects
from sitemapkit_tools.site.directory import answers
from sitemapkit_tools.site.read_pages import ReadOptions, no_progress, read_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress, PageRead
    from sitemapkit_tools.site.words import PageWords


class Present:
    """The site in a directory."""

    def __init__(self, tree: OutputDir, reads: Sequence[PageRead]) -> None:
        """Take what was read of its pages, with their words."""
        self._tree = tree
        self._answer = answers(tree, reads)
        self._words = {read.file: read.words for read in reads}

    def words(self, url: str) -> PageWords | None:
        """Return what the page at a URL says; None if no HTML file is there."""
        route = self._tree.route(url)
        return self._words.get(route.file) if route else None

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
            words = self._words.get(status.location)
            target = resolve_or_none(words.points_to, at) if words and words.points_to else None
            after = self._answer(target) if target else None
            if not target or not after or after.is_gone:
                return at
            url = target
        return url


def read_present(tree: OutputDir, *, on_progress: OnProgress = no_progress) -> Present:
    """Read all pages of a site."""
    options = ReadOptions(words=True)
    return Present(tree, list(read_pages(tree, tree.pages(), options, on_progress=on_progress)))
