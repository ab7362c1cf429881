"""What Material's lists show of other pages: the views of its blog, and its lists of tags.

A view renders its posts only when it is written, so the blog's settings determine what it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

    from textdates.parts import Shown

_PREFIXES = {"Archive": "archive_", "Category": "categories_", "Profile": "authors_profiles_"}
"""Prefixes of a view's own settings, by the class of the view."""


def shown_by_lists(config: MkDocsConfig) -> dict[File, tuple[Sequence[MkDocsPage], Shown]]:
    """Return the pages that each list shows and what it shows of them, by the file of the list."""
    lists: dict[File, tuple[Sequence[MkDocsPage], Shown]] = {}
    plugins: dict[str, Any] = {**config.plugins}
    for name, plugin in plugins.items():
        if name.startswith("material/blog") and plugin.config.enabled:
            separator = plugin.config.post_excerpt_separator
            excerpt = _cut(("date", "categories"), text=True, separator=separator)
            for view in (plugin.blog, *plugin.blog.views):
                lists[view.file] = _first_posts(view, plugin.config), excerpt
        elif name.startswith("material/tags"):
            for listing in getattr(plugin, "listings", None) or ():
                items = [mapping.item for tag in listing for mapping in tag.mappings]
                pages = [item for item in items if hasattr(item, "file")]  # others are elsewhere
                before, _ = lists.get(listing.page.file, ((), None))
                lists[listing.page.file] = [*before, *pages], _cut(("tags",))
    return lists


def _cut(names: tuple[str, ...], **more: Any) -> Shown:  # noqa: ANN401
    from textdates.parts import Shown  # noqa: PLC0415 - few sites have lists

    return Shown(names, **more)


def _first_posts(view: Any, settings: Any) -> Sequence[MkDocsPage]:  # noqa: ANN401 - Material has no types
    """Return the posts that the first page of a view shows."""
    posts: Sequence[MkDocsPage] = view.posts
    if not view.pages:
        return posts
    own = settings.get(f"{_PREFIXES.get(type(view).__name__, '')}pagination_per_page")
    return posts[: own or settings.pagination_per_page]
