"""Which files of a finished site a person wrote: git tracks them, and no generator made them."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from sitemapkit_tools.bounds import MAX_FILE, MAX_PAGE
from sitemapkit_tools.site.tracked import work_tree
from textdates.bounds import read_file, real_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.site.output_dir import OutputDir

_FRONT_MATTER = re.compile(rb"---[ \t]*\r?\n(?:(?!---).*\n)*+---[ \t]*\r?\n")


class PersonsFiles:
    """Tells which sitemaps are files that a person wrote, and no generator."""

    def __init__(self, tree: OutputDir, *, has_maker: bool) -> None:
        """Take a site, and whether a generator is known to have made it."""
        self._tree, self._has_maker = tree, has_maker
        self._root = tree.root
        self._tracked = frozenset[str]()
        self._above = ""
        work = work_tree(tree.root)
        if work:
            below = PurePath(real_path(tree.root)).relative_to(real_path(work.root)).as_posix()
            self._root, self._tracked = work.root, work.files
            self._above = "" if below == "." else f"{below}/"

    def wrote(self, file: str) -> bool:
        """Return whether git tracks a sitemap: in the sources or, with the site, without a maker.

        A generator's site may be committed as a whole; then its sitemap is there with its pages.
        """
        if f"{self._above}{file}" in self._tracked:
            return not (self._has_maker and self._are_pages_tracked)
        name = file.rpartition("/")[2]
        for source in self._sources_by_name.get(name, ()):
            if f"/{source}".endswith(f"/{file}") and self._was_copied(source, file):
                return True
        return False

    @cached_property
    def _are_pages_tracked(self) -> bool:
        return any(f"{self._above}{page}" in self._tracked for page in self._tree.pages())

    @cached_property
    def _sources_by_name(self) -> Mapping[str, Sequence[str]]:
        """The tracked files that are not in the site, by their names without folders."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._tracked):
            if not (self._above and path.startswith(self._above)):
                found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def _was_copied(self, source: str, file: str) -> bool:
        """Return whether a tracked file was copied to one of the site.

        A folder that has the home page, too, is no source but another copy of the site.
        """
        text = _without_front_matter(self._source(source))
        if not text or text != self._tree.read(file, MAX_FILE).strip():
            return False
        if "index.html" not in self._tree.files:
            return True
        home = source.removesuffix(file) + "index.html"
        return self._source(home) != self._tree.read("index.html", MAX_PAGE)

    def _source(self, path: str) -> bytes:
        """Return the text of a tracked file; nothing if it is not there any more."""
        try:
            return read_file(self._root / path, MAX_FILE, cut=True, inside=self._root)
        except OSError:
            return b""


def _without_front_matter(text: bytes) -> bytes:
    found = _FRONT_MATTER.match(text)
    return text[found.end() :].strip() if found else text.strip()
