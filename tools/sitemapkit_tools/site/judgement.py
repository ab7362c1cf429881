"""What a file of a finished site is: a page, or what; and why it is not to be listed.

What a generator knows, its files show by their names, their neighbours, their text and the links
to them. Error and search pages, Sphinx's indexes and module code, fragments that others take in or
that have no title and no link to them, are no pages; later pages of a list and empty lists are
pages that are not listed.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from sitemapkit import urls
from sitemapkit.model import Kind, Reason
from sitemapkit.urls import resolve_or_none
from sitemapkit_extras.content import main_content
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.links import links_for_readers
from sitemapkit_tools.site.made import UNKNOWN, MadeSite
from sitemapkit_tools.site.page_names import error_pages_below, is_error_page, is_tool_page

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

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
        self._by_name: dict[str, PageRead] = {}
        for read in reads:
            if not read.facts.head.refresh:
                self._by_name[_name_of(read.file)] = read
        self._fragments: set[str] = set()
        """Files that others take in."""

        for read in reads:
            for name in read.facts.included:
                if file := self._file_of(name, read):
                    self._fragments.add(file)
        self._sphinx = roots_of(tree, SPHINX_OPTIONS)
        self._mkdocs = roots_of(tree, SEARCH_INDEX)
        self._errors_below = error_pages_below(tree.pages())

    def kind(self, read: PageRead) -> Kind:
        """Return what the page is to its readers."""
        if self._is_generated(read.file):
            return "generated"
        is_copied = any(read.file.startswith(f"{root}_") for root in self._sphinx)
        if is_copied or read.file in self._fragments:
            return "static"
        head = read.facts.head
        if read.facts.title or head.refresh or head.canonical:
            return "page"
        return "page" if self._is_for_readers(read) else "static"

    def _is_for_readers(self, read: PageRead) -> bool:
        """Return whether a page without a title shows something, and is more than a part."""
        if read.facts.included:
            return True
        content = self._parsed(read.file)
        if content is None or not (content.text(strip=True) or content.css_first(_SHOWN)):
            return False
        return not _name_of(read.file) or read.file in self._linked

    @cached_property
    def _linked(self) -> Set[str]:
        """The files that links for readers lead to; few sites have pages that depend on it."""
        return links_for_readers(self._tree).targets

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
        """`blog/page/2/` and `blog/2/` follow `blog/`, and `tag/a2.html` follows `tag/a.html`.

        Chapters have numbers, too; but their first has one as well, their titles are their own, or
        they name another page as the one before.
        """
        found = _PART.fullmatch(_name_of(read.file))
        if not found:
            return False
        stem, number = found["stem"], int(found["number"])
        is_sure = _SURELY_PARTS.search(stem) is not None
        if number < _SECOND and (stem.endswith("/") or not is_sure):
            return False
        first = self._first_part(stem)
        if first is None or is_sure:
            return first is not None
        before = self._name_before(read)
        expected = _name_of(first.file)
        if number > _SECOND:
            expected = f"{stem}{number - 1}"
        if before not in (None, expected):
            return False
        is_same = read.facts.title == first.facts.title
        is_word = _PAGE_WORD.search(stem.rstrip(_SEPARATORS)) is not None
        if stem and stem[-1] not in _SEPARATORS and not is_word:
            return is_same
        is_told = is_same or before is not None
        if is_word or stem[-1:] in ("", "/"):  # `http-2.html`, HTTP/2, is no second part of HTTP
            words = {*_WORD.findall(first.facts.title), f"{number}"}
            is_told = is_told or words <= {*_WORD.findall(read.facts.title)}
        between = {f"{stem}{_SECOND}", expected} - {_name_of(first.file)}
        is_series = between <= self._by_name.keys() and f"{stem}1" not in self._by_name
        return is_told and (is_word or is_series)

    def _first_part(self, stem: str) -> PageRead | None:
        """Return the first part of the list whose later parts begin with `blog/page/` or `tag/a`.

        A folder that has no page of its own is a word for parts, in any language.
        """
        name = stem.rstrip(_SEPARATORS)
        names = [name, _PAGE_WORD.sub("", name).rstrip(_SEPARATORS)]
        if stem.endswith("/"):
            names.append(name.rpartition("/")[0])
        for each in names:
            if each in self._by_name:
                return self._by_name[each]
        return None

    def _name_before(self, read: PageRead) -> str | None:
        """Return the name of the page that a page names as the one before it."""
        file = self._file_of(read.facts.previous, read)
        return None if file is None else _name_of(file)

    def _file_of(self, reference: str, read: PageRead) -> str | None:
        """Return the file that a page names."""
        target = resolve_or_none(reference, self._tree.url_of(read.file))
        route = self._tree.route(target) if target else None
        return route.file if route else None

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


_SHOWN = "img, canvas, video, object, embed, form"
"""What a page without a text may show."""


def _name_of(file: str) -> str:
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

_PART = re.compile(r"(?P<stem>|.*[^0-9])(?P<number>[0-9]{1,6})")
"""The name of a later part of a list: `blog/2`, `blog/page/2`, `blog-page2`, `tag/a2`."""

_SEPARATORS = "/-_."
_SURELY_PARTS = re.compile(r"(?:^|/)(?:page/|index[-_]?)$")
_PAGE_WORD = re.compile(r"(?:^|(?<=[/_.-]))(?:page|p|index)$")
_WORD = re.compile(r"\w+")
_SECOND = 2
