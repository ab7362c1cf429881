"""The selection of a site's own sitemaps: its generator, or its author, knows what to list.

A generator has read its settings, front matter, filters and drafts when it writes a sitemap. So a
page that is not in it is left out, unless `include` names it; what a page itself forbids still
counts. Where our file takes the place of that sitemap, it keeps what that selected, and says so in
a comment: a second run, and `check`, then keep to it.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sitemapkit import rules
from sitemapkit.errors import SitemapError
from sitemapkit.layout import Layout, beginning, word_in
from sitemapkit.model import Reason
from sitemapkit.patterns import PathPatterns
from sitemapkit.selection import Selection
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.console import counted
from sitemapkit_tools.site.directory import WELL_KNOWN, nested_sitemaps, read_robots
from sitemapkit_tools.site.output_dir import OutputDir, is_page
from sitemapkit_tools.site.persons_files import PersonsFiles
from sitemapkit_tools.site.their_sitemaps import SitemapReader, TheirSitemap, file_named
from sitemapkit_tools.site.translations import HtmlPage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from sitemapkit.model import Entry, Issue, Page
    from sitemapkit.options import Options
    from sitemapkit_tools.site.made import Made, MadeSite
    from sitemapkit_tools.sitemaps.sitemap_file import UrlElement

_WORD = re.compile(r"(?P<by>.+)'s own sitemap(?:, settings (?P<digest>[0-9a-f]{12}))?")
"""What our file says of a selection: whose it is and, if ours took the place of their sitemap, by
which of our options it was changed."""

_UNKNOWN = "the site"
"""Whose selection it is if no generator is known."""

_SOME_PAGES = 2
"""Pages that a folder has at least of which nothing is listed: one alone may be meant."""

_GUESSES = (Reason.DRAFT, Reason.EXCLUDED_BY_PAGE)
"""What only the source of a page says, and its generator has read."""


class TheirSelection(Struct, frozen=True):
    """What the sitemaps of a site list."""

    place: str
    """The path of the first of them."""

    elements: Mapping[str, UrlElement]
    """What they say of each page, by its file."""

    files: Mapping[str, str]
    """The files that their addresses lead to."""

    bases: Sequence[str]
    """The URLs below which they have the site."""

    folders: tuple[str, ...]
    """The folders that they are about, with final slashes; "" is all of the site."""

    apart: tuple[str, ...] = ()
    """Folders in these that have a sitemap of their own, which cannot be used."""

    word: str = ""
    """What our sitemap says of it."""

    def without_guesses(self, made: MadeSite) -> MadeSite:
        """Return what a project says of its pages, but not what hides those that are selected."""
        pages: dict[str, Made] = {}
        for file, each in made.pages.items():
            is_guess = each.excluded in _GUESSES and file in self.elements
            pages[file] = replace(each, excluded=None) if is_guess else each
        return replace(made, pages=pages)

    def leaves_out(self, file: str) -> bool:
        """Return whether a page is one that they could have listed, and did not."""
        if file in self.elements or not file.startswith(self.folders):
            return False
        return not file.startswith(self.apart)


def is_selection(word: str) -> bool:
    """Return whether the word in a sitemap of ours says that it keeps to another's selection."""
    return _WORD.fullmatch(word) is not None


def find_selection(
    tree: OutputDir, options: Options, maker: str, issues: list[Issue]
) -> TheirSelection | None:
    """Return what the sitemaps of a site select, if it has any; `maker` is its generator, if known.

    What is wrong with them is added to `issues`. Raises SitemapError if ours is needed for what it
    kept of them, and was written with other settings.
    """
    reader = SitemapReader(tree)
    persons = PersonsFiles(tree, has_maker=bool(maker))
    theirs, ours = _read_at_root(reader, persons, options, issues)
    nested = _read_in_folders(reader, persons, issues)
    if theirs or ours:
        by = re.sub(r"[^\w .]+", " ", maker).strip() or _UNKNOWN
        word = f"{by}'s own sitemap"
        if ours:
            word = ours[0].selected_by
        elif not reader.seen.isdisjoint(_entry_files(tree, options)):  # ours takes its place
            word += f", settings {_digest(options)}"
        return _joined([*theirs, *ours, *nested], ("",), word)
    own: list[TheirSitemap] = []
    for sitemap in nested:
        if sitemap.elements and all(file.startswith(sitemap.folder) for file in sitemap.elements):
            own.append(sitemap)
    return _joined(own, tuple(sitemap.folder for sitemap in own))


