"""Whether pages name the tags, categories and authors of articles: by links that a theme writes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapkit.content import main_content

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings

STATED = {"tag": ("tags",), "category": ("category",), "author": ("author", "authors")}
"""Metadata that put an article into a group; the last is also the article's attribute."""

_LINK = r"""(?x)
    href=["']?     # themes may quote addresses or not
    (?:{site})?    # the site's URL
    [./]*          # folders such as `..`
    (
        [^"'\s>]*                        # the address below it
        (?: [ ] [^"'=>\r\n]*+ (?=["']) )?  # and what is behind a space, if a quote ends it
    )
    """

_FEW = 3
"""Number of pages to look at: a theme names groups on all pages of a template alike."""


class Groups:
    """The groups of the texts that are already written."""

    def __init__(self, settings: Settings) -> None:
        """Start without a text."""
        self.files: dict[Content, str] = {}
        """Texts that were written, and their paths."""

        self.url_of = cache(_url_of)  # Pelican makes it anew each time
        self._urls = defaultdict[str, set[str]](set)
        self._link = re.compile(_LINK.format(site=re.escape(settings["SITEURL"])))

    def add(self, content: Content, path: str) -> None:
        """Add a text that was written to `path`."""
        self.files[content] = path
        for *_, name in STATED.values():
            self._urls[name].update(self._urls_of(content, name))

    def links_in(self, html: str) -> Counter[str]:
        """Return how often HTML has each link, below the site's URL."""
        return Counter(self._link.findall(html))

    def named_on(self, contents: Sequence[Content]) -> Iterator[str]:
        """Yield the metadata whose groups pages of one template name in their main content.

        A text in all groups of a site, such as its only category, does not tell.
        """
        for names in STATED.values():
            urls = ((each, {*self._urls_of(each, names[-1])}) for each in contents)
            telling = (each for each, own in urls if own and own < self._urls[names[-1]])
            few = islice(telling, _FEW)
            if any(self.are_linked(names[-1], [each], self._links_on(each)) for each in few):
                yield from names

    def are_linked(self, name: str, articles: Iterable[Content], links: Counter[str]) -> bool:
        """Return whether links name the `tags`, the `category` or the `authors` of each article.

        A menu links each group once, and a cloud all or some of them: one that no article is in
        is linked as often then.
        """
        own = Counter(chain.from_iterable(self._urls_of(each, name) for each in articles))
        others = (links.keys() & self._urls[name]) - own.keys()
        most = max((links[url] for url in others), default=0)
        more = [links[url] - count for url, count in own.items()]
        return min(more, default=-1) >= 0 and max(more) >= most

    def _links_on(self, content: Content) -> Counter[str]:
        """Return the links in the main content of a text's page; none if a plugin removed it."""
        file = Path(self.files[content])
        main = main_content(file.read_bytes() if file.is_file() else b"")
        return self.links_in(main.html or "" if main else "")

    def _urls_of(self, content: Content, name: str) -> Sequence[str]:
        found: Any = getattr(content, name, None)
        groups = [found] if name == "category" else found or ()
        return [self.url_of(each) for each in filter(None, groups)]


def _url_of(linked: Any) -> str:  # noqa: ANN401 - an article, a tag or the like
    # A setting may leave a group without a URL; then it is False or None.
    return str(linked.url).lstrip("./")
