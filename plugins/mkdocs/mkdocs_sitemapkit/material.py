"""What Material's blog and tags know of posts, and of lists of pages.

Material is not imported, and does not have to be installed: what it knows is read from its plugins
and from attributes of MkDocs' pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mkdocs.config.base import Config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

_OPTION_STARTS = {
    "Archive": "archive_",
    "Category": "categories_",
    "Profile": "authors_profiles_",
}
"""How the options of a view begin, by the class of the view; those of the others have no prefix."""


class MaterialList(NamedTuple):
    """A list of other pages: a view of Material's blog, or a page with lists of tags."""

    members: Sequence[MkDocsPage]
    """The pages that it shows."""

    blog: Any
    """The settings of the blog; None for tags."""


def post_of(page: MkDocsPage) -> dict[str, Any] | None:
    """Return the front matter of a post of Material's blog, with defaults; None for other pages."""
    settings: object = getattr(page, "config", None)
    if isinstance(settings, Config) and "date" in settings:
        return dict(settings)
    return None


def material_lists(config: MkDocsConfig) -> dict[File, MaterialList]:
    """Return the lists of Material's blog and of its tags, by their files.

    A view of the blog renders its posts only when it is written, so settings determine which
    posts it shows.
    """
    lists: dict[File, MaterialList] = {}
    plugins: dict[str, Any] = {**config.plugins}
    for name, plugin in plugins.items():
        if name.startswith("material/blog") and plugin.config.enabled:
            for view in (plugin.blog, *plugin.blog.views):
                lists[view.file] = MaterialList(_first_posts(view, plugin.config), plugin.config)
        elif name.startswith("material/tags"):
            for listing in getattr(plugin, "listings", None) or ():
                file = listing.page.file  # a page may have several lists
                before = lists[file].members if file in lists else ()
                lists[file] = MaterialList([*before, *_tagged(listing)], None)
    return lists


def _first_posts(view: Any, settings: Any) -> Sequence[MkDocsPage]:  # noqa: ANN401 - Material has no types
    """Return the posts that the first page of a view shows."""
    posts: Sequence[MkDocsPage] = view.posts
    if not view.pages:
        return posts
    start = _OPTION_STARTS.get(type(view).__name__, "")
    count = settings.get(f"{start}pagination_per_page") or settings.pagination_per_page
    return posts[:count]


def _tagged(listing: Any) -> Sequence[MkDocsPage]:  # noqa: ANN401
    """Return the pages in a list of tags."""
    pages: list[MkDocsPage] = []
    for tag in listing:
        for mapping in tag.mappings:
            if hasattr(mapping.item, "file"):  # others are links to elsewhere
                pages.append(mapping.item)
    return pages
