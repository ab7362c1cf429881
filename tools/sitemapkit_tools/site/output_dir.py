"""OutputDir: a finished site in a directory, and the file that a web server sends for each URL."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit.errors import SitemapError
from sitemapkit.rules import and_more
from sitemapkit.urls import HTML_SUFFIXES, addresses, file_names
from sitemapkit_tools.console import echo
from textdates.bounds import is_file, is_folder, is_inside, is_there, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapkit.model import FilePath

_CLEAN = re.compile(r"[A-Za-z0-9/._~-]*")

WHICH_FOLDER = "pass the folder that your generator writes (site, output, _build/html, public)"
"""What to do about a folder that is no finished site."""

RouteKind = Literal["exact", "index", "suffix", "redirect"]
"""How a URL leads to its file: it names the file; it names its directory; it leaves out `.html`; or
it names the directory without the final slash, which servers answer with a redirect."""


class Route(NamedTuple):
    """The file behind a URL."""

    file: str
    """Path below the root, with slashes."""

    kind: RouteKind


class OutputDir(Struct, frozen=True):
    """The files below a directory that is served under a base URL."""

    root: Path
    base_url: str
    files: frozenset[str]
    """Paths below the root, with slashes."""

    serves_bare_folders: bool = False
    """Whether a folder answers without its final slash, too, as generators assume that link it
    so."""

    @classmethod
    def walk(cls, root: Path, base_url: str = "") -> OutputDir:
        """Find all files of a site; say which links lead out of it.

        Raises SitemapError if it is not a directory.
        """
        if not is_folder(root):
            raise SitemapError(f"{root} is not a directory: {WHICH_FOLDER}")
        outside: list[str] = []
        files = frozenset(_walk(root, outside))
        for name in sorted(outside)[:1]:
            said = f"{root / name} is left out: it is a symbolic link that leads out of the site."
            echo(f"warning {said} {and_more(len(outside))}".rstrip(), err=True)
        return cls(root, base_url, files)

    @classmethod
    def top(cls, root: Path, *names: str) -> OutputDir:
        """Return a site of which only the files at its root and of these names are known."""
        with os.scandir(root) as entries:
            found = {each.name for each in entries if each.is_file(follow_symlinks=False)}
        deep = (name for name in names if is_file(os.path.join(root, name)))  # noqa: PTH118
        return cls(root, "", frozenset({*found, *deep}))

    def served_at(self, base_url: str) -> OutputDir:
        """Return the same files under another base URL."""
        return replace(self, base_url=base_url)

    def pages(self) -> list[str]:
        """Return the HTML files, sorted."""
        return sorted(filter(is_page, self.files))

    def path(self, file: str) -> str:
        """Return where on disk a file is; making a `Path` of it would take ten times as long."""
        return os.path.join(self.root, file)  # noqa: PTH118

    def file(self, path: FilePath) -> str:
        """Return the file that is there on disk."""
        return os.fspath(path).removeprefix(self.path(""))

    def read(self, file: str, limit: int) -> bytes:
        """Return at most `limit` bytes of a file. Raises OSError, also if a link leads outside."""
        return read_file(self.path(file), limit, cut=True, inside=self.root)

    def url_of(self, file: str) -> str:
        """Return the URL that a static web server gives a file: a directory for its index."""
        named = addresses(file)[0]
        if _CLEAN.fullmatch(named):
            return self.base_url + named
        return self.base_url + quote(os.fsencode(named), safe="/-._~!$&'()*+,;=:@")

    def route(self, url: str) -> Route | None:
        """Return the file that a URL below the base leads to, or None if there is none."""
        name = self._path(url)
        names = () if name is None else file_names(name)
        file = next((each for each in names if each in self.files), None)
        if not file:
            return None
        kind = _kind_of(name or "", file)
        return Route(file, "index" if kind == "redirect" and self.serves_bare_folders else kind)

    def _path(self, url: str) -> str | None:
        """Return the path below the root that a URL asks for. None: it leads out of the site."""
        if not url.startswith(self.base_url):
            return None
        escaped = url[len(self.base_url) :].partition("#")[0].partition("?")[0]
        name = os.fsdecode(unquote_to_bytes(escaped))
        return None if {"..", "."} & set(name.split("/")) or "\0" in name else name


def is_page(file: str) -> bool:
    """Return whether a file is HTML, according to its suffix."""
    return file.lower().endswith(HTML_SUFFIXES)


def _kind_of(path: str, file: str) -> RouteKind:
    """Return how a path leads to its file."""
    if path == file:
        return "exact"
    if path not in addresses(file):
        return "redirect"
    return "suffix" if file.startswith(f"{path}.") else "index"


def _walk(root: Path, outside: list[str]) -> Iterator[str]:
    """Yield the paths of all files below the root, those behind links too.

    A link that leads out of the site is put into `outside`. One to a directory is followed if that
    is not above it, and if it is not in a linked one itself, so that the walk ends.
    """
    waiting = [(str(root), "", False)]
    while waiting:
        folder, prefix, linked = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                kind = _kind(entry)
                if entry.name.startswith(".") and not _is_served(entry.name, kind):
                    continue
                link = entry.is_symlink()
                if link and not is_inside(entry.path, root):
                    outside.append(prefix + entry.name)
                elif kind == "file":
                    yield prefix + entry.name
                elif kind == "folder" and not (link and (linked or is_inside(folder, entry.path))):
                    waiting.append((entry.path, f"{prefix}{entry.name}/", linked or link))


def _is_served(hidden: str, kind: str) -> bool:
    """Return whether a name that begins with a dot is served: a page without a name is."""
    return hidden in HTML_SUFFIXES if kind == "file" else hidden == ".well-known"


def _kind(entry: os.DirEntry[str]) -> Literal["file", "folder", "device"]:
    """Return what to do with an entry; reading a device or pipe may never end."""
    try:
        if entry.is_dir():
            return "folder"
        if entry.is_file() or not is_there(entry.path):
            return "file"
    except OSError:  # a link to itself or to nothing: reading it will fail
        return "file"
    return "device"
