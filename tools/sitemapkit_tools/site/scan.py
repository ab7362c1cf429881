"""HTML files of a finished site to Pages: what an adapter does for its generator.

Files say less than a generator knows. A page's URL is the one that its file is served under, in the
spelling of its canonical link where generators choose it. What is not a page (error and search
pages, Sphinx's indexes and module code, fragments without a title) is recognized by its name and
content.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit import urls
from sitemapkit.content import is_menu
from sitemapkit.errors import SitemapError
from sitemapkit.html import Stated, read_page
from sitemapkit.metadata import publication_date
from sitemapkit.model import Page, Reason
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.hosting import read_host_files
from sitemapkit_tools.site.made import UNKNOWN, Made, MadeSite
from sitemapkit_tools.site.read_pages import FACTS_ONLY, no_progress, read_site
from sitemapkit_tools.site.titles import own_titles
from sitemapkit_tools.site.tracked import tracked_among

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set
    from datetime import date
    from pathlib import Path

    from sitemapkit.model import Head, Kind
    from sitemapkit_tools.hosting import HostFiles
    from sitemapkit_tools.site.facts import Facts
    from sitemapkit_tools.site.links import Links
    from sitemapkit_tools.site.made import Spelling
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress, PageRead, ReadOptions


SPHINX_INDEX = "searchindex.js"
"""The file at the root of each site that Sphinx builds."""

RENDERED = "r"
"""Marks digests of rendered pages, in a ledger that also has those of a generator's content."""


class ScanSettings(Struct, frozen=True):
    """Settings of a scan."""

    read: ReadOptions = FACTS_ONLY
    sources: Mapping[str, Sequence[Path]] = {}
    """Source files by the path of the page's file or by its URL path, below the root."""

    made: MadeSite = UNKNOWN
    """What the project that made the site knows of its pages."""

    jobs: int | None = None
    """Processes that read. None: one for each core, if there are enough files."""


class SitePage(NamedTuple):
    """A page of a finished site."""

    page: Page
    location: str
    """The path of its file below the site's root."""


def scan(
    tree: OutputDir, settings: ScanSettings, *, on_progress: OnProgress = no_progress
) -> list[Page]:
    """Return a Page for each HTML file. Raises SitemapError if one cannot be read."""
    options, jobs = replace(settings.read, links=links_tell(tree)), settings.jobs
    reads, links = read_site(tree, tree.pages(), options, jobs=jobs, on_progress=on_progress)
    for read in reads:
        if read.error:
            message = f"cannot read {tree.path(read.file)}: {read.error}; repair or remove it"
            raise SitemapError(message)
    return _to_pages(reads, tree, links, settings)


def links_tell(tree: OutputDir) -> bool:
    """Return whether the links of all pages tell which are hidden."""
    try:
        return bool(_where_pages_hide(tree))
    except OSError:  # of the home page, which is said where pages are read
        return False


def site_pages(
    reads: Sequence[PageRead],
    tree: OutputDir,
    links: Links,
    folder: str = "",
    settings: ScanSettings | None = None,
) -> list[SitePage]:
    """Return the pages that could be read; `folder` is where people find the tree's root.

    `links` has those of all pages, where they tell which are hidden.
    """
    readable = [read for read in reads if not read.error]
    pages = _to_pages(readable, tree, links, settings or ScanSettings())
    return [SitePage(page, folder + read.file) for page, read in zip(pages, readable, strict=True)]


def _to_pages(
    reads: Sequence[PageRead], tree: OutputDir, links: Links, settings: ScanSettings
) -> list[Page]:
    """Return a Page for each file, given what was read of all of them."""
    flat, spelling = _flat_folders(tree), settings.made.spelling
    known = {read.file: page_url(read, tree, flat, spelling) for read in reads}
    tracked = tracked_among(chain.from_iterable(settings.sources.values()))
    host = read_host_files(tree.root, tree.base_url)
    site = _Site(tree, settings, Classifier(tree, reads, links), known, tracked, host)
    titles = own_titles({read.file: read.facts.title for read in reads})
    return [_to_page(read, site, titles[read.file]) for read in reads]


class _Site(NamedTuple):
    """What is known of all pages."""

    tree: OutputDir
    settings: ScanSettings
    classify: Classifier
    known: Mapping[str, str]
    """The URL of each page by its file."""

    tracked: Set[Path]
    """The files of the user's map that git knows."""

    host: HostFiles


