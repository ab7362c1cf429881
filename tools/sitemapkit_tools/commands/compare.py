"""What the commands share that compare an old site with a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitemapkit.errors import SitemapError
from sitemapkit_tools.commands.terminal import jobs_option, progress
from sitemapkit_tools.diff.compare import Difference, compare
from sitemapkit_tools.site.read_pages import ReadOptions, read_pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.diff.load import LoadedSite
    from sitemapkit_tools.site.read_pages import PageRead


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
    if not content:
        return compare(old, new)
    before, after = _listed_pages(old, jobs, budget), _listed_pages(new, jobs, budget)
    both = [url for url in after if url in before]
    if old.base_url == new.base_url:  # else links lead elsewhere in what is written the same
        both = [url for url in both if not _shows_the_same(before[url], after[url])]
    contents = _digests(old, before, both, jobs, budget), _digests(new, after, both, jobs, budget)
    return compare(old, new, contents=contents)


def _listed_pages(site: LoadedSite, jobs: int | None, budget: Budget) -> Mapping[str, PageRead]:
    """Return what is read of each listed page of a site in a directory."""
    if not site.elements:  # as before a first deploy
        return {}
    if site.tree is None or site.reading is None:
        raise SitemapError(f"{site.name} is not a directory; --content compares only directories")
    with progress(f"Reading {site.name}", len(site.tree.pages()), budget) as on_progress:
        site.reading.all(on_progress, jobs=jobs, below_head=True)
    routes = {url: route.file for url in site.elements if (route := site.tree.route(url))}
    reads = site.reading.some([*routes.values()])
    return dict(zip(routes, reads, strict=True))


def _shows_the_same(old: PageRead, new: PageRead) -> bool:
    """Return whether no parser is needed to tell that two pages show the same."""
    is_known = bool(old.below_head and new.below_head)
    return is_known and (old.facts.title, old.below_head) == (new.facts.title, new.below_head)


def _digests(
    site: LoadedSite,
    pages: Mapping[str, PageRead],
    urls: Sequence[str],
    jobs: int | None,
    budget: Budget,
) -> Mapping[str, str]:
    """Return the digests of the main content of some pages of a site."""
    if site.tree is None or not urls:
        return {}
    files = sorted({pages[url].file for url in urls})
    with progress(f"Comparing {site.name}", len(files), budget) as on_progress:
        options = ReadOptions(digest=True, title_only=True)
        reads = read_pages(site.tree, files, options, jobs=jobs, on_progress=on_progress)
        digests = {read.file: read.digest for read in reads}
    return {url: digest for url in urls if (digest := digests[pages[url].file])}
