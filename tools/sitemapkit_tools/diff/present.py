"""The finished site as it is now: which addresses it answers, and what its pages say."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.site.canonical import redirect_of, redirects
from sitemapkit_tools.site.directory import answers
from sitemapkit_tools.site.judgement import Classifier
from sitemapkit_tools.site.read_pages import ReadOptions, no_progress, read_pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress, PageRead


class Present:
    """The site in a directory."""

    def __init__(self, tree: OutputDir, reads: Sequence[PageRead]) -> None:
        """Take what was read of its pages, with their words."""
        self.tree = tree
        self.answer = answers(tree, reads)
        self._reads = reads

    @cached_property
    def pages(self) -> Mapping[str, PageRead]:
        """The pages with a text of their own, by URL: no redirects, error or search pages."""
        classify = Classifier(self.tree, self._reads)
        return {
            self.tree.url_of(read.file): read
            for read in self._reads
            if not (read.error or read.facts.head.refresh or classify.kind(read) == "generated")
        }

    def end(self, url: str) -> str | None:
        """Return the URL of the page that readers of an address arrive at; None if it is dead.

        They also follow the only link of a page that says it has moved.
        """
        seen: set[str] = set()
        while url not in seen:
            seen.add(url)
            at = redirects(url, self.answer)[-1]
            status = self.answer(at)
            if status is None:  # outside the site
                return at if not at.startswith(self.tree.base_url) else None
            if status.is_gone or redirect_of(at, status):
                return None
            page = self.pages.get(at)
            to = page and page.words and page.words.points_to
            target = resolve_or_none(to, at) if to else None
            after = self.answer(target) if target else None
            if not target or not after or after.is_gone:
                return at
            url = target
        return url


def read_present(tree: OutputDir, *, on_progress: OnProgress = no_progress) -> Present:
    """Read all pages of a site."""
    options = ReadOptions(words=True)
    return Present(tree, list(read_pages(tree, tree.pages(), options, on_progress=on_progress)))
