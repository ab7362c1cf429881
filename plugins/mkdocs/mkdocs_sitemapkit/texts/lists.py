"""What Material's lists show of other pages: the views of its blog, and its lists of tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mkdocs_sitemapkit.material import post_of
from mkdocs_sitemapkit.sources import own_source
from textdates import Part
from textdates.parts import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

    from mkdocs_sitemapkit.material import MaterialList
    from mkdocs_sitemapkit.texts import Text
    from textdates.parts import Draft


def add_members(
    texts: Mapping[File, Text],
    lists: Mapping[File, MaterialList],
    config: MkDocsConfig,
    drafts: tuple[Draft, ...],
) -> None:
    """Add to the text of each list the parts of other pages that it shows."""
    for file, (members, blog) in lists.items():
        if file not in texts:
            continue
        cut = Shown(("tags",))
        if blog:
            mark = blog.post_excerpt_separator
            cut = Shown(("date", "categories"), text=True, separator=mark)
        cut_of_post = replace(cut, drafts=drafts)
        shown: dict[Part, None] = {}  # a page may have several of the tags
        for member in members:
            own_cut = cut_of_post if post_of(member) else cut
            for source in own_source(member.file, member, config):
                shown[Part(source, own_cut)] = None
        texts[file].included += shown
