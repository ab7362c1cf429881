"""Hugo."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitemapkit_tools.site.made import Made
from sitemapkit_tools.sources.names import source_in
from sitemapkit_tools.sources.project import BaseProject, with_lastmod
from sitemapkit_tools.sources.settings import Settings, as_table, is_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.settings import Table
    from textdates import FileOrPart

_SUFFIXES = (".md", ".markdown", ".html", ".adoc", ".org", ".pandoc", ".rst")
_FORMATS = ("toml", "yaml", "yml", "json")
_NAMES = ("hugo", "config")
_TAKEN_IN = re.compile(
    r"""\{\{[<%] \s*+ (?P<name>[\w/-]++) \s++  # the opening of a shortcode, and its name
    (?: (?:file|path|src) \s*=\s* )?  # a named parameter, or the first
    ["'] (?P<file>[^"'\n]++) ["']""",
    re.VERBOSE,
)
_TAKES_IN = re.compile(r"include|readfile|snippet|code", re.IGNORECASE)


class Project(BaseProject):
    """A text in `content/` makes a page, in the folder of its name and language."""

    name = "Hugo"
    settings_files = (
        *(f"{name}.{suffix}" for name in _NAMES for suffix in _FORMATS),
        *(f"config/_default/{name}.{suffix}" for name in _NAMES for suffix in _FORMATS),
    )
    mark = "Hugo "
    is_always_marked = False
    default_output = "public"
    output_setting = "publishdir"

    @cached_property
    def settings(self) -> Settings:
        """The settings, with lower-case names; in a folder, other files hold tables of them."""
        table = dict(self.table(self.file))
        if self.file.parent != self.folder:
            for file in sorted(self.file.parent.glob("*.*")):
                if file.suffix[1:] in _FORMATS and file.stem not in _NAMES and "." not in file.stem:
                    table[file.stem] = self.table(file)
        return Settings(self.file, _lower(table), self.problems)

    def base_url(self) -> str:
        """Return `baseURL`."""
        return self.settings.get("baseurl", "")

    @cached_property
    def languages(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings of each language, by its lower-case code."""
        stated = self.settings.get("languages", dict[str, Any]())
        return {code: as_table(table) for code, table in stated.items()}

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the text of each page that is named as its text is; the others tell theirs."""
        usual = self.settings.get("defaultcontentlanguage", "en").lower()
        found: dict[str, Made] = {}
        for folder, language in self._content.items():
            for page in site.pages():
                first, _, below = page.partition("/")
                code, name = (first, below) if first in self.languages else (usual, page)
                if language not in ("", code):
                    continue
                in_name = tuple(f".{code}{suffix}" for suffix in _SUFFIXES)
                plain = _SUFFIXES if language or code == usual else ()
                if source := source_in(folder, name, in_name + plain, index="_index"):
                    found.setdefault(page, Made([source]))
        return found

    @cached_property
    def _content(self) -> Mapping[Path, str]:
        """The folders of texts, and their language, "" for that of the names."""
        own = {
            code: str(table["contentdir"])
            for code, table in self.languages.items()
            if "contentdir" in table
        }
        folders = {self.named("contentDir", name): code for code, name in own.items()}
        if "" not in own:
            default = self.settings.get("contentdir", "content")
            folders.setdefault(self.named("contentDir", default), "")
        return folders

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take Hugo's other names of the dates, and its own keys out of `sitemap`."""
        stated = dict(with_lastmod(meta, "modified"))
        if sitemap := as_table(stated.get("sitemap")):
            keys = (key for key in sitemap if key.lower() not in ("filename", "disable"))
            own = {key: sitemap[key] for key in keys}
            stated["sitemap"] = own if own.get("priority") != -1 else {}
        if "publishdate" in meta:
            stated["date"] = meta["publishdate"]
        return stated

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield the files that short codes for that name."""
        for found in _TAKEN_IN.finditer(text):
            if _TAKES_IN.search(found["name"]):
                name = found["file"].lstrip("/")
                places = (file.parent, self.folder, *self._content)
                yield from (place / name for place in places)


def _lower(table: Table) -> Table:
    """Return settings with lower-case names: Hugo reads them in any case."""
    return {
        str(key).lower(): _lower(as_table(each)) if is_table(each) else each
        for key, each in table.items()
    }
