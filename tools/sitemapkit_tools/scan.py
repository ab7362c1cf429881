"""HTML files of a finished site to Pages: what an adapter does for its generator.

The files know less than a generator. A page's URL is the one its file is served under, spelled
as its canonical link spells it where generators do so; what is no page (error and search pages,
Sphinx's indexes and module code, fragments without a title) is told by name and shape.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from sitemapkit import urls
from sitemapkit.errors import SitemapError
from sitemapkit.page import Page
from sitemapkit.report import Reason
from sitemapkit_tools.looks import Wanted, looks, silent
from sitemapkit_tools.survey import resolved

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitemapkit.html import Head
    from sitemapkit.page import Kind
    from sitemapkit_tools.looks import Look, Tick
    from sitemapkit_tools.tree import Tree


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """What a scan is told beside the directory and its base URL."""

    wanted: Wanted = field(default_factory=Wanted)
    sources: Mapping[str, Sequence[Path]] = field(default_factory=dict[str, "Sequence[Path]"])
    """Source files by the path of the page's file or by its URL path, below the root."""

    repository: Path | None = None
    """The checkout that the pages' edit links lead into."""

    jobs: int | None = None
    """Processes that read; None: as many as there are cores, if there are files enough."""


def scan(tree: Tree, settings: ScanSettings, *, tick: Tick = silent) -> list[Page]:
    """Return a Page for each HTML file. Raises SitemapError if one cannot be read."""
    looked = list(looks(tree, tree.pages(), settings.wanted, jobs=settings.jobs, tick=tick))
    for look in looked:
        if look.error:
            raise SitemapError(f"cannot read {tree.path(look.file)}: {look.error}")
    return to_pages(looked, tree, settings)


def to_pages(looked: Sequence[Look], tree: Tree, settings: ScanSettings) -> list[Page]:
    """Return the Pages that the files are, given what was read of all of them."""
    classify = Classifier(tree, looked)
    flat = _flat_folders(tree)
    known = {look.file: page_url(look, tree, flat) for look in looked}
    return [_to_page(look, tree, classify, settings, known) for look in looked]


def _to_page(
    look: Look, tree: Tree, classify: Classifier, settings: ScanSettings, known: Mapping[str, str]
) -> Page:
    facts = look.facts
    return Page(
        url=known[look.file],
        output=tree.path(look.file),
        sources=_sources(look, tree, settings),
        kind=classify.kind(look),
        withheld=classify.withheld(look),
        modified=facts.modified or facts.published,
        published=facts.published,
        lang=facts.lang,
        alternates={alternate.hreflang: alternate.href for alternate in facts.alternates},
        head=_head(look, tree, known),
        title=facts.title,
        digest=look.digest,
    )


def page_url(look: Look, tree: Tree, flat: tuple[str, ...]) -> str:
    """Return the URL that a page is known under: its file's, as its generator links it.

    Only its canonical link says how the generator escapes it and whether it leaves out `.html`. It
    says whether `index.html` is named, too, but is believed only in the folders `flat`: elsewhere
    generators link the directory.
    """
    own = tree.url_of(look.file)
    canonical = resolved(look.facts.head.canonical or "", own)
    answer = tree.answer(canonical) if canonical else None
    if not canonical or "?" in canonical or answer is None or answer.file != look.file:
        return own
    name = urls.below(tree.base_url, own)
    names = {name, name.rpartition(".")[0], look.file if look.file.startswith(flat) else name}
    if urls.below(tree.base_url, canonical) not in names:
        return own
    return _ESCAPE.sub(lambda escape: escape[0].upper(), canonical)


_ESCAPE = re.compile("%[0-9a-f]{2}", re.IGNORECASE)


def _flat_folders(tree: Tree) -> tuple[str, ...]:
    """Return the folders of builds by Sphinx, and by MkDocs without directory URLs."""
    flat = [
        root
        for root in _roots(tree, "search/search_index.json")
        if any(name.startswith(root) and _FLAT.fullmatch(name, len(root)) for name in tree.files)
    ]
    return (*_roots(tree, "searchindex.js"), *flat)


_FLAT = re.compile(r"(?!(?:404|search)\.html)(?:.*/)?(?!index\.html)[^/]+\.html")


def _head(look: Look, tree: Tree, known: Mapping[str, str]) -> Head:
    """Return what the head says; a page that it names as canonical is called as it is known."""
    head = look.facts.head
    if not head.canonical or head.canonical == known[look.file]:
        return head
    canonical = resolved(head.canonical, tree.url_of(look.file))
    answer = tree.answer(canonical) if canonical else None
    return replace(head, canonical=known.get(answer.file, canonical)) if answer else head


