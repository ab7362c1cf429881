"""VitePress."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit_tools.sources.cuts import Region
from sitemapkit_tools.sources.scripted import ScriptedProject, scripts
from textdates import FileOrPart, Part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapkit_tools.site.made import Spelling

_TAKEN_IN = re.compile(
    r"""(?mx)
    <!--\s*+@include:\s*+ (?P<text>[^<>\n]{1,500})-->
    | ^<<<\s*+ (?P<code>[^\n]++)
    """
)
_NAMED = re.compile(r"(?P<file>[^\s#{]++)(?:\#(?P<region>[\w-]++))?")


class Project(ScriptedProject):
    """Its sitemap is for a host and the path on it."""

    name = "VitePress"
    settings_files = scripts(".vitepress/config", ".vitepress/config/index")
    mark = "VitePress v"
    default_output, output_setting = ".vitepress/dist", "outDir"

    def base_url(self) -> str:
        """Return the host that VitePress' own sitemap is for."""
        return self.script.object("sitemap").get("hostname")

    def spelling(self) -> Spelling:
        """Whether URLs leave out `.html`."""
        return "bare" if self.script.get("cleanUrls") == "true" else "folder"

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield included texts and code; `@` is the folder of the texts."""
        src = self.named("srcDir", self.script.get("srcDir", "."))
        for words, code in _TAKEN_IN.findall(text):
            if found := _NAMED.match(words or code):
                name, region = found["file"], found["region"]
                named = src / name[2:] if name.startswith("@/") else file.parent / name
                yield Part(named, Region(region, "#region", "#endregion")) if region else named
