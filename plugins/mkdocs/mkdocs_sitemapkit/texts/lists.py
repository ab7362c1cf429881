"""What Material's lists show of other pages: the views of its blog, and its lists of tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mkdocs_sitemapkit.pages import own_source, post_of
from textdates import Part
from textdates.parts import Draft, Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

    from mkdocs_sitemapkit.pages import MaterialList
    from sitemapkit import Page


_DRAFTS = (Draft("draft", ("true", "yes", "on")),)
"""Metadata of posts that Material does not publish."""


def drafts_in(lists: Mapping[File, MaterialList]) -> tuple[Draft, ...]:
    """Return with which metadata posts are not published.

    A post that was a draft is new to its readers from the day on which it is none.
    """
    blogs = [blog for _, blog in lists.values() if blog]
    return () if any(blog.draft for blog in blogs) else _DRAFTS


def add_members(
    pages: Mapping[File, Page], lists: Mapping[File, MaterialList], config: MkDocsConfig
) -> None:
    """Add to each list the parts of other pages that it shows."""
    drafts = drafts_in(lists)
    for file, (members, blog) in lists.items():
        if not (page := pages.get(file)):
            continue
        cut = Shown(("tags",))
        if blog:
            separator = blog.post_excerpt_separator
            cut = Shown(("date", "categories"), text=True, separator=separator)
        of_post = replace(cut, drafts=drafts)
        shown = {
            Part(source, of_post if post_of(each) else cut): None
            for each in members
            for source in own_source(each.file, each, config)
        }
        page.included = [*page.included, *shown]
