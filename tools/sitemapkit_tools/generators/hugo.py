"""Hugo."""

from __future__ import annotations

import posixpath
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitemapkit.model import Reason
from sitemapkit_tools.generators.names import source_in
from sitemapkit_tools.generators.project import BaseProject, with_lastmod
from sitemapkit_tools.generators.settings import Settings, as_list, as_table, is_table
from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path, PurePath

    from sitemapkit_tools.generators.settings import Table
    from sitemapkit_tools.site.output_dir import OutputDir
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
        for each in self.settings.get("module.mounts", list[Any]()):
            mount = as_table(each)
            if mount.get("target") == "content":
                own.setdefault(str(mount.get("lang", "")), str(mount.get("source")))
        folders = {self.named("contentDir", name): code for code, name in own.items()}
        if "" not in own:
            default = self.settings.get("contentdir", "content")
            folders.setdefault(self.named("contentDir", default), "")
        return folders

    def inherited(self, source: Path) -> Mapping[str, object]:
        """Return what the settings and the `_index` files of folders above cascade to a text."""
        meta: dict[str, object] = {}
        for folder in self._content:
            if source.is_relative_to(folder):
                path = source.relative_to(folder)
                given = [self.settings.table.get("cascade")]
                for above in reversed(path.parents):
                    files = (folder / above / f"_index{suffix}" for suffix in _SUFFIXES)
                    given += [self.front_matter(f).get("cascade") for f in files if f.is_file()]
                for each in given:
                    for table in map(as_table, as_list(each) or [each]):
                        meta |= _lower(table) if _is_target(table, path) else {}
        return meta

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

    def unlisted(self, meta: Mapping[str, object]) -> Reason | None:
        """Return whether a page is a draft, or kept out of the sitemap or of all lists."""
        if as_table(meta.get("sitemap")).get("disable") is True:
            return Reason.EXCLUDED_BY_PAGE
        if as_table(meta.get("build", meta.get("_build"))).get("list") in ("never", False):
            return Reason.HIDDEN
        return super().unlisted(meta)

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield the files that short codes for that name."""
        for found in _TAKEN_IN.finditer(text):
            if _TAKES_IN.search(found["name"]):
                name = found["file"].lstrip("/")
                places = (file.parent, self.folder, *self._content)
                yield from (place / name for place in places)


def _is_target(cascade: Table, path: PurePath) -> bool:
    """Return whether what is cascaded is meant for a text: by path and kind, if these are stated.

    Conditions on what only a build knows, such as the environment, are not met.
    """
    target = {**as_table(cascade.get("target")), **as_table(cascade.get("_target"))}
    kind = "page" if path.stem.partition(".")[0] != "_index" else "section"
    kind = kind if path.parent.name or kind == "page" else "home"
    pages = f"/{posixpath.splitext(path.as_posix())[0]}".removesuffix("/_index")
    pattern = str(target.pop("path", "**"))
    is_below = _matches(pattern.lower(), pages.lower())
    return is_below and target.pop("kind", kind) == kind and not target


def _matches(pattern: str, path: str) -> bool:
    """Return whether a path matches a pattern with `*` and `**`: no path takes many ways to it."""
    signs: list[str] = [*re.findall(r"(?s)\*\*|.", pattern), ""]
    places: set[int] = {0}  # those of the signs that may come next
    for letter in [*path, ""]:
        for place, sign in enumerate(signs):  # stars may stand for nothing
            if place in places and sign.startswith("*"):
                places.add(place + 1)
        if not letter:
            break
        stars = ("**",) if letter == "/" else ("*", "**")
        stay = {place for place in places if signs[place] in stars}
        places = stay | {place + 1 for place in places if signs[place] == letter}
    return len(signs) - 1 in places


def _lower(table: Table) -> Table:
    """Return settings with lower-case names: Hugo reads them in any case."""
    return {
        str(key).lower(): _lower(as_table(each)) if is_table(each) else each
        for key, each in table.items()
    }