def _sources(look: Look, tree: Tree, settings: ScanSettings) -> Sequence[Path]:
    path = urls.below(tree.base_url, tree.url_of(look.file))
    for name in (look.file, path, path.rstrip("/")):
        if name in settings.sources:
            return settings.sources[name]
    if settings.repository and look.edit_link:
        source = edited_file(look.edit_link, settings.repository)
        return [source] if source else []
    return []


_EDITED = re.compile(r"/(?:-/)?_?(?:edit|blob|tree|src|raw)/(?P<rest>.+)")
_LONGEST_BRANCH = 3


def edited_file(link: str, repository: Path) -> Path | None:
    """Return the file of the repository that an edit link names, if there is such a file.

    The path follows the branch, whose name may have slashes: `/o/r/edit/main/docs/index.md`.
    """
    found = _EDITED.search(unquote(urlsplit(link).path))
    parts = found["rest"].split("/") if found else []
    if ".." in parts:
        return None
    for start in range(1, min(len(parts), _LONGEST_BRANCH + 1)):
        file = repository.joinpath(*parts[start:])
        if file.is_file():
            return file
    return None


class Classifier:
    """Tells pages from what only looks like pages, by their names and neighbours."""

    def __init__(self, tree: Tree, looked: Sequence[Look]) -> None:
        """Find the roots of Sphinx and MkDocs builds in the tree; there may be many."""
        self._titles = {look.file: look.facts.title for look in looked}
        self._sphinx = _roots(tree, "searchindex.js")
        self._mkdocs = _roots(tree, "search/search_index.json")

    def kind(self, look: Look) -> Kind:
        """Return what the page is to its readers."""
        if self._is_generated(look.file):
            return "generated"
        copied = any(look.file.startswith(f"{root}_") for root in self._sphinx)
        return "static" if copied or not look.facts.title else "page"

    def withheld(self, look: Look) -> Reason | None:
        """Return why the page is not to be listed, if its address tells."""
        return Reason.PAGINATION if self._continues_another(look) else None

    def _is_generated(self, file: str) -> bool:
        if _ERROR_PAGE.fullmatch(file):
            return True
        for root in (*self._sphinx, *self._mkdocs):
            if file.startswith(root) and _ERROR_PAGE.fullmatch(file, len(root)):
                return True
        for root in self._sphinx:
            if file.startswith(root) and _SPHINX_GENERATED.match(file, len(root)):
                return True
        return any(file == f"{root}search.html" for root in self._mkdocs)

    def _continues_another(self, look: Look) -> bool:
        """`blog/page/2/index.html` follows `blog/index.html`, and `tag/a2.html` `tag/a.html`.

        All but the first need one title for both: else it may be a chapter of its own.
        """
        if (found := _PAGE_NUMBER.search(look.file)) and int(found["number"]) > 1:
            above = look.file[: found.start()]
            lists = (f"{above}/index.html", f"{above}.html") if above else ("index.html",)
            titles = [self._titles[file] for file in lists if file in self._titles]
            return bool(titles) and (found["folder"] == "/" or look.facts.title in titles)
        if (found := _NUMBERED.fullmatch(look.file)) and int(found["number"]) > 1:
            first = found["first"] + found["suffix"]
            if first.rpartition("/")[2].startswith("index."):
                return first in self._titles
            return self._titles.get(first) == look.facts.title
        return False


def _roots(tree: Tree, landmark: str) -> tuple[str, ...]:
    """Return the directories, with their slashes, below which a file of this name lies."""
    found = (name.removesuffix(landmark) for name in tree.files if name.endswith(landmark))
    return tuple(sorted(root for root in found if not root or root.endswith("/")))


_ERROR_PAGE = re.compile(
    r"(?:(?:[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?|v?[0-9][\w.-]*|latest|stable|dev|main|master)/)*"
    r"(?:404|500)(?:/index)?\.html?"
)
"""At the root, or at the root of a language or version; elsewhere a page may be about errors."""

_SPHINX_GENERATED = re.compile(
    r"(?:search|(?:[a-z]+-)?(?:mod|gen)index(?:-[^/]+)?)(?:\.html|/index\.html)$|_modules/"
)
_PAGE_NUMBER = re.compile(r"(?:^|/)page(?P<folder>[/-]?)(?P<number>[0-9]{1,6})(?:/index)?\.html?$")
_NUMBERED = re.compile(r"(?P<first>.*[^0-9])(?P<number>[0-9]{1,6})(?P<suffix>\.html?)")
