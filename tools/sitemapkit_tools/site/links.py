"""Which files the pages of a site link to.

Most pages repeat a menu. A link in it is written the same in all pages of a folder; if it begins
with `../`, also in all folders beside that one. What is written the same is compared as such, and
only what is different is resolved: a site of 1,000 pages may have a million links to them.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sitemapkit.parsing import as_utf8
from sitemapkit.urls import resolve_or_none
from sitemapkit.xmltext import unescaped
from sitemapkit_tools.bounds import MAX_PAGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from sitemapkit_tools.site.output_dir import OutputDir, RouteKind

    Written = dict[str, dict[bytes, str]]
    """The links in some pages as they are written, by the folder that they are relative to, each
    with the file of the only page that has it, or `SEVERAL`."""

SEVERAL = ""
"""Stands for the file where more than one page has a link."""


def _before_value(spaces: int) -> str:
    names = ("href", "src", "action", "data-href")
    return "|".join(rf"(?<=[\s\"']{name}\s{{{spaces}}}=)" for name in names)


# The pattern begins with a fixed character: that is found eight times as fast as a name.
_LINK = re.compile(
    rf"""(?ix) =
    (?: {_before_value(0)} | (?<=\s=) (?: {"|".join(map(_before_value, range(1, 10)))} ) )
    \s{{0,9}} ["']?
    ( (?<=") [^"<>]{{1,2000}} (?=") | (?<=') [^'<>]{{1,2000}} (?=')
    | (?<!["']) [^\s"'<>]{{1,2000}} )""".encode()
)

_SHARED = (b"../", b"./../", b"/", b"https://", b"http://")
"""How a link begins that leads to the same from all folders beside each other."""

_ABSOLUTE = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*://")
_UP = re.compile(r"(?:\./)*\.\./")
_TO_NO_OTHER = re.compile(r"\?|[A-Za-z][A-Za-z0-9+.-]*:(?!//)")


_FOR_READERS = re.compile(
    rb"""(?xi)
    <(?:a|area)\s [^<>]{0,2000}?  # a link, and its attributes before the target
    \bhref \s{0,9}=\s{0,9}
    ["']? ([^"'\s<>]{1,2000})  # the target, with or without quotes
    """
)


def note_links(
    html: bytes,
    refresh: str | None,
    file: str,
    written: Written,
    pattern: re.Pattern[bytes] = _LINK,
) -> None:
    """Add what the elements of a page lead to, and its refresh."""
    found = {*pattern.findall(html), (refresh or "").encode()}
    shared = {link for link in found if link.startswith(_SHARED)}
    folder = file[: file.rfind("/") + 1]
    beside = f"{_above(folder)}*/" if folder else ""
    for place, links in ((folder, found - shared), (beside, shared)):
        known = written.setdefault(place, {})
        again = links & known.keys()
        known.update(dict.fromkeys(links - again, file))
        known.update(dict.fromkeys(again, SEVERAL))


def _above(folder: str) -> str:
    return folder[: folder.rfind("/", 0, -1) + 1]


class Links:
    """All links of a site's pages, each kept once."""

    def __init__(self, tree: OutputDir) -> None:
        """Begin with no link between the files of `tree`."""
        self.tree = tree
        self._pages: dict[str, str] = {}
        """As `Written`, but all links are relative to the site's root."""

    def add(self, written: Written) -> None:
        """Add what was found in some pages."""
        for place, links in written.items():
            folder = self.tree.url_of(f"{place}index.html")[len(self.tree.base_url) :]
            for link, page in links.items():
                target = _from_root(link, folder)
                if target and self._pages.setdefault(target, page) != page:
                    self._pages[target] = SEVERAL

    @cached_property
    def urls(self) -> Mapping[str, str]:
        """The URLs that are linked, each with the page that links it, or `SEVERAL`."""
        found: dict[str, str] = {}
        for link, page in self._pages.items():
            url = resolve_or_none(link, self.tree.base_url)
            if url and found.setdefault(url, page) != page:
                found[url] = SEVERAL
        return found

    @cached_property
    def kinds(self) -> Mapping[str, Set[RouteKind]]:
        """The files that another page links to, once all pages are read, and how links do so."""
        found: dict[str, set[RouteKind]] = {}
        for url, page in self.urls.items():
            route = self.tree.route(url)
            if route and route.file != page:
                found.setdefault(route.file, set()).add(route.kind)
        return found

    @property
    def targets(self) -> Set[str]:
        """The files that another page links to."""
        return self.kinds.keys()


def _from_root(written: bytes, folder: str) -> str:
    """Return a link in a page of a folder as the home page would have it.

    It is "" if it leads to no other page.
    """
    link = unescaped(written.decode("utf-8", "replace")).strip().partition("#")[0]
    if not link or _TO_NO_OTHER.match(link):
        return ""
    if _ABSOLUTE.match(link):
        return link
    while folder and (up := _UP.match(link)):
        folder, link = _above(folder), link[up.end() :]
    return f"./{folder}{link}"


def links_for_readers(tree: OutputDir) -> Links:
    """Return the links in the texts of all pages, but none of frames."""
    written: Written = {}
    for page in tree.pages():
        note_links(as_utf8(tree.read(page, MAX_PAGE)), None, page, written, _FOR_READERS)
    links = Links(tree)
    links.add(written)
    return links


def named_in_scripts(tree: OutputDir, urls: Mapping[str, str]) -> set[str]:
    """Return which files of pages a script of the site names, as one that builds a menu does.

    `urls` has their URLs. Indexes of a search name all pages, and do not count.
    """
    names = {name: file for file, url in urls.items() for name in _names(file, url, tree) if name}
    path = urlsplit(tree.base_url).path
    found: set[str] = set()
    for script in sorted(tree.files) if names else ():
        if not script.endswith((".js", ".mjs", ".json")) or "search" in script.lower():
            continue
        text = unquote(tree.read(script, _LONGEST_SCRIPT).decode("utf-8", "replace"))
        for said in _QUOTES.split(text):
            name = said.removeprefix(tree.base_url).removeprefix(path).lstrip("./")
            if name in names:
                found.add(names[name])
    return found


_LONGEST_SCRIPT = 2_000_000
_QUOTES = re.compile("[\"'`]")


def _names(file: str, url: str, tree: OutputDir) -> set[str]:
    return {file, unquote(url.removeprefix(tree.base_url))}
