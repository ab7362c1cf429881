"""Generators whose settings are JavaScript or TypeScript, of which only literals are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sitemapkit_tools.sources.project import BaseProject, imported, with_lastmod
from sitemapkit_tools.sources.settings import as_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.made import Spelling
    from textdates import FileOrPart


def scripts(*names: str) -> tuple[str, ...]:
    """Return the files in JavaScript or TypeScript that have these names."""
    return tuple(f"{name}.{end}" for name in names for end in _SUFFIXES)


_SUFFIXES = ("js", "mjs", "cjs", "ts", "mts", "cts")


class ScriptedProject(BaseProject):
    """What differs between these generators is in the values below."""

    output_setting: ClassVar[str] = ""
    """The property that names the folder of the site."""

    host_setting: ClassVar[str] = ""
    """The property that has the URL of the site or of its host."""

    path_setting: ClassVar[str] = ""
    """The property that has the path below the host."""

    url_spelling: ClassVar[Spelling] = "folder"

    def output_dir(self) -> Path:
        """Return the folder of the site."""
        stated = self.script.get(self.output_setting) if self.output_setting else ""
        return self.folder / (stated or self.default_output)

    def base_url(self) -> str:
        """Return the URL of the host with the path on it."""
        host = self.script.get(self.host_setting) if self.host_setting else ""
        path = self.script.get(self.path_setting) if self.path_setting else ""
        return f"{host.rstrip('/')}/{path.strip('/')}".rstrip("/") + "/" if host else ""

    def spelling(self) -> Spelling:
        """Return how it links pages."""
        return self.url_spelling

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take `last_update` or `lastUpdated`, if it has a date, for that of the last change."""
        update = as_table(meta.get("last_update")).get("date")
        return with_lastmod({**meta, "last_update": update}, "last_update", "lastupdated")

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield the texts that a text imports."""
        return imported(file, text, self.folder)


class Docusaurus(ScriptedProject):
    """A setting and the host decide about final slashes."""

    name = "Docusaurus"
    settings_files = scripts("docusaurus.config")
    mark = "Docusaurus"
    default_output = "build"
    host_setting, path_setting = "url", "baseUrl"
    url_spelling = "canonical"


class Astro(ScriptedProject):
    """Astro, whatever its theme."""

    name = "Astro"
    settings_files = scripts("astro.config")
    mark = "Astro v"
    is_always_marked = False
    sitemap = "sitemap-index.xml"
    default_output, output_setting = "dist", "outDir"
    host_setting, path_setting = "site", "base"


class Starlight(Astro):
    """The documentation theme of Astro."""

    name = "Starlight"
    mark = "Starlight v"
    is_always_marked = True


class Nuxt(ScriptedProject):
    """Nuxt, where `nuxt generate` writes."""

    name = "Nuxt"
    settings_files = scripts("nuxt.config")
    is_always_marked = False
    default_output = ".output/public"


class Eleventy(ScriptedProject):
    """The output is stated in an object, or given to a function."""

    name = "Eleventy"
    settings_files = (*scripts("eleventy.config"), ".eleventy.js")
    mark = "Eleventy"
    is_always_marked = False
    default_output = "_site"

    def output_dir(self) -> Path:
        """Return `dir.output`."""
        stated = self.script.object("dir").get("output")
        stated = stated or self.script.argument("setOutputDirectory")
        return self.folder / (stated or self.default_output)
