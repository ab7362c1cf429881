"""What ablog publishes: its lists, and what they show of posts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx

ShownPost = tuple[str, int]
"""The document of a post, and with how many words it begins in a list; 0: only its title."""

PostList = tuple[int | None, bool, tuple[tuple[str, str], ...]]
"""The most posts that `postlist` shows, whether with excerpts, and which labels they have."""

_KINDS = ("tags", "author", "category", "location", "language")
"""Of labels."""


class Blog:
    """The posts of a site, as ablog sorts them; none where it is not in use."""

    def __init__(self, app: Sphinx) -> None:
        """Ask ablog, which has registered all posts, or does so now."""
        self._ablog: Any = None
        self.drafts: set[str] = set()
        """Documents of drafts alone, and the page that lists these."""

        self.lists: dict[str, Sequence[ShownPost]] = {}
        """What each list shows that ablog makes, by its name."""

        if "ablog" not in app.extensions:
            return
        self._ablog = import_module("ablog.blog").Blog(app)
        if not self._ablog:
            import_module("ablog.post").register_posts(app)
        published = {each.docname for each in self._ablog.posts}
        drafts = {each.docname for each in self._ablog.drafts}
        self.drafts = drafts - published | {self._ablog.drafts.docname}
        has_excerpts = not app.config.blog_archive_titles
        for catalog in (*self._ablog.catalogs.values(), self._ablog.archive, self._ablog.blog):
            titles: list[ShownPost] = []
            for collection in catalog:
                self.lists[collection.docname] = _shown(collection, has_excerpts=has_excerpts)
                titles += _shown(collection, has_excerpts=False)
            self.lists.setdefault(catalog.docname, titles)

    def shown_by(self, postlist: PostList, document: str) -> Sequence[ShownPost]:
        """Return what a list in a document shows."""
        length, has_excerpts, labels = postlist
        if not labels:
            return _shown(self._ablog.recent(length, document), has_excerpts=has_excerpts)
        posts = set(self._ablog.posts)
        for kind, label in labels:
            posts.intersection_update(self._ablog.catalogs[kind][label])
        newest = sorted(posts, reverse=True)[:length]
        return _shown(newest, has_excerpts=has_excerpts)


def lists_in(doctree: nodes.document) -> Sequence[PostList]:
    """Return the lists of posts in a document that was just read."""
    lists: list[PostList] = []
    for node in doctree.findall():
        if type(node).__name__ == "PostList":
            stated: Any = node
            labels = [(kind, label) for kind in _KINDS for label in stated[kind]]
            lists.append((stated["length"], stated["excerpts"], tuple(labels)))
    return lists


def _shown(posts: Iterable[Any], *, has_excerpts: bool) -> Sequence[ShownPost]:
    shown: list[ShownPost] = []
    for post in posts:
        words = 0
        if has_excerpts:
            texts = [post.title, *(each.astext() for each in post.excerpt)]
            words = len(" ".join(texts).split())
        shown.append((post.docname, words))
    return shown
