"""VitePress."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.generators.cuts import Region
from sitemapkit_tools.generators.project import SCRIPTS, BaseProject, with_lastmod
from sitemapkit_tools.site.made import Made
from textdates import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.made import Spelling
    from sitemapkit_tools.site.output_dir import OutputDir
    from textdates import FileOrPart

_DATA = re.compile(r"\.md\.[^/]+\.lean\.js$")
_PAGE = re.compile(
    r"""
    "relativePath":"(?P<page>[^"\\]++)",  # where the page is, with the suffix of its source
    "filePath":"(?P<source>[^"\\]++)"  # its source, below the folder of sources
    """,
    re.VERBOSE,
)
_TAKEN_IN = re.compile(
    r"""(?mx)
    <!--\s*+@include:\s*+ (?P<text>[^<>\n]{1,500})-->
    | ^<<<\s*+ (?P<code>[^\n]++)
    """
)
_NAMED = re.compile(r"(?P<file>[^\s#{]++)(?:\#(?P<region>[\w-]++))?")


class Project(BaseProject):
    """The script of each page names the page and its source, whatever rewrites there are."""

    name = "VitePress"
    settings_files = tuple(
        f".vitepress/{name}.{suffix}" for name in ("config", "config/index") for suffix in SCRIPTS
    )
    mark = r'name="generator"\s+content="VitePress '
    default_output = ".vitepress/dist"

    def output_dir(self) -> Path:
        """Return `outDir`."""
        return self.folder / self.script.get("outDir", self.default_output)

    def base_url(self) -> str:
        """Return the host that VitePress' own sitemap is for."""
        return self.script.object("sitemap").get("hostname")

    def spelling(self) -> Spelling:
        """Whether URLs leave out `.html`."""
        return "bare" if self.script.get("cleanUrls") == "true" else "folder"

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the source of each page; one of several from a template has none of its own."""
        src = self.folder / self.script.get("srcDir", ".")
        pages: dict[str, Made] = {}
        for name in sorted(filter(_DATA.search, site.files)):
            data = _PAGE.search(site.read(name, MAX_PAGE).decode("utf-8", "replace"))
            page = data and f"{data['page'].removesuffix('.md')}.html"
            if data and page in site.files:
                source = src / data["source"]
                is_own = source.is_file() and "[" not in source.name
                pages[page] = Made([source]) if is_own else Made()
        return pages

    def stated(self, meta: Mapping[str, object]) -> Mapping[str, object]:
        """Take `lastUpdated`, if it is a date, for that of the last change."""
        return with_lastmod(meta, "lastupdated")

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield included texts and code; `@` is the folder of the texts."""
        src = self.folder / self.script.get("srcDir", ".")
        for words, code in _TAKEN_IN.findall(text):
            if found := _NAMED.match(words or code):
                name, region = found["file"], found["region"]
                named = src / name[2:] if name.startswith("@/") else file.parent / name
                yield Part(named, Region(region, "#region", "#endregion")) if region else named
