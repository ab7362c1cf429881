"""Tree: a finished site in a directory, and which file a web server would answer a URL with."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from sitemapkit.errors import SitemapError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_INDEXES = ("index.html", "index.htm", "index.xhtml")

_CLEAN = re.compile(r"[A-Za-z0-9/._~-]*")

Way = Literal["itself", "index", "suffix", "redirect"]
"""How a URL comes to its file: it names it; it names its directory; it leaves out `.html`; or it
names its directory without the final slash, which servers answer with a redirect."""


class Answer(NamedTuple):
    """The file behind a URL."""

    file: str
    """Path below the root, with slashes."""

    way: Way


class Tree:
    """The files below a directory that is served under a base URL."""

    def __init__(
        self, root: Path, base_url: str = "", *, files: frozenset[str] | None = None
    ) -> None:
        """Walk the directory, unless its files are known. Raises SitemapError if it is none."""
        if not root.is_dir():
            raise SitemapError(f"{root} is not a directory; name the one that the site is built in")
        self.root = root
        self.base_url = base_url
        self.files = frozenset(_walk(root)) if files is None else files

    def served_at(self, base_url: str) -> Tree:
        """Return the same files under another base URL."""
        return Tree(self.root, base_url, files=self.files)

    def pages(self) -> list[str]:
        """Return the HTML files, sorted."""
        return sorted(name for name in self.files if name.lower().endswith(HTML_SUFFIXES))

    def path(self, file: str) -> Path:
        """Return where on disk a file is."""
        return self.root / file

    def url_of(self, file: str) -> str:
        """Return the URL that a static web server gives a file: a directory for its index."""
        folder, slash, name = file.rpartition("/")
        named = folder + slash + ("" if name.lower() in _INDEXES else name)
        if _CLEAN.fullmatch(named):
            return self.base_url + named
        return self.base_url + quote(os.fsencode(named), safe="/-._~!$&'()*+,;=:@")

    def answer(self, url: str) -> Answer | None:
        """Return the file that a URL below the base leads to, or None where there is none."""
        name = self._name(url)
        if name is None:
            return None
        if name and not name.endswith("/"):
            return self._named(name)
        for index in _INDEXES:
            if name + index in self.files:
                return Answer(name + index, "index")
        return None

    def _name(self, url: str) -> str | None:
        """Return the path below the root that a URL asks for; None: it leads out of the site."""
        if not url.startswith(self.base_url):
            return None
        escaped = url[len(self.base_url) :].partition("#")[0].partition("?")[0]
        name = os.fsdecode(unquote_to_bytes(escaped))
        return None if {"..", "."} & set(name.split("/")) or "\0" in name else name

    def _named(self, name: str) -> Answer | None:
        if name in self.files:
            return Answer(name, "itself")
        for suffix in HTML_SUFFIXES:
            if name + suffix in self.files:
                return Answer(name + suffix, "suffix")
        for index in _INDEXES:
            if f"{name}/{index}" in self.files:
                return Answer(f"{name}/{index}", "redirect")
        return None


def _walk(root: Path) -> Iterator[str]:
    """Yield the paths of all files below the root, those behind linked directories too.

    A link is followed where it stays in the site, leads to no directory above it and lies in no
    linked directory itself: so the walk ends. Names that begin with a dot are not served.
    """
    top = os.path.realpath(root)
    waiting = [(str(root), "", False)]
    while waiting:
        folder, prefix, linked = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") and entry.name != ".well-known":
                    continue
                kind = _kind(entry)
                link = kind == "folder" and entry.is_symlink()
                if kind == "file":
                    yield prefix + entry.name
                elif kind == "folder" and (
                    not link or (not linked and _leads_down(entry.path, folder, top))
                ):
                    waiting.append((entry.path, f"{prefix}{entry.name}/", linked or link))


def _kind(entry: os.DirEntry[str]) -> Literal["file", "folder", "device"]:
    """Tell what to do with an entry: a device or pipe may never end, and is no page anyway."""
    try:
        if entry.is_dir():
            return "folder"
        if entry.is_file() or not os.path.exists(entry.path):  # noqa: PTH110 - a string it is
            return "file"
    except OSError:  # a link to itself; as with one to nothing, whoever reads it will say so
        return "file"
    return "device"


def _leads_down(link: str, folder: str, top: str) -> bool:
    target, here = os.path.realpath(link), os.path.realpath(folder)
    inside = os.path.commonpath([target, top]) == top
    return inside and os.path.commonpath([target, here]) != target
