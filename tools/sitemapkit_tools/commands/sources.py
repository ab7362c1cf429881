"""What is known of the pages of a site: flags for their sources, and the report of their build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sitemapkit_tools.explain import BuildReport

source_map_option = click.option(
    "--source-map",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON or TOML with the source files of each page, for dates from git.",
)
repository_option = click.option(
    "--repository",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the site's project, if the site is not in it.",
)
report_option = click.option(
    "--build-report",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON report of the build: what it left out on purpose, and the sources.",
)


def read_build(file: Path | None) -> BuildReport | None:
    """Return the report in a file, if one is given. Raises SitemapError if it is not one."""
    if file is None:
        return None
    from sitemapkit_tools.explain import read_report  # noqa: PLC0415 - 10 ms, and seldom given

    return read_report(file)


def refuse_other_site(file: Path | None, report: BuildReport | None, base_url: str) -> None:
    """Raise UsageError if a report is not of the site at this URL, nor of a part of it."""
    if report is None or not base_url or not report.base_url:
        return
    if report.base_url.startswith(base_url) or base_url.startswith(report.base_url):
        return
    raise click.UsageError(
        f"--build-report {file}: it is of {report.base_url}, and the site is {base_url}; give the"
        " report of the build that wrote this site"
    )
