"""What a comparison reads of the pages of a site: each page once, whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit_tools.site.read_pages import (
    ReadOptions,
    no_progress,
    read_pages,
    read_site,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit_tools.site.links import Links
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress, PageRead


class SiteReading:
    """The pages of a site in a directory, as far as they have been read."""

    def __init__(self, tree: OutputDir) -> None:
        """Begin with no page."""
        self.tree = tree
        self._site: tuple[list[PageRead], Links] | None = None
        self._known: dict[str, PageRead] = {}

    def all(
        self,
        on_progress: OnProgress = no_progress,
        *,
        jobs: int | None = None,
        below_head: bool = False,
    ) -> tuple[list[PageRead], Links]:
        """Return what is read of all pages, and where they link to.

        Who asks for what is below the heads asks first.
        """
        if self._site is None:
            options = ReadOptions(links=True, body=True, below_head=below_head)
            pages = self.tree.pages()
            self._site = read_site(self.tree, pages, options, jobs=jobs, on_progress=on_progress)
            self._known = {read.file: read for read in self._site[0]}
        return self._site

    def some(self, files: Sequence[str], on_progress: OnProgress = no_progress) -> list[PageRead]:
        """Return what the heads of some files say, in the order given."""
        unknown = [file for file in files if file not in self._known]
        for read in read_pages(self.tree, unknown, on_progress=on_progress):
            self._known[read.file] = read
        return [self._known[file] for file in files]
