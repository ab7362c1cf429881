"""What a file of a finished site is: a page, or what; and why it is not to be listed.

What a generator knows, its files show by their names, their neighbours, their text and the links to
them. Error and search pages, Sphinx's indexes and module code, fragments without a title are no
pages; later pages of a list and empty lists are pages that are not listed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit import urls
from sitemapkit.model import Kind, Reason
from sitemapkit.urls import resolve_or_none
from sitemapkit_extras.content import main_content
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.made import UNKNOWN, MadeSite
from sitemapkit_tools.site.page_names import error_pages_below, is_error_page, is_tool_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborNode

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import PageRead

SPHINX_OPTIONS = "_static/documentation_options.js"
"""The file in each site that Sphinx builds; searchindex.js is mdBook's, too."""

SEARCH_INDEX = "search/search_index.json"
"""The same of MkDocs."""


def links_tell(tree: OutputDir) -> bool:
    """Return whether the links of all pages tell how URLs are spelled."""
    if roots_of(tree, SPHINX_OPTIONS) or roots_of(tree, SEARCH_INDEX):
        return False
    names = {name.rpartition("/")[2] for name in tree.pages() if not is_error_page(name)}
    return bool(names - {f"index{suffix}" for suffix in urls.HTML_SUFFIXES})


class Classifier:
    """Distinguishes pages from other HTML files, by their names and neighbours."""

    def __init__(
        self,
        tree: OutputDir,
        reads: Sequence[PageRead],
        made: MadeSite = UNKNOWN,
    ) -> None:
        """Find the roots of Sphinx and MkDocs builds in the tree; there may be many."""
        self._tree, self._made = tree, made
        self._pages = {read.file: read for read in reads if not read.facts.head.refresh}
        self._titles = {read.file: read.facts.title for read in reads}
        self._sphinx = roots_of(tree, SPHINX_OPTIONS)
        self._mkdocs = roots_of(tree, SEARCH_INDEX)
        self._errors_below = error_pages_below(tree.pages())

    def kind(self, read: PageRead) -> Kind:
        """Return what the page is to its readers."""
        if self._is_generated(read.file):
            return "generated"
        copied = any(read.file.startswith(f"{root}_") for root in self._sphinx)
        head = read.facts.head
        is_page = read.facts.title or head.refresh or head.canonical
        return "static" if copied or not is_page else "page"

    def excluded(self, read: PageRead) -> Reason | None:
        """Return why the page is not to be listed, if its URL and what is around it show that."""
        if self._continues_another(read):
            return Reason.PAGINATION
        made = self._made.pages.get(read.file)
        if made and made.sources:  # which are no lists
            return None
        return Reason.EMPTY_LIST if self._is_empty_list(read.file) else None

    def _is_generated(self, file: str) -> bool:
        roots = [root for root in ("", *self._sphinx, *self._mkdocs) if file.startswith(root)]
        if any(is_error_page(file.removeprefix(root)) for root in roots):
            return True
        if file in self._errors_below or is_tool_page(file):
            return True
        for root in self._sphinx:
            if file.startswith(root) and _SPHINX_GENERATED.match(file, len(root)):
                # Beside `search.html`, `search/index.html` is an author's.
                return f"{file.removesuffix('/index.html')}.html" not in self._tree.files
        return any(file == f"{root}search.html" for root in self._mkdocs)

    def _continues_another(self, read: PageRead) -> bool:
        """`blog/page/2/index.html` follows `blog/index.html`, and `tag/a2.html` `tag/a.html`.

        Other than the first, both must have one title: else it may be a chapter of its own. A page
        may also say so: see `_continues_stated`.
        """
        if self._continues_stated(read):
            return True
        if (found := _PAGE_NUMBER.search(read.file)) and int(found["number"]) > 1:
            above = read.file[: found.start()]
            lists = (f"{above}/index.html", f"{above}.html") if above else ("index.html",)
            titles = [self._titles[file] for file in lists if file in self._titles]
            return bool(titles) and (found["folder"] == "/" or read.facts.title in titles)
        if (found := _NUMBERED.fullmatch(read.file)) and int(found["number"]) > 1:
            first = found["first"] + found["suffix"]
            if first.rpartition("/")[2].startswith("index."):
                return first in self._titles
            return self._titles.get(first) == read.facts.title
        return False

    def _continues_stated(self, read: PageRead) -> bool:
        """`blog/2/index.html` names `blog/` as the page before it, and `blog/3/` names `blog/2/`.

        Chapters do so, too, but then their first has a number as well.
        """
        found = _PART_NUMBER.fullmatch(_without_index(read.file))
        before = self._name_before(read) if found else None
        if not found or before is None or int(found["number"]) < _SECOND:
            return False
        stem, number = found["stem"], int(found["number"])
        if any(f"{stem}1{ending}" in self._pages for ending in _FILE_ENDINGS):
            return False
        if number > _SECOND:
            files = (f"{stem}{_SECOND}{ending}" for ending in _FILE_ENDINGS)
            second = next((self._pages[file] for file in files if file in self._pages), None)
            if before != f"{stem}{number - 1}" or second is None:
                return False
            before = self._name_before(second)
        folder = stem.rstrip("/-_.")
        return before in (folder, _PAGE_WORD.sub("", folder).rstrip("/-_."))

    def _name_before(self, read: PageRead) -> str | None:
        """Return the name of the page that a page names as the one before it."""
        target = resolve_or_none(read.facts.previous, self._tree.url_of(read.file))
        route = self._tree.route(target) if target else None
        return _without_index(route.file) if route else None

    def _parsed(self, file: str) -> LexborNode | None:
        """Return the main content of a page."""
        return main_content(self._tree.read(file, MAX_PAGE))

    def _is_empty_list(self, file: str) -> bool:
        """Return whether a list of tags or the like shows nothing but its heading."""
        if not _LIST.search(file):
            return False
        root = self._parsed(file)
        if root is None or root.css_first("a[href], img, form"):
            return False
        for heading in root.css("h1, h2, h3"):
            heading.decompose()
        return not root.text().strip()


