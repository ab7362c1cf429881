"""MkDocs and ProperDocs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sitemapkit.model import Reason
from sitemapkit_tools.generators.project import BaseProject
from sitemapkit_tools.generators.settings import as_list, as_table, by_name
from sitemapkit_tools.site.made import Made, Spelling
from sitemapkit_tools.site.output_dir import OutputDir, is_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.generators.settings import Table

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
    inherited_from = (".meta.yml",)

    def base_url(self) -> str:
        """Return `site_url`."""
        return self.settings.get("site_url", "")

    def spelling(self) -> Spelling:
        """Return how pages are linked: `use_directory_urls` decides."""
        return "folder" if self.settings.get("use_directory_urls", True) else "canonical"

    def stated_options(self) -> Table:
        """Return the settings of our plugin, without the one that MkDocs reads."""
        given = as_table(self._plugins().get("sitemapkit"))
        return {name: each for name, each in given.items() if name != "enabled"}

    def docs_dir(self) -> Path:
        """Return the folder of the texts."""
        return self.named("docs_dir", self.settings.get("docs_dir", "docs"))

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the text of each page, which is looked for as MkDocs does.

        With static-i18n a page without a text in its language is a copy of another.
        """
        docs, i18n = self.docs_dir(), as_table(self._plugins().get("i18n"))
        languages = [as_table(each) for each in as_list(i18n.get("languages"))]
        codes = [str(each.get("locale")) for each in languages]
        usual = next((str(each.get("locale")) for each in languages if each.get("default")), "")
        named = _names_in(self.settings.table.get("nav"))
        found = {name: Made([docs / name]) for name in named if is_page(name)}
        if not usual:
            return {**found, **sources_of(site, docs)}
        text = partial(_text_in, docs, by_folder=i18n.get("docs_structure") == "folder")
        for page in site.pages():
            folder, _, rest = page.partition("/")
            code, name = (folder, rest) if folder in codes else (usual, page)
            if own := text(name, code, is_usual=code == usual):
                found[page] = Made([own])
            elif copied := text(name, usual, is_usual=True):
                found[page] = Made([copied], excluded=Reason.UNTRANSLATED)
        return found

    def copied(self) -> Iterator[tuple[str, Path]]:
        """Yield the folder of the texts: what is HTML there is copied."""
        yield "", self.docs_dir()

    def inherited(self, source: Path) -> Mapping[str, object]:
        """Return what files of Material's plugin `meta` state."""
        return super().inherited(source) if "meta" in self._plugins() else {}

    def _plugins(self) -> Mapping[str, Any]:
        """Return the settings of each plugin, by the name of the plugin without its theme."""
        plugins = by_name(self.settings.table.get("plugins"))
        return {name.rpartition("/")[2]: settings for name, settings in plugins.items()}


def _names_in(nav: object) -> Iterator[str]:
    """Yield the files that a navigation names."""
    if isinstance(nav, str):
        yield nav
    for each in as_list(nav) or as_table(nav).values():
        yield from _names_in(each)


def _text_in(docs: Path, page: str, code: str, *, is_usual: bool, by_folder: bool) -> Path | None:
    """Return the text of a page in a language, by static-i18n's folders or suffixes."""
    if by_folder:
        return source_in(docs / code, page, _SUFFIXES)
    own = source_in(docs, page, tuple(f".{code}{suffix}" for suffix in _SUFFIXES))
    return own or (source_in(docs, page, _SUFFIXES) if is_usual else None)


def sources_of(site: OutputDir, docs: Path, *suffixes: str) -> dict[str, Made]:
    """Return the text in `docs` of each page that has one."""
    found = ((page, source_in(docs, page, suffixes or _SUFFIXES)) for page in site.pages())
    return {page: Made([source]) for page, source in found if source}


_SUFFIXES = (".md", ".rst", ".ipynb")


def source_in(
    docs: Path, page: str, suffixes: tuple[str, ...], index: str = "README"
) -> Path | None:
    """Return the text that makes a page, given the page's file; `index` is one of a folder."""
    stem = page.rpartition(".")[0]
    folder = stem.removesuffix("index").rstrip("/")
    names = [name.lstrip("/") for name in (stem, folder, f"{folder}/{index}") if name]
    candidates = (docs / f"{name}{suffix}" for suffix in suffixes for name in names)
    return next((file for file in candidates if file.is_file()), None)
