"""MkDocs and ProperDocs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit_tools.generators.project import BaseProject
from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir

SETTINGS_FILES = ("properdocs.yml", "properdocs.yaml", "mkdocs.yml", "mkdocs.yaml")
"""Settings of ProperDocs and MkDocs; ProperDocs prefers its own."""


class Project(BaseProject):
    """`docs_dir/a.md`, `a/index.md` or `a/README.md` makes `a/index.html` or `a.html`."""

    name = "MkDocs"
    settings_files = SETTINGS_FILES
    mark = "(?:mkdocs|properdocs)-"
    landmark = "search/search_index.json"
    is_always_marked = False
    default_output = "site"
    output_setting = "site_dir"

    def base_url(self) -> str:
        """Return `site_url`."""
        return self.settings.get("site_url", "")

    def docs_dir(self) -> Path:
        """Return the folder of the texts."""
        return self.folder / self.settings.get("docs_dir", "docs")

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the text of each page, which is looked for as MkDocs does."""
        return sources_of(site, self.docs_dir())


def sources_of(site: OutputDir, docs: Path, *suffixes: str) -> dict[str, Made]:
    """Return the text in `docs` of each page that has one."""
    found = ((page, source_in(docs, page, suffixes or _SUFFIXES)) for page in site.pages())
    return {page: Made([source]) for page, source in found if source}


_SUFFIXES = (".md", ".rst", ".ipynb")


def source_in(docs: Path, page: str, suffixes: tuple[str, ...]) -> Path | None:
    """Return the text that makes a page, given the page's file."""
    stem = page.rpartition(".")[0]
    folder = stem.removesuffix("index").rstrip("/")
    names = [name.lstrip("/") for name in (stem, folder, f"{folder}/README") if name]
    candidates = (docs / f"{name}{suffix}" for suffix in suffixes for name in names)
    return next((file for file in candidates if file.is_file()), None)