def _to_page(read: PageRead, site: _Site, title: str) -> Page:
    tree, settings, classify, known, tracked, _ = site
    facts, made = read.facts, settings.made.pages.get(read.file, Made())
    mapped = mapped_sources(read.file, tree, settings)
    sources = mapped or made.sources
    modified, published = _dates(facts, made, bool(sources), bool(settings.made.name))
    kind = classify.kind(read)
    excluded, decided_by = made.excluded or classify.excluded(read), ""
    if not excluded:
        excluded, decided_by = site.host.forbids(known[read.file])
    return Page(
        url=known[read.file],
        output=tree.path(read.file),
        sources=sources,
        included=() if mapped else made.included,
        meta=made.meta,
        kind=made.kind if made.kind != "page" else kind,
        excluded=excluded,
        decided_by=decided_by,
        modified=None if not tracked.isdisjoint(mapped) else modified,
        published=published,
        lang=facts.lang,
        alternates={alternate.hreflang: alternate.href for alternate in facts.alternates},
        head=_head(read, tree, known, made.same_as),
        title=title,
        digest=read.digest and f"{RENDERED}{read.digest}",
    )


def _dates(
    facts: Facts, made: Made, has_source: bool, has_project: bool
) -> tuple[date | None, date | None]:
    """Return when a page was last changed and published, as far as it says so.

    A publication stands for a change only where nothing else is known: git knows whether a page
    with a source has changed since. In a site whose project is known, a page without a source is a
    list, and what it states as its publication is that of a page in it.
    """
    if made.states_build_time:
        return None, publication_date(made.meta)
    if not (has_source or has_project):
        return facts.modified or facts.published, facts.published
    modified = None if facts.modified == facts.published else facts.modified
    return modified, (facts.published or publication_date(made.meta)) if has_source else None


def page_url(
    read: PageRead, tree: OutputDir, flat: tuple[str, ...], spelling: Spelling = "folder"
) -> str:
    """Return the URL that a page is known under: its file's, as its generator links it.

    Only its canonical link, or else `og:url`, says how the generator escapes it and whether it
    leaves out `.html`. It says whether `index.html` is named, too, but is believed only in the
    folders `flat` and for generators that are known to do so: others link the directory.
    """
    own = tree.url_of(read.file)
    if spelling == "file" and own.endswith("/"):
        own += read.file.rpartition("/")[2]
    elif spelling == "bare":
        own = own.removesuffix(".html")
    stated = read.facts.head.canonical or read.facts.og_url
    canonical = resolve_or_none(stated, own) if stated != own else None
    route = tree.route(canonical) if canonical else None
    if not canonical or "?" in canonical or route is None or route.file != read.file:
        return own
    name = urls.below(tree.base_url, own)
    names = {name, name.rpartition(".")[0], read.file if read.file.startswith(flat) else name}
    if spelling == "folder" and urls.below(tree.base_url, canonical) not in names:
        return own
    return _ESCAPE.sub(lambda escape: escape[0].upper(), canonical)


_ESCAPE = re.compile("%[0-9a-f]{2}", re.IGNORECASE)


def _flat_folders(tree: OutputDir) -> tuple[str, ...]:
    """Return the folders of Sphinx's html builds, and of MkDocs without directory URLs."""
    sphinx = _roots(tree, SPHINX_INDEX)
    html = [root for root in sphinx if f"{root}search/index.html" not in tree.files]
    mkdocs = _roots(tree, _SEARCH_INDEX)
    first = {root: _LOCATION.search(tree.read(root + _SEARCH_INDEX, 65_536)) for root in mkdocs}
    flat = [root for root, found in first.items() if found and found[1].endswith(b".html")]
    return (*html, *flat)


_SEARCH_INDEX = "search/search_index.json"
_LOCATION = re.compile(rb'"location"\s*:\s*"([^"#]*)')
"""A page in MkDocs' search index, which lists no file that MkDocs only copies."""


def _head(read: PageRead, tree: OutputDir, known: Mapping[str, str], same_as: str) -> Head:
    """Return what the head says; a page that it names as canonical is called as it is known.

    A copy of another page names that one, in effect.
    """
    head = read.facts.head
    if same_as in known:
        return replace(head, canonical=known[same_as])
    if not head.canonical or head.canonical == known[read.file]:
        return head
    canonical = resolve_or_none(head.canonical, tree.url_of(read.file))
    route = tree.route(canonical) if canonical else None
    return replace(head, canonical=known.get(route.file, canonical)) if route else head


def mapped_sources(file: str, tree: OutputDir, settings: ScanSettings) -> Sequence[Path]:
    """Return the sources of a page in the user's map."""
    if settings.sources:
        path = urls.below(tree.base_url, tree.url_of(file))
        for name in (file, path, path.rstrip("/")):
            if name in settings.sources:
                return settings.sources[name]
    return ()


