"""Where the sources of a site's pages are: the flags that say it, and what follows from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitemapkit.urls import below, file_names
from sitemapkit_tools.checks.grade import sources_in
from sitemapkit_tools.generators.find import made_by_names, made_site
from sitemapkit_tools.site.made import UNKNOWN, MadeSite
from sitemapkit_tools.site.output_dir import OutputDir, is_page
from sitemapkit_tools.site.read_pages import FACTS_ONLY, ReadOptions
from sitemapkit_tools.site.scan import ScanSettings
from sitemapkit_tools.site.source_map import read_source_map

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapkit_tools.checks.grade import Sources

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
    help="Folder of the site's project, if the site is not in it.",
)


def scan_settings(
    made: MadeSite,
    source_map: Path | None,
    *,
    read: ReadOptions = FACTS_ONLY,
    jobs: int | None = None,
) -> ScanSettings:
    """Return how the sources of pages are found. Raises OptionError if the map is not valid."""
    return ScanSettings(
        read=read,
        sources=read_source_map(source_map) if source_map else {},
        made=made,
        jobs=jobs,
    )


def sources_in_tree(
    tree: OutputDir, urls: Iterable[str], source_map: Path | None, repository: Path | None
) -> Sources:
    """Return the sources of pages of a site in a directory, by their URLs."""
    around = [repository] if repository else ()
    return sources_in(tree, urls, scan_settings(made_site(tree, around), source_map))


def sources_online(
    base_url: str, urls: Iterable[str], *, source_map: Path | None, repository: Path | None
) -> Sources:
    """Return the sources of pages of a site online, by the names of the files that answer them."""
    urls = list(urls)
    paths = (below(base_url, url) for url in urls if url.startswith(base_url))
    names = frozenset(name for path in paths for name in file_names(path) if is_page(name))
    tree = OutputDir(Path(), base_url, names)
    made = made_by_names(tree, [repository]) if repository else UNKNOWN
    return sources_in(tree, urls, scan_settings(made, source_map))
