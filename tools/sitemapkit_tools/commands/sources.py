"""Where the sources of a site's pages are: the flags that say it, and what follows from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitemapkit_tools.site.read_pages import FACTS_ONLY, ReadOptions
from sitemapkit_tools.site.scan import ScanSettings
from sitemapkit_tools.site.source_map import read_source_map

if TYPE_CHECKING:
    from sitemapkit_tools.site.made import MadeSite

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
