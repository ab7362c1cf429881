"""Where the sources of a site's pages are: the flags that say it, and what follows from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitemapkit_tools.site.read_pages import FACTS_ONLY
from sitemapkit_tools.site.scan import ScanSettings
from sitemapkit_tools.site.source_map import (
    docs_folder,
    read_source_map,
    settings_folders,
    sources_folder,
)

if TYPE_CHECKING:
    from sitemapkit_tools.site.read_pages import ReadOptions

source_map_option = click.option(
    "--source-map",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON or TOML that maps pages to their source files, for dates from git.",
)
repository_option = click.option(
    "--repository",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Checkout that the pages' edit links point into, for dates from git.",
)


def scan_settings(
    site: Path | None,
    source_map: Path | None,
    repository: Path | None,
    *,
    read: ReadOptions = FACTS_ONLY,
    jobs: int | None = None,
) -> ScanSettings:
    """Return how sources are found; `site` is the directory of the site, None if it is online.

    Raises OptionError if the map is not valid.
    """
    return ScanSettings(
        read=read,
        sources=read_source_map(source_map) if source_map else {},
        repository=repository.absolute() if repository else None,
        docs=_docs(site, repository),
        jobs=jobs,
    )


def _docs(site: Path | None, repository: Path | None) -> Path | None:
    if site:
        return sources_folder(site, [repository] if repository else ())
    for folder in settings_folders(Path(), [repository]) if repository else ():
        if found := docs_folder(folder):
            return found
        if (folder / "conf.py").is_file():  # online, nothing says whether Sphinx built it
            return folder
    return None