class Classifier:
    """Distinguishes pages from other HTML files, by their names and neighbours."""

    def __init__(
        self, tree: OutputDir, reads: Sequence[PageRead], links: Links | None = None
    ) -> None:
        """Find the roots of Sphinx and MkDocs builds in the tree; there may be many."""
        self._tree, self._links = tree, links
        self._pelican = _pelican_roots(tree)
        self._pages = {read.file: read for read in reads if not read.facts.head.refresh}
        self._titles = {read.file: read.facts.title for read in reads}
        self._sphinx = _roots(tree, SPHINX_INDEX)
        self._mkdocs = _roots(tree, _SEARCH_INDEX)
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
        if self._is_draft(read.file):
            return Reason.DRAFT
        if read.file in self._hidden:
            return Reason.HIDDEN
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
                return True
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

        Pelican names itself in the page, or else its theme and lists are beside the folder.
        """
        root, folder, _ = f"/{file}".rpartition("/drafts/")
        if not folder:
            return False
        if f"{root[1:]}/".removeprefix("/") in self._pelican:
            return True
        return _names_pelican(self._tree, file)

    @cached_property
    def _hidden(self) -> Set[str]:
        """The pages that Pelican wrote with `status: hidden`: it links to all others.

        A theme may have no menu of pages, so another page of the same folder must be linked. It
        may also not link to an archive, which has any name that the settings give it.
        """
        linked = self._links.targets if self._links else set[str]()
        roots = _where_pages_hide(self._tree) if linked else ()
        files = [file for file in self._titles if file.startswith(roots)]
        folders = {file.rpartition("/")[0] for file in linked if file in self._titles}
        own = {f"{root}{name}.html" for root in roots for name in (*_LISTS, "index")}
        return {
            file
            for file in {*files} - linked - own
            if file.rpartition("/")[0] in folders and file in self._pages
            if not self._is_list_of_links(file)
        }

    def _is_list_of_links(self, file: str) -> bool:
        """Return whether a page links to others and has no paragraph, as any text has."""
        from sitemapkit.content import main_content  # noqa: PLC0415 - few sites have any

        root = main_content(self._tree.read(file, MAX_PAGE))
        if root is None or not root.css_first("a[href]"):
            return False
        for link in root.css("a[href]"):
            link.decompose()
        return not any(paragraph.text().strip() for paragraph in root.css("p"))

    def _is_empty_list(self, file: str) -> bool:
        """Return whether a list of tags or the like shows nothing but its heading."""
        if not _LIST.search(file):
            return False
        from sitemapkit.content import main_content  # noqa: PLC0415 - few sites have any

        root = main_content(self._tree.read(file, MAX_PAGE))
        if root is None or root.css_first("a[href], img, form"):
            return False
        for heading in root.css("h1, h2, h3"):
            heading.decompose()
        return not root.text().strip()


def _without_index(file: str) -> str:
    """Return the path of a page without its suffix, and without `index`."""
    return file.rpartition(".")[0].removesuffix("index").rstrip("/")


def _pelican_roots(tree: OutputDir) -> set[str]:
    """Return the folders that have a theme and lists where Pelican writes them."""
    themed = {file.partition("theme/")[0] for file in tree.files if "theme/" in file}
    return {
        root for root in themed if sum(f"{root}{name}.html" in tree.files for name in _LISTS) > 1
    }


def _names_pelican(tree: OutputDir, file: str) -> bool:
    """Return whether a page says that Pelican wrote it."""
    return any(
        meta.get("name", "").lower() == "generator"
        and meta.get("content", "").startswith("Pelican")
        for meta in Stated(tree.read(file, MAX_PAGE)).metas
    )


def _where_pages_hide(tree: OutputDir) -> tuple[str, ...]:
    """Return the folders in which a page that no other links to is hidden: those of Pelican."""
    home = "index.html"
    roots = _pelican_roots(tree) or {
        "" for file in {home} & tree.files if _names_pelican(tree, file)
    }
    return tuple(roots)


def _roots(tree: OutputDir, landmark: str) -> tuple[str, ...]:
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

_MENU = re.compile(r"(?:^|/)SUMMARY(?:/index)?\.html?$")
_PAGE_NUMBER = re.compile(r"(?:^|/)page(?P<folder>[/-]?)(?P<number>[0-9]{1,6})(?:/index)?\.html?$")
_NUMBERED = re.compile(r"(?P<first>.*[^0-9])(?P<number>[0-9]{1,6})(?P<suffix>\.html?)")
