"""What a file of a finished site is: a page, or what; and why it is not to be listed.

What a generator knows, its files show by their names, their neighbours, their text and the links to
them. Error and search pages, Sphinx's indexes and module code, fragments without a title are no
pages; drafts, hidden pages, later pages of a list and empty lists are pages that are not listed.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit import urls
from sitemapkit.content import is_menu, main_content
from sitemapkit.html import Stated, read_page
from sitemapkit.model import Kind, Reason
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.made import UNKNOWN, MadeSite

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from selectolax.lexbor import LexborNode

    from sitemapkit_tools.site.links import Links
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import PageRead

SPHINX_INDEX = "searchindex.js"
"""The file at the root of each site that Sphinx builds."""

SEARCH_INDEX = "search/search_index.json"
"""The same of MkDocs."""


def links_tell(tree: OutputDir, made: MadeSite = UNKNOWN) -> bool:
    """Return whether the links of all pages tell which are hidden, or how URLs are spelled."""
    if not (roots_of(tree, SPHINX_INDEX) or roots_of(tree, SEARCH_INDEX)):
        names = {name.rpartition("/")[2] for name in tree.pages() if not urls.is_error_page(name)}
        if names - {f"index{suffix}" for suffix in urls.HTML_SUFFIXES}:
            return True
    try:
        return bool(_pelican_roots(tree, made))
    except OSError:  # of the home page, which is said where pages are read
        return False


class Classifier:
    """Distinguishes pages from other HTML files, by their names and neighbours."""

    def __init__(
        self,
        tree: OutputDir,
        reads: Sequence[PageRead],
        links: Links | None = None,
        made: MadeSite = UNKNOWN,
    ) -> None:
        """Find the roots of Sphinx and MkDocs builds in the tree; there may be many."""
        self._tree, self._links, self._made = tree, links, made
        self._pages = {read.file: read for read in reads if not read.facts.head.refresh}
        self._titles = {read.file: read.facts.title for read in reads}
        self._sphinx = roots_of(tree, SPHINX_INDEX)
        self._mkdocs = roots_of(tree, SEARCH_INDEX)
        self._errors_below = urls.error_pages_below(tree.pages())

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
        if self._is_draft(read.file) or read.file in self._ablog.drafts:
            return Reason.DRAFT
        made = self._made.pages.get(read.file)
        if made and made.sources:  # which say their status and language, and are no lists
            return None
        if read.file in self._hidden:
            return Reason.HIDDEN
        if self._is_untranslated(read):
            return Reason.UNTRANSLATED
        return Reason.EMPTY_LIST if self._is_empty_list(read.file) else None

    def _is_generated(self, file: str) -> bool:
        roots = [root for root in ("", *self._sphinx, *self._mkdocs) if file.startswith(root)]
        if any(urls.is_error_page(file.removeprefix(root)) for root in roots):
            return True
        if file in self._errors_below or urls.is_tool_page(file):
            return True
        if _MENU.search(file) and self._is_menu(file):
            return True
        for root in self._sphinx:
            if file.startswith(root) and _SPHINX_GENERATED.match(file, len(root)):
                # Beside `search.html`, `search/index.html` is an author's.
                return f"{file.removesuffix('/index.html')}.html" not in self._tree.files
        return any(file == f"{root}search.html" for root in self._mkdocs)

    def _is_menu(self, file: str) -> bool:
        """Return whether a page shows a menu alone: a file that mkdocs-literate-nav reads."""
        return is_menu(read_page(self._tree.path(file)))

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

    def _is_draft(self, file: str) -> bool:
        """Return whether Pelican wrote a page for reviewers of the draft: nothing links to it.

        Subsites have drafts, too. Pelican is known, names itself in the page, or else its theme and
        lists are above the folder.
        """
        if "/drafts/" not in f"/{file}":
            return False
        return file.startswith(self._pelican) or _names_pelican(self._tree, file)

    @cached_property
    def _pelican(self) -> tuple[str, ...]:
        return _pelican_roots(self._tree, self._made)

    @cached_property
    def _ablog(self) -> _Blogs:
        """What ablog, an extension of Sphinx, tells reviewers of drafts on a page of its own."""
        roots = tuple(root for root in self._sphinx if self._has_folder(f"{root}_static/ablog/"))
        drafts, lists = set[str](), list[str]()
        for page in self._titles if roots else ():
            if not (page.startswith(roots) and _without_index(page).endswith("/drafts")):
                continue
            folder, tree = _without_index(page).removesuffix("/drafts"), self._parsed(page)
            beside = {f"{folder}/archive{ending}" for ending in _FILE_ENDINGS}
            has_lists = not beside.isdisjoint(self._tree.files)
            if tree is None or not (has_lists or folder.endswith("blog")):
                continue
            if has_lists or tree.css_first(".ablog__collection"):  # not those of another theme
                lists += [f"{folder}/", f"{folder}.html"]
            urls = (link.attributes["href"] for link in tree.css("h2 a[href]:not(.headerlink)"))
            own = self._tree.url_of(page)
            targets = (resolve_or_none(url, own) for url in urls)
            routes = (self._tree.route(target) for target in targets if target)
            drafts |= {page, *(route.file for route in routes if route)}
        return _Blogs(drafts, tuple(lists))

    def _has_folder(self, folder: str) -> bool:
        return any(file.startswith(folder) for file in self._tree.files)

    def _parsed(self, file: str) -> LexborNode | None:
        """Return the main content of a page."""
        return main_content(self._tree.read(file, MAX_PAGE))

    @cached_property
    def _hidden(self) -> Set[str]:
        """The pages that Pelican wrote with `status: hidden`: it links to all others.

        A theme may have no menu of pages, so another page of the same folder must be linked. It
        may also not link to an archive, which has any name that the settings give it.
        """
        linked = self._links.targets if self._links else set[str]()
        roots = self._pelican if linked else ()
        files = [file for file in self._titles if file.startswith(roots)]
        folders = {file.rpartition("/")[0] for file in linked if file in self._titles}
        own = {f"{root}{name}.html" for root in roots for name in (*_LISTS, "index")}
        return {
            file
            for file in {*files} - linked - own
            if file.rpartition("/")[0] in folders and file in self._pages
            if not self._is_list_of_links(file)
        }

    def _is_untranslated(self, read: PageRead) -> bool:
        """Return whether `fr/a.html` has the text of `a.html`, which is in another language."""
        folder, _, rest = read.file.partition("/")
        other = self._pages.get(rest)
        lang = (read.facts.lang or "").lower()
        if other is None or not lang or folder.lower() not in (lang, lang[:2]):
            return False
        if (other.facts.lang or lang).lower() == lang:
            return False
        words = self._words(read.file)
        return len(words) >= _FEW_WORDS and words == self._words(rest)

    def _words(self, file: str) -> Sequence[str]:
        root = self._parsed(file)
        return root.text(separator=" ").split() if root else ()

    def _is_list_of_links(self, file: str) -> bool:
        """Return whether a page links to others and has no paragraph, as any text has."""
        root = self._parsed(file)
        if root is None or not root.css_first("a[href]"):
            return False
        for link in root.css("a[href]"):
            link.decompose()
        return not any(paragraph.text().strip() for paragraph in root.css("p"))

    def _is_empty_list(self, file: str) -> bool:
        """Return whether a list of tags or the like shows nothing but its heading."""
        if not (_LIST.search(file) or file.startswith(self._ablog.lists)):
            return False
        root = self._parsed(file)
        if root is None or root.css_first("a[href], img, form"):
            return False
        for heading in root.css("h1, h2, h3"):
            heading.decompose()
        return not root.text().strip()


class _Blogs(NamedTuple):
    """The blogs in a site of Sphinx."""

    drafts: Set[str]
    lists: tuple[str, ...]
    """How the paths of lists begin."""


def _without_index(file: str) -> str:
    """Return the path of a page without its suffix, and without `index`."""
    return file.rpartition(".")[0].removesuffix("index").rstrip("/")


def _pelican_roots(tree: OutputDir, made: MadeSite) -> tuple[str, ...]:
    """Return the folders of sites of Pelican, which have a theme and lists, or name it."""
    if made.name == "Pelican":
        return ("",)
    themed = {file.partition("theme/")[0] for file in tree.files if "theme/" in file}
    roots = {
        root for root in themed if sum(f"{root}{name}.html" in tree.files for name in _LISTS) > 1
    }
    home = {"index.html"} & tree.files
    return tuple(roots) or tuple("" for file in home if _names_pelican(tree, file))


def _names_pelican(tree: OutputDir, file: str) -> bool:
    """Return whether a page says that Pelican wrote it."""
    return any(
        meta.get("name", "").lower() == "generator"
        and meta.get("content", "").startswith("Pelican")
        for meta in Stated(tree.read(file, MAX_PAGE)).metas
    )


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
_FEW_WORDS = 8
"""A page with fewer words may say the same in two languages."""

_FILE_ENDINGS = tuple(f"{end}{suffix}" for end in ("", "/index") for suffix in urls.HTML_SUFFIXES)

_MENU = re.compile(r"(?:^|/)SUMMARY(?:/index)?\.html?$")
_PAGE_NUMBER = re.compile(r"(?:^|/)page(?P<folder>[/-]?)(?P<number>[0-9]{1,6})(?:/index)?\.html?$")
_NUMBERED = re.compile(r"(?P<first>.*[^0-9])(?P<number>[0-9]{1,6})(?P<suffix>\.html?)")
