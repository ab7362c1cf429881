"""MyST, the engine of Jupyter Book 2."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from sitemapkit.model import Reason
from sitemapkit_tools.bounds import MAX_JSON, decode_json
from sitemapkit_tools.generators.project import BaseProject, as_index
from sitemapkit_tools.generators.settings import as_list, as_table
from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from textdates import FileOrPart

_RECORD = "myst.xref.json"


class Project(BaseProject):
    """`myst.xref.json` names the data of each page, and that names the source."""

    name = "MyST"
    settings_files = ("myst.yml",)
    mark = "mystmd"
    default_output = "_build/html"
    is_record_complete = True

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return what the record says; pages that are not in it are of an earlier build."""
        pages: dict[str, Made] = {}
        for url, data in self._references(site):
            page = self._page(url, site)
            made = self._made(data.lstrip("/"), site)
            if page and made:
                pages[page] = made
        if not pages:
            return {}
        for file in site.pages():
            if file.startswith("build/"):
                pages[file] = Made(kind="static")  # what texts offer for download
            elif f"{file.removesuffix('/index.html')}.json" in site.files and file not in pages:
                pages[file] = Made(excluded=Reason.STALE)
        return pages

    def _references(self, site: OutputDir) -> Iterator[tuple[str, str]]:
        """Yield the URL of each page, and the file with its data."""
        if _RECORD not in site.files:
            return
        for each in map(as_table, as_list(self._json(site, _RECORD).get("references"))):
            if each.get("kind") == "page":  # others are targets in pages
                yield str(each.get("url")), str(each.get("data"))

    def _page(self, url: str, site: OutputDir) -> str | None:
        """Return the file of a URL, which may begin with the path of the site."""
        path = unquote(urlsplit(url).path).strip("/")
        base = urlsplit(site.base_url).path.strip("/")
        below = path.removeprefix(base).lstrip("/")
        names = [as_index(path), f"{path}.html", as_index(below)]
        return next((name for name in names if name in site.files), None)

    def _made(self, data: str, site: OutputDir) -> Made | None:
        """Return the source of a page, and what it includes, by the page's data."""
        content = as_table(self._json(site, data) if data in site.files else None)
        location = content.get("location")
        if not isinstance(location, str):
            return None
        source = self.folder / location.lstrip("/")
        if not source.is_file():
            return Made(excluded=Reason.STALE)
        return Made([source], included=tuple(_included(content.get("mdast"), source)))

    def _json(self, site: OutputDir, name: str) -> Mapping[str, Any]:
        try:
            return decode_json(site.read(name, MAX_JSON), dict[str, Any])
        except (OSError, ValueError) as error:
            self.cannot_read(Path(site.path(name)), error)
            return {}


def _included(root: object, source: Path) -> Iterator[FileOrPart]:
    """Yield the files that a text includes; names start from the including file."""
    waiting: list[tuple[object, Path]] = [(root, source)]
    while waiting:
        node, file = waiting.pop()
        each = as_table(node)
        name = each.get("file")
        if each.get("type") == "include" and isinstance(name, str):
            file = file.parent / name
            if file.is_file():
                yield file
        waiting += [(child, file) for child in as_list(each.get("children"))]
