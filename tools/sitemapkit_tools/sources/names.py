"""The text that makes a page by its name, as most generators look for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir


def sources_of(site: OutputDir, docs: Path, *suffixes: str) -> dict[str, Made]:
    """Return the text in `docs` of each page that has one."""
    found = ((page, source_in(docs, page, suffixes)) for page in site.pages())
    return {page: Made([source]) for page, source in found if source}


def source_in(
    docs: Path, page: str, suffixes: tuple[str, ...], index: str = "README"
) -> Path | None:
    """Return the text that makes a page, given the page's file; `index` is one of a folder."""
    stem = page.rpartition(".")[0]
    folder = stem.removesuffix("index").rstrip("/")
    names = [name.lstrip("/") for name in (stem, folder, f"{folder}/{index}") if name]
    candidates = (docs / f"{name}{suffix}" for suffix in suffixes for name in names)
    return next((file for file in candidates if file.is_file()), None)
