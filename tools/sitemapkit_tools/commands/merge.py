"""`sitemapkit merge`: one sitemap for sites that were built separately."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from msgspec import structs

from sitemapkit_tools.commands.settings import given_options, schema_flags
from sitemapkit_tools.commands.terminal import (
    budget_flags,
    jobs_option,
    json_flag,
    latest_option,
    progress,
    show_issues,
)
from sitemapkit_tools.console import counted, echo
from sitemapkit_tools.merge.builds import load_builds
from sitemapkit_tools.merge.merge import MergeSettings, Policy, Shape, merge

if TYPE_CHECKING:
    from sitemapkit.report import Report
    from sitemapkit_tools.bounds import Budget

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("merge")
@click.argument("folders", metavar="DIR...", type=_FOLDER, nargs=-1, required=True)
@click.option("--out", type=_FOLDER, required=True, metavar="DIR", help="Directory that is served.")
@click.option(
    "--policy",
    type=click.Choice(get_args(Policy)),
    default="canonical",
    show_default=True,
    help="List canonical pages, those of the latest version, or all that the builds list.",
)
@latest_option
@click.option(
    "--as",
    "shape",
    type=click.Choice(get_args(Shape)),
    default="index",
    show_default=True,
    help="Write an index of the builds' sitemaps, or one sitemap with all their pages.",
)
@schema_flags("base_url", "exclude", "filename", "formats", "robots", "x_default")
@jobs_option
@budget_flags
@json_flag
@click.pass_context
def command(  # noqa: PLR0913 - click's parameters
    ctx: click.Context,
    /,
    folders: tuple[Path, ...],
    *,
    out: Path,
    policy: Policy,
    latest: str,
    shape: Shape,
    jobs: int | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Write one sitemap for sites that were built separately.

    Each DIR is a built site with a sitemap: a version, a language or a part. It needs none if all
    its pages name others as canonical. --out is the served directory that holds them all. The
    sitemap and its line in robots.txt are written there. Translations that the builds name get
    complete sets of links.
    """
    options = given_options(ctx, out, *folders)
    base_url, builds = load_builds(folders, out, options.base_url, budget)
    options = structs.replace(options, base_url=base_url)
    settings = MergeSettings(policy, latest, shape, jobs)
    count = sum(len(build.tree.pages()) for build in builds)
    with progress("Reading pages", count, budget) as on_progress:
        report = merge(builds, options, out, settings, on_progress=on_progress)
    show_issues(report)
    echo(report.to_json().decode().rstrip() if as_json else _text(report, len(builds)))


def _text(report: Report, builds: int) -> str:
    reasons = "".join(f"\n    {reason}" for reason in report.reasons())
    pages = counted(len(report.listed), "page")
    return f"{pages} of {counted(builds, 'build')} in {report.entry_file}{reasons}"
