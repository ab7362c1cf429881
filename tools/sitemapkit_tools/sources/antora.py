"""Antora."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit_tools.sources.cuts import Region
from sitemapkit_tools.sources.project import BaseProject
from textdates import FileOrPart, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.made import Spelling

_ATTRIBUTE = re.compile(r"(?m)^:(?:page-)?([\w-]++):[ \t]*+(.*)$")
_INCLUDE = re.compile(
    r"(?m)^include::(?:(?P<place>[\w@.:-]*?)(?P<family>partial|example|page|attachment)\$)?"
    r"(?P<file>[^\s\[\]]++)\[(?P<options>[^\]\n]*+)\]"
)
_TAG = re.compile(r"\btags?=([\w-]++)(?![\w;,-])")
_FOLDERS = {
    "partial": "partials",
    "example": "examples",
    "page": "pages",
    "attachment": "attachments",
}


class Project(BaseProject):
    """Texts take in files of their own module and of others."""

    name = "Antora"
    settings_files = tuple(
        f"{name}.{suffix}"
        for name in ("antora-playbook", "site", "playbook", "local-antora-playbook")
        for suffix in ("yml", "yaml")
    )
    mark = "Antora "
    is_always_marked = False
    default_output = "build/site"
    output_setting = "output.dir"

    def base_url(self) -> str:
        """Return `site.url`."""
        url = self.settings.get("site.url", "")
        return f"{url}/" if url and not url.endswith("/") else url

    def spelling(self) -> Spelling:
        """Return how `html_extension_style` has it."""
        spellings: Mapping[str, Spelling] = {"indexify": "folder", "drop": "bare"}
        return spellings.get(self.settings.get("urls.html_extension_style", "default"), "file")

    def front_matter(self, source: Path) -> Mapping[str, object]:
        """Return the attributes of a page's header, those for pages without `page-`."""
        header = self.text(source).partition("\n\n")[0]
        return {key.lower(): value.strip() for key, value in _ATTRIBUTE.findall(header)}

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield partials, examples and files beside the text, of this component."""
        for found in _INCLUDE.finditer(text):
            named = file.parent / found["file"]
            if found["family"]:
                modules = next((each for each in file.parents if each.name == "modules"), None)
                module = found["place"].rstrip(":").rpartition(":")[2] or _module_of(file)
                if not modules:
                    continue
                named = modules / module / _FOLDERS[found["family"]] / found["file"]
            tag = _TAG.search(found["options"])
            yield Part(named, Region(f"{tag[1]}[]", "tag::", "end::")) if tag else named


def _module_of(file: Path) -> str:
    """Return the module that a file is in, "" if it is in none."""
    parts = file.parts
    return parts[parts.index("modules") + 1] if "modules" in parts[:-1] else ""
