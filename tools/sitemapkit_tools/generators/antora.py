"""Antora."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sitemapkit_tools.generators.cuts import Region
from sitemapkit_tools.generators.project import BaseProject, as_index
from sitemapkit_tools.generators.settings import as_list, as_table
from sitemapkit_tools.site.made import Made
from textdates import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.made import Spelling
    from textdates import FileOrPart

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
    """A page of a module of a component has their names before its own."""

    name = "Antora"
    settings_files = tuple(
        f"{name}.{suffix}"
        for name in ("antora-playbook", "site", "playbook", "local-antora-playbook")
        for suffix in ("yml", "yaml")
    )
    mark = r'name="generator"\s+content="Antora '
    is_always_marked = False
    default_output = "build/site"

    def output_dir(self) -> Path:
        """Return `output.dir`."""
        return self.folder / self.settings.get("output.dir", self.default_output)

    def base_url(self) -> str:
        """Return `site.url`."""
        url = self.settings.get("site.url", "")
        return f"{url}/" if url and not url.endswith("/") else url

    def spelling(self) -> Spelling:
        """Return how `html_extension_style` has it."""
        spellings: Mapping[str, Spelling] = {"indexify": "folder", "drop": "bare"}
        return spellings.get(self._style, "file")

    @property
    def _style(self) -> str:
        return self.settings.get("urls.html_extension_style", "default")

    def produced(self) -> Iterator[tuple[str, Made]]:
        """Yield the pages of the components in this repository."""
        for component in self._components():
            settings = self.table(component / "antora.yml")
            name, version = settings.get("name"), settings.get("version")
            start = [] if name == "ROOT" else [str(name)]
            start += [] if version in (None, "", "master", "~") else [str(version)]
            for module in sorted((component / "modules").glob("*/pages")):
                parts = [*start, *([] if module.parent.name == "ROOT" else [module.parent.name])]
                for path, source in self.sources(module, ".adoc"):
                    if not any(part[0] == "_" for part in path.split("/")):
                        page = "/".join([*parts, path.removesuffix(".adoc")])
                        is_folder = self._style == "indexify" and source.stem != "index"
                        yield as_index(page) if is_folder else f"{page}.html", Made([source])

    def _components(self) -> Iterator[Path]:
        """Yield the folders of components whose texts are here, as the playbook says."""
        for each in self.settings.get("content.sources", list[Any]()):
            source = as_table(each)
            url = source.get("url")
            if not isinstance(url, str) or "://" in url or url.startswith("git@"):
                continue
            given = source.get("start_paths", source.get("start_path", "."))
            for path in as_list(given) or str(given).split(","):
                folder = (self.folder / url / str(path).strip()).resolve()
                if (folder / "antora.yml").is_file():
                    yield folder

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
