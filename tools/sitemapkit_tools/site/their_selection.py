"""The selection of a site's own sitemaps: its generator, or its author, knows what to list.

A generator has read its settings, front matter, filters and drafts when it writes a sitemap. So a
page that is not in it is left out, unless `include` names it; what a page itself forbids still
counts. Our file takes the place of that sitemap, so it says in a comment whose selection it is:
a second run, and `check`, then keep to it.

Addresses are compared by their paths below the base of each sitemap, whatever its host is.
"""

from __future__ import annotations

import re
from hashlib import sha256
from os.path import commonprefix
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sitemapkit import rules
from sitemapkit.errors import SitemapError
from sitemapkit.layout import beginning, word_in
from sitemapkit.model import Reason
from sitemapkit.patterns import PathPatterns
from sitemapkit.selection import Selection
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_FILE, MAX_PAGE, Budget
from sitemapkit_tools.console import counted
from sitemapkit_tools.site.directory import WELL_KNOWN, nested_sitemaps, read_robots
from sitemapkit_tools.site.output_dir import OutputDir, is_page
from sitemapkit_tools.site.tracked import work_tree
from sitemapkit_tools.site.translations import HtmlPage
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.sitemap_file import UnreadableError
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemapkit.model import Entry, Issue, Page
    from sitemapkit.options import Options
    from sitemapkit_tools.site.made import Made, MadeSite
    from sitemapkit_tools.site.tracked import WorkTree
    from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile, UrlElement

_WORD = re.compile(r"(?P<by>.+)'s own sitemap, settings (?P<digest>[0-9a-f]{12})")
"""What our file says of a selection: whose it is, and by which of our options it was changed."""

_UNKNOWN = "the site"
"""Whose selection it is if no generator is known."""

_SAMPLE = 200
"""Addresses of a sitemap by which its base is found."""

_SOME_PAGES = 2
"""Pages that a folder has at least of which nothing is listed: one alone may be meant."""

_GUESSES = (Reason.DRAFT, Reason.HIDDEN, Reason.STALE, Reason.EXCLUDED_BY_PAGE)
"""What only the source of a page says, and its generator has read."""


class TheirSelection(Struct, frozen=True):
    """What the sitemaps of a site list."""

    by: str
    """Whose they are: the generator, as people write it."""

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

    word: str = ""
    """What our sitemap says of it; "" if theirs stay beside ours."""

    def without_guesses(self, made: MadeSite) -> MadeSite:
        """Return what a project says of its pages, but not what hides those that are selected."""
        pages: dict[str, Made] = {}
        for file, each in made.pages.items():
            is_guess = each.excluded in _GUESSES and file in self.elements
            pages[file] = replace(each, excluded=None) if is_guess else each
        return replace(made, pages=pages)


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
    named = [options.filename, *_named_in_robots(tree), *WELL_KNOWN]
    at_root = [name for name in dict.fromkeys(named) if name in tree.files]
    words = {name: word_in(beginning(Path(tree.path(name)))) for name in at_root}
    persons = _Persons(tree, has_maker=bool(maker))
    by = re.sub(r"[^\w .]+", " ", maker).strip() or _UNKNOWN
    word = f"{by}'s own sitemap, settings {_digest(options)}"
    seen: set[str] = set()
    reads: list[_Read] = []
    for name in at_root:
        if words[name] is None and name not in seen and not persons.wrote(name):
            reads.append(_read(tree, name, issues, seen))
    is_whole = any(read.elements for read in reads)
    nested: list[_Read] = []
    for name in nested_sitemaps(tree):
        kept_word = word_in(beginning(Path(tree.path(name))))
        if kept_word is not None and not is_selection(kept_word):
            continue  # ours, and what it lists was read from the pages
        if name not in seen and not persons.wrote(name):
            nested.append(_read(tree, name, issues, seen))
    for name in at_root:
        if kept := _WORD.fullmatch(words[name] or ""):
            ours = _read(tree, name, [], seen)
            known = {file for read in (*reads, *nested) for file in read.elements}
            if not (is_whole and ours.elements.keys() <= known):  # theirs was replaced by it
                _refuse_other_settings(tree, kept["digest"], options)
                reads.append(ours)
                is_whole, word = True, kept.string
    if is_whole:
        return _joined([*reads, *nested], by, ("",), word)
    own = [read for read in nested if all(file.startswith(read.folder) for file in read.elements)]
    return _joined(own, by, tuple(read.folder for read in own if read.elements))


def _joined(
    reads: Sequence[_Read], by: str, folders: tuple[str, ...], word: str = ""
) -> TheirSelection | None:
    """Return what several sitemaps select in these folders, if it is anything."""
    elements: dict[str, UrlElement] = {}
    files: dict[str, str] = {}
    bases: list[str] = []
    for read in reads:
        elements = {**read.elements, **elements}
        files = {**read.files, **files}
        bases += read.bases
    if not elements:
        return None
    place = next(read.name for read in reads if read.elements)
    return TheirSelection(by, place, elements, files, bases, folders, word)


