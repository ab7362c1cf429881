"""What Material's lists show of other pages: the views of its blog, and its lists of tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs_sitemapkit.pages import own_source
from textdates import Part
from textdates.parts import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

    from mkdocs_sitemapkit.pages import MaterialList
    from sitemapkit import Page


def add_listed(
    pages: Mapping[File, Page], lists: Mapping[File, MaterialList], config: MkDocsConfig
) -> None:
    """Add to each list the parts of other pages that it shows."""
    for file, (listed, blog) in lists.items():
        if not (page := pages.get(file)):
            continue
        cut = Shown(("tags",))
        if blog:
            separator = blog.post_excerpt_separator
            cut = Shown(("date", "categories"), text=True, separator=separator)
        sources = [source for each in listed for source in own_source(each.file, each, config)]
        page.included = [*page.included, *(Part(each, cut) for each in dict.fromkeys(sources))]