def _read_at_root(
    reader: SitemapReader, persons: PersonsFiles, options: Options, issues: list[Issue]
) -> tuple[list[TheirSitemap], list[TheirSitemap]]:
    """Return the sitemaps that stand for all of the site: theirs, and ours that took their place.

    Raises SitemapError if one of ours does, and was written with other settings.
    """
    tree = reader.tree
    entries = _entry_files(tree, options)
    theirs: list[TheirSitemap] = []
    words: dict[str, str] = {}
    for name in _names_at_root(tree, options):
        word = word_in(beginning(Path(tree.path(name))))
        if word is not None:
            words[name] = word
        elif name in entries and not name.endswith(_XML):
            continue  # a text list that we write has no comment
        elif name not in reader.seen and not persons.wrote(name):
            sitemap = reader.read(name, issues)
            if sitemap.elements:
                theirs.append(sitemap)
    if not reader.seen.isdisjoint(entries):  # theirs is there again, and what is ours is old
        return theirs, []
    return theirs, _read_ours(tree, words, options)


def _read_ours(tree: OutputDir, words: Mapping[str, str], options: Options) -> list[TheirSitemap]:
    """Return those of our sitemaps, by the words in them, that took the place of theirs."""
    found: list[TheirSitemap] = []
    for name, word in words.items():
        said = _WORD.fullmatch(word)
        if not said or not said["digest"]:
            continue
        if said["digest"] != _digest(options):
            raise SitemapError(_OTHER_SETTINGS.format(tree.root / name))
        sitemap = SitemapReader(tree).read(name, [])
        sitemap.selected_by = word
        if sitemap.elements:
            found.append(sitemap)
    return found


_XML = (".xml", ".xml.gz")

_OTHER_SETTINGS = (
    "{} was written with other values of `exclude`, `include` or `rules`, and what the sitemap"
    " listed whose place it took is not known any more: build the site anew, and then run"
    " `sitemapkit build`"
)


def _names_at_root(tree: OutputDir, options: Options) -> list[str]:
    """Return the sitemaps of the usual names, those in robots.txt, and ours."""
    names = [options.filename]
    for url in read_robots(tree).sitemap_urls:
        file = file_named(tree, url)
        if file:
            names.append(file)
    names += WELL_KNOWN
    return [name for name in dict.fromkeys(names) if name in tree.files]


def _entry_files(tree: OutputDir, options: Options) -> set[str]:
    """Return the files that this build writes to start from, in place of what is there."""
    layout = Layout(options, tree.root)
    names: set[str] = set()
    for form in layout.formats:
        names.add(tree.file(layout.file("", form)))
        names.add(tree.file(layout.index(form)))
    return names


def _read_in_folders(
    reader: SitemapReader, persons: PersonsFiles, issues: list[Issue]
) -> list[TheirSitemap]:
    """Return the sitemaps in folders, such as those of languages that are built one by one."""
    found: list[TheirSitemap] = []
    for name in nested_sitemaps(reader.tree):
        word = word_in(beginning(Path(reader.tree.path(name))))
        is_from_pages = word is not None and not is_selection(word)
        if not is_from_pages and name not in reader.seen and not persons.wrote(name):
            found.append(reader.read(name, issues))
    return found


def _joined(
    sitemaps: Sequence[TheirSitemap], folders: tuple[str, ...], word: str = ""
) -> TheirSelection | None:
    """Return what several sitemaps select together, if it is anything; the first one wins."""
    elements: dict[str, UrlElement] = {}
    files: dict[str, str] = {}
    bases: list[str] = []
    for sitemap in sitemaps:
        for file, element in sitemap.elements.items():
            elements.setdefault(file, element)
        for url, file in sitemap.files.items():
            files.setdefault(url, file)
        bases += sitemap.bases
    if not elements:
        return None
    known = _folders_with(elements)
    apart: list[str] = []
    for sitemap in sitemaps:
        if not sitemap.is_usable and sitemap.folder not in known:
            apart.append(sitemap.folder)
    place = next(sitemap.name for sitemap in sitemaps if sitemap.elements)
    return TheirSelection(place, elements, files, bases, folders, tuple(apart), word)


