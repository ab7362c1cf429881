"""Zensical. It also builds projects of MkDocs, whose settings are not read here."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sitemapkit.model import Reason
from sitemapkit_tools.bounds import MAX_PAGE, read_json
from sitemapkit_tools.generators.mkdocstrings import shown_objects
from sitemapkit_tools.generators.names import sources_of
from sitemapkit_tools.generators.project import BaseProject, first_file_in
from sitemapkit_tools.generators.settings import Settings, as_list, as_table
from sitemapkit_tools.site.made import Made
from textdates import FileOrPart, Part, file_of
from textdates.parts import Between, mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeVar

    from sitemapkit_tools.site.output_dir import OutputDir

    _T = TypeVar("_T")

_TABLE = re.compile(r"""\{\{\s*read_\w+\(\s*["']([^"'\n]+)["']""")
"""A table of the plugin table-reader."""


class Project(BaseProject):
    """`docs_dir/a.md` makes `a/index.html`; where a post of a blog is, only the record says."""

    name = "Zensical"
    settings_files = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml")
    mark = "zensical-"
    default_output = "site"
    output_setting = "site_dir"

    @property
    def is_sure(self) -> bool:
        """Whether its settings are not those of MkDocs."""
        return self.file.suffix == ".toml"

    @property
    def is_always_marked(self) -> bool:  # type: ignore[override]
        """Whether settings alone say nothing: a theme of one's own may lack the mark."""
        return not self.is_sure

    def output_dir(self) -> Path:
        """Return `site_dir`."""
        return self.folder / self.setting(self.output_setting, self.default_output)

    def base_url(self) -> str:
        """Return `site_url`."""
        return self.setting("site_url", "")

    def setting(self, name: str, default: _T) -> _T:
        """Return a setting of zensical.toml."""
        return self.settings.get(f"project.{name}", default)

    @cached_property
    def settings(self) -> Settings:
        """The settings in zensical.toml; without it, none are known."""
        if not self.is_sure:
            return Settings(self.file, {}, self.problems)
        return super().settings

    def docs_dir(self) -> Path:
        """Return the folder of the texts."""
        return self.named("docs_dir", self.setting("docs_dir", "docs"))

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the text of each page by its name, or else by Zensical's cache.

        The cache also has entries of earlier builds, and none of pages with snippets.
        """
        named = sources_of(site, self.docs_dir(), ".md")
        cached = {page: made for page, made in self._cached() if page in site.files}
        lists = {page: made for page, made in cached.items() if made.kind == "listing"}
        pages = {**cached, **named, **lists}
        return {page: self._with_objects(made, site, page) for page, made in pages.items()}

    def _cached(self) -> Iterator[tuple[str, Made]]:
        """Yield what the cache says of pages."""
        for file in sorted(self.folder.glob(".cache/*")):
            if not file.name.isdecimal():
                continue
            try:
                entry = read_json(file, dict[str, Any]).get("data")
            except (OSError, ValueError) as error:
                self.cannot_read(file, error)
                continue
            match entry:
                case {
                    "origin": origin,
                    "route": {"source": str(name), "destination": str(page)},
                    "markdown": {"meta": {**meta}},
                }:
                    # Lists of a blog show posts, and have no text of their own.
                    is_list = meta.get("template") == "blog.html" or "Source" not in str(origin)
                    yield page, _LIST if is_list else self._made(self.docs_dir() / name)
                case _:  # an entry of another step
                    pass

    def _made(self, source: Path) -> Made:
        if not self.are_inside([source], "the cache"):
            return Made()
        return Made([source]) if source.is_file() else Made(excluded=Reason.STALE)

    def _with_objects(self, made: Made, site: OutputDir, page: str) -> Made:
        """Add the Python objects that a page shows with mkdocstrings."""
        source = Path(file_of(made.sources[0])) if made.sources else None
        if not source or ":::" not in self.text(source):
            return made
        html = site.read(page, MAX_PAGE).decode("utf-8", "replace")
        roots = [self.named("mkdocstrings.paths", name) for name in (*self._code(), "", "src")]
        objects = shown_objects(html, self.docs_dir(), roots)
        return replace(made, included=objects)

    def _code(self) -> list[str]:
        """Return the folders that mkdocstrings finds Python packages in."""
        match self.setting("plugins", dict[str, Any]()):
            case {"mkdocstrings": {"handlers": {"python": {"paths": [*paths]}}}}:
                return [str(path) for path in paths]
            case _:
                return []

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield snippets, included files and tables."""
        named = [*mentions(text), *((name, Between()) for name in _TABLE.findall(text))]
        for name, cut in named:
            found = first_file_in(self._include_folders(file), name)
            if found:
                yield Part(found, cut) if cut.start or cut.end else found

    def _include_folders(self, file: Path) -> list[Path]:
        """Return the folders that the names in a text may start from."""
        held = self.setting("markdown_extensions", dict[str, Any]())
        in_toml = as_table(as_table(held.get("pymdownx")).get("snippets"))  # a table in a table
        given = (in_toml or as_table(held.get("pymdownx.snippets"))).get("base_path", "")
        base_paths = [str(each) for each in as_list(given)] or [str(given)]
        named = (self.named("snippets.base_path", each) for each in base_paths)
        return [*named, file.parent, self.docs_dir()]


_LIST = Made(kind="listing")
