"""The posts of ablog, and what its lists show of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemapkit.dates import now

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

ShownPost = tuple[str, int]
"""The document of a post, and with how many words it begins in a list; 0: only its title."""

PostList = tuple[int | None, bool, tuple[str, ...]]
"""The most posts that `postlist` shows, whether with excerpts, and the labels that they have."""

_LABELS = ("tags", "author", "category", "location", "language")


def posts_by_document(env: BuildEnvironment) -> Mapping[str, Sequence[Any]]:
    """Return the posts of each document."""
    return getattr(env, "ablog_posts", {})


def is_published(post: Mapping[str, Any]) -> bool:
    """Return whether a post is no draft: those have no date, or one that is still to come."""
    return bool(post["date"]) and post["date"].astimezone() <= now()


def shown_on(app: Sphinx, template: str, context: Mapping[str, Any]) -> Sequence[ShownPost]:
    """Return the posts on a page that ablog made."""
    if template == "ablog/catalog.html":
        return [(post.docname, 0) for collection in context["catalog"] for post in collection]
    if template != "ablog/collection.html":
        return []
    has_excerpts = not app.config.blog_archive_titles
    return [_shown(post.options, has_excerpts=has_excerpts) for post in context["collection"]]


def lists_in(doctree: nodes.document) -> Sequence[PostList]:
    """Return the lists of posts in a document that was just read."""
    lists: list[PostList] = []
    for node in doctree.findall():
        if type(node).__name__ == "PostList":
            stated: Any = node
            labels = [label for name in _LABELS for label in stated[name]]
            lists.append((stated["length"], stated["excerpts"], tuple(labels)))
    return lists


def shown_in(env: BuildEnvironment, document: str, postlist: PostList) -> Sequence[ShownPost]:
    """Return the posts that a list in a document shows: the newest that have its labels."""
    length, has_excerpts, labels = postlist
    posts: list[Any] = []
    for own in posts_by_document(env).values():
        for post in own:
            known = {label for name in _LABELS for label in post[name]}
            is_listed = known.issuperset(labels) if labels else post["docname"] != document
            if is_listed and is_published(post):
                posts.append(post)
    posts.sort(key=lambda post: (post["date"], post["title"]), reverse=True)
    return [_shown(post, has_excerpts=has_excerpts) for post in posts[:length]]


def _shown(post: Mapping[str, Any], *, has_excerpts: bool) -> ShownPost:
    texts = [each.astext() for each in post["excerpt"]] if has_excerpts else []
    words = " ".join(texts).split()
    return post["docname"], len(post["title"].split()) + len(words) if words else 0