def _without_index(file: str) -> str:
    """Return the path of a page without its suffix, and without `index`."""
    return file.rpartition(".")[0].removesuffix("index").rstrip("/")


def roots_of(tree: OutputDir, landmark: str) -> tuple[str, ...]:
    """Return the directories, with their slashes, below which a file of this name lies."""
    found = (name.removesuffix(landmark) for name in tree.files if name.endswith(landmark))
    return tuple(sorted(root for root in found if not root or root.endswith("/")))


_SPHINX_GENERATED = re.compile(
    r"""
    (?: search | (?:[a-z]+-)?(?:mod|gen)index(?:-[^/]+)? )  # the search, an index or a part of one
    (?:/index)? \. (?:x?html|htm) $
    | _modules/  # the code of modules
    """,
    re.VERBOSE,
)
_LISTS = ("archives", "authors", "categories", "tags")
_LIST = re.compile(rf"(?:^|/)(?:{'|'.join(_LISTS)})(?:/index)?\.html?$")
"""The lists that generators of blogs write whether or not there is anything to list."""

_PART_NUMBER = re.compile(r"(?P<stem>|.*[/_.-]|(?:.*[/_.-])?page)(?P<number>[0-9]{1,6})")
"""The name of a later part of a list, without suffix: `blog/2`, `blog/page/2`, `blog-page2`."""

_PAGE_WORD = re.compile(r"(?:^|(?<=[/_.-]))(?:page|p)$")
_SECOND = 2
_FILE_ENDINGS = tuple(f"{end}{suffix}" for end in ("", "/index") for suffix in urls.HTML_SUFFIXES)

_PAGE_NUMBER = re.compile(r"(?:^|/)page(?P<folder>[/-]?)(?P<number>[0-9]{1,6})(?:/index)?\.html?$")
_NUMBERED = re.compile(r"(?P<first>.*[^0-9])(?P<number>[0-9]{1,6})(?P<suffix>\.html?)")
