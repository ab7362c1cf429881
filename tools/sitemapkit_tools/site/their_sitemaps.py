"""What a sitemap of a finished site says of its files, whatever host and path it names.

Sitemaps are often made for another host than that of the site, such as localhost. So the base of a
sitemap is found: the part of its addresses below which most of them lead to files.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from os.path import commonprefix
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from sitemapkit import rules
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.bounds import MAX_DEPTH, Budget
from sitemapkit_tools.console import counted
from sitemapkit_tools.site.directory import DirectorySource
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sitemaps.collect import collect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.output_dir import Route
    from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile, UrlElement

_SAMPLE = 200
"""Addresses of a sitemap by which its base is found."""


class TheirSitemap(Struct):
    """A sitemap, with those that it names."""

    name: str
    elements: dict[str, UrlElement] = {}
    """What it says of pages, by their files."""

    files: dict[str, str] = {}
    """The files that its addresses lead to."""

    bases: list[str] = []
    """The URLs that it has the site at."""

    dead: dict[str, None] = {}
    """The addresses that lead to no file."""

    is_usable: bool = True
    """Whether it can be read whole, and is of the files that are there."""

    selected_by: str = ""
    """The word in it, if it is ours."""

    @property
    def folder(self) -> str:
        """The folder that it is in, with a final slash; "/" at the root."""
        return self.name.rpartition("/")[0] + "/"


class SitemapReader:
    """Reads the sitemaps of a site, each file once."""

    def __init__(self, tree: OutputDir) -> None:
        """Read the files of `tree`."""
        self.tree = tree
        self.seen: set[str] = set()
        """The files that were read."""

    def read(self, name: str, issues: list[Issue]) -> TheirSitemap:
        """Return what a sitemap says; it says nothing if it cannot be used, which is an issue."""
        sitemaps = collect([name], _FilesByEnding(self.tree, name), Budget())
        for each in sitemaps:
            self.seen.add(each.location)
        where = str(self.tree.root / name)
        hosts = {urlsplit(each.url).netloc for each in sitemaps[1:] if not each.is_missing}
        found = TheirSitemap(name)
        for each in sitemaps:
            if each.is_missing and hosts and urlsplit(each.url).netloc not in hosts:
                why = f"{where} names it; it is of another host, and left out."
                issues += rules.grouped("unanswered", [each.url], why)
            elif each.error or not each.complete:
                why = f"{each.location} cannot be read whole, so that it selects nothing."
                issues += rules.grouped("unanswered", [where], why)
                return TheirSitemap(name, is_usable=False)
        for each in sitemaps:
            if each.kind in ("urlset", "text") and not each.is_for_news:
                self._add_elements(each, found)
        if len(found.dead) > len(found.files):
            dead = counted(len(found.dead), "address has", "addresses have")
            why = (
                f"{dead} no file and {len(found.files):,} have one, so that it is of another build"
                " and selects nothing."
            )
            issues += rules.grouped("unanswered", [where], why)
            return TheirSitemap(name, is_usable=False)
        issues += rules.grouped("unanswered", [*found.dead], f"{where} lists it; it is left out.")
        return found

    def _add_elements(self, sitemap: SitemapFile, found: TheirSitemap) -> None:
        """Add the addresses of one file: those with files, and those that are dead."""
        elements: dict[str, UrlElement] = {}
        for element in sitemap.elements:
            url = resolve_or_none(element.loc.strip(), self.tree.base_url)  # Jekyll: `/a.html`
            if url:
                elements.setdefault(url, element)
        if not elements:
            return
        place = self._place_of([*elements], sitemap.location.rpartition("/")[0])
        for url, element in elements.items():
            route = place.route(url)
            if route is None:
                found.dead[url] = None
            else:
                file = place.folder + route.file
                found.files.setdefault(url, file)
                found.elements.setdefault(file, element)
        origin = urlsplit(next(iter(elements)))
        found.bases.append(f"{origin.scheme}://{origin.netloc}{place.served.base_url}")

    def _place_of(self, urls: Sequence[str], above: str) -> _Place:
        """Return where the addresses of a sitemap start from; `above` is the folder it is in.

        That is where most of them lead to a file: below the path of the site, if that is among the
        best. A host of its own may have the folder that the sitemap is in.
        """
        folders = {"": self.tree}
        if above:
            folders[f"{above}/"] = self._below(above)
        usual = urlsplit(self.tree.base_url).path
        bases = dict.fromkeys([usual, *_common_bases(urls)])
        step = len(urls) // _SAMPLE + 1
        sample = urls[::step]
        best = _Place("", self.tree.served_at(usual))
        best_rank = (-1, False, False, 0)
        for base in bases:
            for folder, files in folders.items():
                place = _Place(folder, files.served_at(base))
                hits = sum(place.route(url) is not None for url in sample)
                rank = (hits, not folder, base == usual, -len(base))
                if rank > best_rank:
                    best_rank, best = rank, place
        return best

    def _below(self, folder: str) -> OutputDir:
        """Return a folder of the site as a site of its own."""
        start = bisect_left(self._sorted_files, f"{folder}/")
        end = bisect_left(self._sorted_files, f"{folder}0")  # "0" is what follows "/"
        names: list[str] = []
        for name in self._sorted_files[start:end]:
            names.append(name.removeprefix(f"{folder}/"))
        return OutputDir(self.tree.root / folder, "", frozenset(names))

    @cached_property
    def _sorted_files(self) -> Sequence[str]:
        return sorted(self.tree.files)


class _Place(NamedTuple):
    """Where addresses start from."""

    folder: str
    """The folder of the site, with a final slash; "" is the root."""

    served: OutputDir
    """What is in it, with the path that addresses have it at for its base URL."""

    def route(self, url: str) -> Route | None:
        """Return the file that an address leads to; one with a query is no file's."""
        parts = urlsplit(url)
        if parts.query:
            return None
        path = parts.path or "/"
        base = self.served.base_url
        return self.served.route(base if f"{path}/" == base else path)


def _common_bases(urls: Sequence[str]) -> Iterator[str]:
    """Yield the paths below which all addresses are, the shortest first.

    The home page may be named without its final slash.
    """
    paths: list[str] = []
    for url in urls:
        paths.append(urlsplit(url).path.rstrip("/") + "/")
    common = commonprefix(paths)  # noqa: RUF071 - it is cut at a slash
    names = common.split("/")[1:-1]
    base = "/"
    yield base
    for name in names[:MAX_DEPTH]:
        base = f"{base}{name}/"
        yield base


class _FilesByEnding(DirectorySource):
    """The files of a site by URLs of any host and base, as sitemaps of it name each other."""

    def __init__(self, tree: OutputDir, entry: str) -> None:
        """Take the site, and the path of the sitemap to start from."""
        super().__init__(tree)
        self._entry = entry

    def location(self, url: str) -> str:
        """Return the path below the root that the URL names."""
        return self.file(url) or url

    def file(self, url: str) -> str | None:
        """Return the file whose path is the longest end of a URL's, but for the entry itself."""
        if url == self._entry:
            return url
        beside = self._entry.rpartition("/")[0]
        return file_named(self._tree, url, beside=beside, other_than=self._entry)


def file_named(tree: OutputDir, url: str, *, beside: str = "", other_than: str = "") -> str | None:
    """Return the file whose path, below the root or a folder, is the longest end of a URL's."""
    names = unquote(urlsplit(url).path).strip("/").split("/")[-MAX_DEPTH:]
    for start in range(len(names)):
        name = "/".join(names[start:])
        for each in (name, f"{beside}/{name}"):
            if each in tree.files and each != other_than:
                return each
    return None
