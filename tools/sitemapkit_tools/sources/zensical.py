"""Zensical. It also builds projects of MkDocs, whose settings are not read here."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitemapkit_tools.sources.names import sources_of
from sitemapkit_tools.sources.project import BaseProject, first_file_in
from sitemapkit_tools.sources.settings import Settings, as_list, as_table
from textdates import FileOrPart, Part
from textdates.parts import Between, mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import TypeVar

    from sitemapkit_tools.site.made import Made
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
        """Return the text of each page that is named as its text is."""
        return sources_of(site, self.docs_dir(), ".md")

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
