"""Starlight, the documentation theme of Astro."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sitemapkit.model import Reason
from sitemapkit_tools.bounds import read_json
from sitemapkit_tools.generators.project import (
    SCRIPTS,
    BaseProject,
    as_index,
    imported,
    with_lastmod,
    worded,
)
from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir
    from textdates import FileOrPart

_DOCS = "src/content/docs"
_STORES = ("node_modules/.astro/data-store.json", ".astro/data-store.json")


class Project(BaseProject):
    """Astro's data store names the source of each page; else names in `src/content/docs` do."""

    name = "Starlight"
    settings_files = tuple(f"astro.config.{suffix}" for suffix in SCRIPTS)
    mark = r'name="generator"\s+content="Starlight '
    sitemap = "sitemap-index.xml"
    default_output = "dist"

    def output_dir(self) -> Path:
        """Return `outDir`."""
        return self.folder / self.script.get("outDir", self.default_output)

    def base_url(self) -> str:
        """Return `site` with `base`."""
        site, base = self.script.get("site"), self.script.get("base")
        return f"{site.rstrip('/')}/{base.strip('/')}".rstrip("/") + "/" if site else ""

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield what each text makes."""
        for name, source in self.sources(self.folder / _DOCS, ".md", ".mdx", ".mdoc"):
            stem = name.removesuffix(source.suffix)
            given = self.front_matter(source).get("slug")
            yield _page(given if isinstance(given, str) else _slug(stem)), Made([source])
        for name, source in self.sources(self.folder / "src" / "pages", ".astro", ".md", ".mdx"):
            if "[" not in name and not any(part[0] == "_" for part in name.split("/")):
                yield _page(name.removesuffix(source.suffix)), Made([worded(source)])

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the sources in the data store, and texts that stand for missing translations."""
        pages = {
            _page(key): Made([source])
            for key, name in self._entries()
            if (source := self.folder / name).is_file()
        }
        pages = {**dict(self.produced()), **pages}
        found = {page: made for page, made in pages.items() if page in site.files}
        for locale in self._locales():
            for page, made in pages.items():
                translated = f"{locale}/{page}"
                if translated in site.files and translated not in pages:
                    found[translated] = Made(made.sources, excluded=Reason.UNTRANSLATED)
        return found

    def _locales(self) -> Iterator[str]:
        """Yield the folders of languages, but for the one at the root."""
        names = re.findall(r"(?m)([\w-]++)['\"]?\s*+:\s*+\{", self.script.object("locales").text)
        yield from (name for name in names if name != "root")

    def _entries(self) -> Iterator[tuple[str, str]]:
        """Yield the id of each text in the data store, and its path."""
        files = (self.folder / name for name in _STORES)
        for file in (each for each in files if each.is_file()):
            try:
                values = read_json(file, list[Any])
                for key, entry in _map(values, _map(values, values[0])["docs"]).items():
                    yield str(key), str(values[entry["filePath"]])
            except (OSError, ValueError, LookupError, TypeError) as error:
                self.cannot_read(file, error)

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take `lastUpdated`, if it is a date, for that of the last change."""
        return with_lastmod(meta, "lastupdated")

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield the texts that the page imports."""
        return imported(file, text, self.folder)


def _map(values: list[Any], entry: Any) -> dict[str, Any]:  # noqa: ANN401 - of any kind
    """Return a map of the data store: a flat list, where values are named by their places."""
    held = values[entry] if isinstance(entry, int) else entry
    return {values[key]: values[value] for key, value in zip(held[1::2], held[2::2], strict=True)}


def _page(key: str) -> str:
    return as_index("" if key == "index" else key.removesuffix("/index"))


def _slug(stem: str) -> str:
    """Return the path of a page: each part in lower case, with hyphens, without punctuation."""
    parts = (re.sub(r"[^\w\s-]", "", part.lower()) for part in stem.split("/"))
    return "/".join(re.sub(r"\s", "-", part) for part in parts)
