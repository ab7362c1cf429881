"""What the commands share that compare an old site with a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitemapkit.errors import SitemapError
from sitemapkit_tools.commands.terminal import jobs_option, progress
from sitemapkit_tools.diff.compare import Difference, compare
from sitemapkit_tools.site.read_pages import ReadOptions, read_pages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.diff.load import LoadedSite


def content_flags(command: Any) -> Any:  # noqa: ANN401 - as click's own decorators
    """Give a command the flags that `compare_sites` takes."""
    for flag in (
        jobs_option,
        click.option(
            "--content",
            is_flag=True,
            help="Also compare the pages' main content; OLD and NEW must be directories.",
        ),
    ):
        command = flag(command)
    return command


def compare_loaded(
    old: LoadedSite,
    new: LoadedSite,
    budget: Budget,
    *,
    content: bool,
    jobs: int | None,
) -> Difference:
    """Compare two sites. Raises SitemapError if pages are to be compared, and one has none."""
    sites = old, new
    if not content:
        return compare(*sites)
    options = ReadOptions(digest=True)
    before, after = (_digests(site, options, jobs, budget) for site in sites)
    return compare(*sites, contents=(before, after))


def _digests(
    site: LoadedSite, options: ReadOptions, jobs: int | None, budget: Budget
) -> Mapping[str, str]:
    """Return the digest of the main content of each listed page of a site in a directory."""
    if not site.elements:  # as before a first deploy
        return {}
    if site.tree is None:
        raise SitemapError(f"{site.name} is not a directory; --content compares only directories")
    routes = {url: route.file for url in site.elements if (route := site.tree.route(url))}
    files = sorted({*routes.values()})
    with progress(f"Reading {site.name}", len(files), budget) as on_progress:
        reads = read_pages(site.tree, files, options, jobs=jobs, on_progress=on_progress)
        digests = {read.file: read.digest for read in reads}
    return {url: digest for url, file in routes.items() if (digest := digests.get(file))}
