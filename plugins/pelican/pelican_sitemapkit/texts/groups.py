"""Whether pages name the tags, categories and authors of articles: by links that a theme writes."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pelican_sitemapkit.links import links_in
from sitemapkit.parsing import parse_html
from textdates.bounds import is_file
from textdates.rendered import main_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pelican_sitemapkit.pelican_types import Content, Settings

STATED: Mapping[str, tuple[str, ...]] = {
    "tag": ("tags",),
    "category": ("category",),
    "author": ("author", "authors"),
}
"""Metadata that put an article into a group; the last is also the article's attribute."""

_FEW = 3
"""Number of pages to look at: a theme names groups on all pages of a template alike."""


class Groups:
    """The groups of the texts that are already written."""

    def __init__(self, settings: Settings) -> None:
        """Start without a text."""
        self.files: dict[Content, str] = {}
        """Texts that were written, and their paths."""

        self.url_of: Callable[[Any], str] = cache(_url_of)  # Pelican makes it anew each time
        self._urls = defaultdict[str, set[str]](set)
        self._settings = settings

    def add(self, content: Content, path: str) -> None:
        """Add a text that was written to `path`."""
        self.files[content] = path
        for *_, name in STATED.values():
            self._urls[name].update(self._urls_of(content, name))

    def links_in(self, html: str) -> Counter[str]:
        """Return how often HTML links each page, whatever the spelling."""
        found = Counter[str]()
        for link, count in links_in(html, self._settings).items():
            found[_stem(link)] += count
        return found

    def named_on(self, contents: Sequence[Content]) -> Iterator[str]:
        """Yield the metadata whose groups pages of one template name in their main content."""
        for names in STATED.values():
            for content in self._telling(contents, names[-1]):
                if self.are_linked(names[-1], [content], self._links_on(content)):
                    yield from names
                    break

    def _telling(self, contents: Sequence[Content], name: str) -> Sequence[Content]:
        """Return a few contents whose pages tell whether they name a kind of group.

        A text in all groups of a site, such as its only category, does not tell.
        """
        found: list[Content] = []
        for content in contents:
            own = {*self._urls_of(content, name)}
            if own and own < self._urls[name]:
                found.append(content)
                if len(found) == _FEW:
                    break
        return found

    def are_linked(self, name: str, articles: Iterable[Content], links: Counter[str]) -> bool:
        """Return whether links name the `tags`, the `category` or the `authors` of each article.

        A menu links each group once, and a cloud all or some of them: one that no article is in
        is linked as often then.
        """
        own = Counter[str]()
        for article in articles:
            own.update(self._urls_of(article, name))
        if not own:
            return False
        most = 0
        for url in self._urls[name] - own.keys():
            most = max(most, links[url])
        more = [links[url] - count for url, count in own.items()]
        return min(more) >= 0 and max(more) >= most

    def _links_on(self, content: Content) -> Counter[str]:
        """Return the links in the main content of a text's page; none if a plugin removed it."""
        file = Path(self.files[content])
        if not is_file(file):
            return Counter()
        main = main_of(parse_html(file.read_bytes()))
        if not main:
            return Counter()
        return self.links_in(main.html or "")

    def _urls_of(self, content: Content, name: str) -> Sequence[str]:
        found: Any = getattr(content, name, None) or ()
        if name == "category" and found:
            found = [found]
        return [self.url_of(each) for each in found if each]


def _url_of(linked: Any) -> str:  # noqa: ANN401 - an article, a tag or the like
    # A setting may leave a group without a URL; then it is False or None.
    return _stem(str(linked.url).lstrip("./"))


def _stem(url: str) -> str:
    """Return a URL without what hosts do not need to find the file."""
    return url.removesuffix("index.html").removesuffix(".html").rstrip("/")