def _named_in_robots(tree: OutputDir) -> Iterator[str]:
    """Yield the sitemaps that robots.txt names, by their paths."""
    source = _Files(tree, "")
    for url in read_robots(tree).sitemap_urls:
        if file := source.file(url):
            yield file


def _refuse_other_settings(tree: OutputDir, digest: str, options: Options) -> None:
    """Raise SitemapError if our file was written with other settings than these."""
    if digest != _digest(options):
        raise SitemapError(
            f"{tree.root}: `exclude`, `include` or `rules` are not those with which its sitemap was"
            " written, and what the site's own sitemap listed is not known any more: build the site"
            " anew, and then run `sitemapkit build`"
        )


def _digest(options: Options) -> str:
    """Return a digest of the options that change which pages are listed, and what is said."""
    data = msgspec.json.encode([options.exclude, options.include, options.rules])
    return sha256(data).hexdigest()[:12]


class _Read(Struct):
    """A sitemap, and those that it names."""

    name: str
    elements: dict[str, UrlElement] = {}
    """What it says of pages, by their files; nothing if it selects none."""

    files: dict[str, str] = {}
    """The files that its addresses lead to."""

    bases: list[str] = []
    """The URLs that it has the site at."""

    @property
    def folder(self) -> str:
        """The folder that it is in, with a final slash."""
        return self.name.rpartition("/")[0] + "/"


def _read(tree: OutputDir, name: str, issues: list[Issue], seen: set[str]) -> _Read:
    """Read a sitemap, and those that it names, which are added to `seen`."""
    sitemaps = collect([name], _Files(tree, name), Budget())
    seen.update(each.location for each in sitemaps)
    where = str(tree.root / name)
    for each in sitemaps:
        if each.error or not each.complete:
            why = f"{each.location} cannot be read whole, so that it selects nothing."
            issues.append(rules.issue("unanswered", where, why))
            return _Read(name)
    found, dead = _Read(name), dict[str, None]()
    for each in sitemaps:
        if each.kind in ("urlset", "text") and not each.is_for_news:
            _read_elements(tree, each, found, dead)
    if len(dead) > len(found.files):
        why = (
            f"{counted(len(dead), 'address has', 'addresses have')} no file and"
            f" {len(found.files):,} have one, so that it is of another build and selects nothing."
        )
        issues.append(rules.issue("unanswered", where, why))
        return _Read(name)
    issues += rules.grouped("unanswered", [*dead], f"{where} lists it; it is left out.")
    return found


def _read_elements(
    tree: OutputDir, sitemap: SitemapFile, found: _Read, dead: dict[str, None]
) -> None:
    """Add the addresses of a sitemap: those with files, and those that are dead."""
    urls = [(url, each) for each in sitemap.elements if (url := normalize_or_none(each.loc))]
    if not urls:
        return
    paths = [_path_of(url) for url, _ in urls]
    folder, part = _place_of(tree, paths, sitemap.location.rpartition("/")[0])
    for (url, element), path in zip(urls, paths, strict=True):
        route = part.route(path) if "?" not in url else None
        if route is None:
            dead[url] = None
        else:
            file = f"{folder}{route.file}"
            found.files.setdefault(url, file)
            found.elements.setdefault(file, element)
    origin = urlsplit(urls[0][0])
    found.bases.append(f"{origin.scheme}://{origin.netloc}{part.base_url}")


def _path_of(url: str) -> str:
    return urlsplit(url).path or "/"


def _place_of(tree: OutputDir, paths: Sequence[str], above: str) -> tuple[str, OutputDir]:
    """Return the folder that the paths of a sitemap start from, and it as it is served there.

    That is where most of them lead to a file: below the path of the site, if that is among the
    best. A host of its own may have the folder that the sitemap is in.
    """
    places = [("", tree)]
    if above:
        folder = f"{above}/"
        names = [name.removeprefix(folder) for name in tree.files if name.startswith(folder)]
        places.append((folder, OutputDir(tree.root / above, "", frozenset(names))))
    step = len(paths) // _SAMPLE + 1
    sample = paths[::step]
    common = commonprefix(paths).rpartition("/")[0] + "/"  # noqa: RUF071 - URLs, cut at /
    usual = urlsplit(tree.base_url).path
    best: tuple[str, OutputDir] = ("", tree.served_at(common))
    best_rank = (-1, False, False, 0)
    for end, letter in enumerate(common, 1):
        if letter != "/":
            continue
        base = common[:end]
        for folder, files in places:
            served = files.served_at(base)
            hits = sum(served.route(path) is not None for path in sample)
            rank = (hits, not folder, base == usual, -len(base))
            if rank > best_rank:
                best_rank, best = rank, (folder, served)
    return best


