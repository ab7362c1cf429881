"""What the commands share that compare an old site with a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitemapkit_tools.commands.terminal import jobs_option, main_option, noise_option, progress
from sitemapkit_tools.diff.compare import Difference, compare, content_digests
from sitemapkit_tools.site.read_pages import ReadOptions

if TYPE_CHECKING:
    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.diff.load import LoadedSite


def content_flags(command: Any) -> Any:  # noqa: ANN401 - as click's own decorators
    """Give a command the flags that `compare_sites` takes."""
    for flag in (
        jobs_option,
        noise_option,
        main_option,
        click.option(
            "--content",
            is_flag=True,
            help="Also compare the main content of the pages; OLD and NEW must be directories.",
        ),
    ):
        command = flag(command)
    return command


def compare_loaded(  # noqa: PLR0913 - click's parameters
    old: LoadedSite,
    new: LoadedSite,
    budget: Budget,
    *,
    content: bool,
    main: tuple[str, ...],
    noise: tuple[str, ...],
    jobs: int | None,
) -> Difference:
    """Compare two sites. Raises SitemapError if pages are to be compared, and one has none."""
    sites = old, new
    if not content:
        return compare(*sites)
    options = ReadOptions(digest=True, main=main, noise=noise)
    before, after = (_digests(site, options, jobs, budget) for site in sites)
    return compare(*sites, contents=(before, after))


def _digests(
    site: LoadedSite, options: ReadOptions, jobs: int | None, budget: Budget
) -> dict[str, str]:
    with progress(f"Reading {site.name}", len(site.elements), budget) as on_progress:
        return dict(content_digests(site, options, jobs=jobs, on_progress=on_progress))