def _digest(options: Options) -> str:
    """Return a digest of the options that change which pages are listed, and what is said."""
    data = msgspec.json.encode([options.exclude, options.include, options.rules])
    return sha256(data).hexdigest()[:12]


def with_their_files(
    pages: Sequence[HtmlPage], selection: TheirSelection, tree: OutputDir
) -> list[HtmlPage]:
    """Return the pages, and what else their sitemaps list, such as PDF."""
    found = [*pages]
    for file in selection.elements:
        if not is_page(file):
            found.append(HtmlPage(tree.url_of(file), tree.path(file)))
    return found


def leave_out(
    pages: Sequence[Page],
    selection: TheirSelection,
    tree: OutputDir,
    options: Options,
    issues: list[Issue],
) -> Mapping[str, str]:
    """Mark the pages that are listed but for their sitemaps; return the URLs of all by their files.

    How many these are is added to `issues`, and of which folders nothing is listed.
    """
    choice = Selection(options)
    chosen = choice.select([choice.judge(page) for page in pages])
    include = PathPatterns(options.include)
    urls: dict[str, str] = {}
    left: list[str] = []
    for each in chosen.listed:
        file = tree.file(each.page.output or "")
        urls[file] = each.loc
        if not selection.leaves_out(file):
            continue
        each.page.excluded = Reason.LEFT_OUT
        each.page.decided_by = selection.place
        if not include.match(options.path_of(each.loc)):
            left.append(file)
    place = str(tree.root / selection.place)
    if left:
        detail = f"It leaves out {counted(len(left), 'page')}."
        issues += rules.grouped("left-out", [place], detail)
    if bare := _bare_folders(left, selection.elements):
        more = f" and {len(bare) - _MOST_NAMED:,} more" if len(bare) > _MOST_NAMED else ""
        detail = f"It names nothing in {', '.join(bare[:_MOST_NAMED])}{more}."
        issues += rules.grouped("left-out", [place], detail, severity="warning")
    return urls


_MOST_NAMED = 5


def _bare_folders(left: Sequence[str], listed: Iterable[str]) -> list[str]:
    """Return the highest folders with pages of which none is listed."""
    known = _folders_with(listed)
    counts: dict[str, int] = {}
    for file in left:
        for folder in _folders_of(file):
            if folder not in known:
                counts[folder] = counts.get(folder, 0) + 1
                break
    return sorted(folder for folder, count in counts.items() if count >= _SOME_PAGES)


def _folders_with(files: Iterable[str]) -> Set[str]:
    """Return the folders that these files are in, the higher ones too."""
    found: set[str] = set()
    for file in files:
        found.update(_folders_of(file))
    return found


def _folders_of(file: str) -> Iterator[str]:
    """Yield the folders that a file is in, the highest first."""
    for end, letter in enumerate(file, 1):
        if letter == "/":
            yield file[:end]


class Kept:
    """Gives entries what their sitemaps say and nothing else does."""

    def __init__(self, selection: TheirSelection, tree: OutputDir, urls: Mapping[str, str]) -> None:
        """Take the URLs of the listed pages, by their files."""
        self._selection, self._tree, self._urls = selection, tree, urls

    def __call__(self, page: Page, entry: Entry) -> Entry:
        """Return an entry with what its element in their sitemap has, but for the date."""
        element = self._selection.elements.get(self._tree.file(page.output or ""))
        if element is None:
            return entry
        if entry.changefreq is None:
            entry.changefreq = element.valid_changefreq
        if entry.priority is None:
            entry.priority = element.valid_priority
        if not entry.alternates:
            entry.alternates = [*self._alternates(element)]
        if not entry.images:
            entry.images = [*self._images(element)]
        return entry

    def _alternates(self, element: UrlElement) -> Iterator[tuple[str, str]]:
        """Yield the translations that are listed here, or elsewhere."""
        for code, href in element.alternates:
            url = normalize_or_none(href)
            file = self._selection.files.get(url or "")
            if file and file in self._urls:
                yield code, self._urls[file]
            elif url and not file and not url.startswith(tuple(self._selection.bases)):
                yield code, url

    def _images(self, element: UrlElement) -> Iterator[str]:
        for image in element.images:
            url = normalize_or_none(image)
            if url:
                yield self._at_our_base(url)

    def _at_our_base(self, url: str) -> str:
        for base in self._selection.bases:
            if url.startswith(base):
                return self._tree.base_url + url.removeprefix(base)
        return url