class _Files:
    """The files of a site by URLs of any host and base, as sitemaps of it name each other."""

    def __init__(self, tree: OutputDir, entry: str) -> None:
        """Take the site and the path of the sitemap to start from."""
        self._tree, self._entry = tree, entry

    def read(self, url: str) -> bytes:
        """Return the file behind a URL. Raises UnreadableError."""
        file = self.file(url)
        if not file:
            raise UnreadableError("There is no such file.", missing=True)
        try:
            return self._tree.read(file, MAX_FILE + 1)
        except OSError as error:
            raise UnreadableError(f"{error.strerror}.") from error

    def location(self, url: str) -> str:
        """Return the path below the root that the URL names."""
        return self.file(url) or url

    def file(self, url: str) -> str | None:
        """Return the file whose path is the longest end of a URL's."""
        if url == self._entry:
            return url
        names = unquote(urlsplit(url).path).strip("/").split("/")
        beside = self._entry.rpartition("/")[0]
        for start in range(len(names)):
            name = "/".join(names[start:])
            for each in (name, f"{beside}/{name}"):
                if each in self._tree.files and each != self._entry:
                    return each
        return None


class _Persons:
    """Tells which sitemaps are files that a person wrote, and no generator."""

    def __init__(self, tree: OutputDir, *, has_maker: bool) -> None:
        self._tree, self._has_maker = tree, has_maker
        self._work: WorkTree | None = work_tree(tree.root)
        self._above = ""
        if self._work:
            below = tree.root.resolve().relative_to(self._work.root.resolve()).as_posix()
            self._above = "" if below == "." else f"{below}/"

    def wrote(self, file: str) -> bool:
        """Return whether git tracks a sitemap: in the sources or, with the site, without a maker.

        A generator's site may be committed as a whole; then its sitemap is there with its pages.
        """
        if not self._work:
            return False
        if f"{self._above}{file}" in self._work.files:
            pages = (f"{self._above}{page}" for page in self._tree.pages())
            return not self._has_maker or self._work.files.isdisjoint(pages)
        return any(map(self._is_source_of(file), self._sources_named(file)))

    def _sources_named(self, file: str) -> Iterator[str]:
        """Yield the tracked files elsewhere that may have been copied to this one."""
        for name in self._work.files if self._work else ():
            if f"/{name}".endswith(f"/{file}") and not name.startswith(self._above or "/"):
                yield name

    def _is_source_of(self, file: str) -> _SameText:
        root = self._work.root if self._work else self._tree.root
        return _SameText(self._tree, root, file)


class _SameText(Struct, frozen=True):
    """Whether a tracked file was copied to one of the site, and its folder is no copy of that."""

    tree: OutputDir
    root: Path
    file: str

    def __call__(self, name: str) -> bool:
        """Return whether the site has this tracked file."""
        source = self._without_front_matter(self._source(name))
        if not source or source != self.tree.read(self.file, MAX_FILE).strip():
            return False
        home = name.removesuffix(self.file) + "index.html"
        is_copy = "index.html" in self.tree.files and (
            self._source(home) == self.tree.read("index.html", MAX_PAGE)
        )
        return not is_copy

    def _source(self, name: str) -> bytes:
        try:
            return read_file(self.root / name, MAX_FILE, cut=True, inside=self.root)
        except OSError:  # it is tracked, and not there
            return b""

    def _without_front_matter(self, text: bytes) -> bytes:
        found = re.match(rb"---\s*\n(?:.*\n)*?---\s*\n", text)
        return text[found.end() :].strip() if found else text.strip()


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
        if file in selection.elements or not file.startswith(selection.folders):
            continue
        each.page.excluded = Reason.LEFT_OUT
        each.page.decided_by = selection.place
        if not include.match(options.path_of(each.loc)):
            left.append(file)
    place = str(tree.root / selection.place)
    if left:
        detail = f"{selection.by}'s own sitemap leaves out {counted(len(left), 'page')}."
        issues.append(rules.issue("left-out", place, detail))
    if bare := _bare_folders(left, selection.elements):
        more = f" and {len(bare) - _MOST_NAMED:,} more" if len(bare) > _MOST_NAMED else ""
        detail = f"It names nothing in {', '.join(bare[:_MOST_NAMED])}{more}."
        issues.append(rules.issue("left-out", place, detail, severity="warning"))
    return urls


_MOST_NAMED = 5


def _bare_folders(left: Sequence[str], listed: Iterable[str]) -> list[str]:
    """Return the highest folders with pages of which none is listed."""
    known = {folder for file in listed for folder in _folders_of(file)}
    counts: dict[str, int] = {}
    for file in left:
        bare = [folder for folder in _folders_of(file) if folder not in known]
        if bare:
            counts[bare[0]] = counts.get(bare[0], 0) + 1
    return sorted(folder for folder, count in counts.items() if count >= _SOME_PAGES)


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
