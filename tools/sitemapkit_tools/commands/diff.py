"""`sitemapkit diff`: what changed between two sitemaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitemapkit.errors import SitemapError, UrlError
from sitemapkit.urls import normalize_base
from sitemapkit_tools.commands.compare import compare_loaded, content_flags
from sitemapkit_tools.commands.review import review
from sitemapkit_tools.commands.sources import read_build, refuse_other_site, report_option
from sitemapkit_tools.commands.terminal import budget_flags, first_option, json_flag, percent
from sitemapkit_tools.console import counted, echo, echo_json, style
from sitemapkit_tools.diff.formats import as_dict, as_markdown, as_redirects, as_text
from sitemapkit_tools.diff.load import load_old, load_site
from sitemapkit_tools.sitemaps.sitemap_file import ENOUGH_DATES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.diff.compare import Difference

_FEW = 5
"""Dead addresses that are named."""

_MOST_MOVED = 90.0
"""Percentage of the dates above which they are not those of the texts."""


def _preview(_: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return the base URL of a preview in normal form."""
    try:
        return normalize_base(value) if value else ""
    except UrlError as error:
        raise click.BadParameter(f"{error}; give the URL of its root.", param=parameter) from error


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--fail-if-lost",
    callback=percent,
    metavar="PERCENT",
    help="Exit with 1 if more than this share of the old pages is missing, or if nearly all dates"
    " changed or are gone.",
)
@click.option(
    "--fail-if-dead",
    is_flag=True,
    help="Exit with 1 if the address of a page that was listed is dead; NEW must be a directory.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "markdown", "_redirects")),
    default="text",
    show_default=True,
    help="For people, for programs, as a job summary or a comment in a review, or as rules for"
    " Netlify and Cloudflare Pages that lead dead addresses to where their pages are now.",
)
@click.option(
    "--preview",
    default="",
    callback=_preview,
    metavar="URL",
    help="Where a preview of NEW is online: pages are linked there.",
)
@report_option
@first_option
@content_flags
@budget_flags
@json_flag
@click.pass_context
def command(  # noqa: PLR0913 - click's parameters
    ctx: click.Context,
    /,
    old: str,
    new: str,
    *,
    fail_if_lost: float | None,
    fail_if_dead: bool,
    form: str,
    preview: str,
    build_report: Path | None,
    is_first: bool,
    budget: Budget,
    as_json: bool,
    **content: Any,  # noqa: ANN401 - the parameters of compare_loaded
) -> None:
    """Show what changed between two sitemaps.

    OLD and NEW are sitemap files, directories of finished sites, or URLs. The result is the pages
    that were added, changed and removed; if NEW is a directory, also those that redirect now.
    It also says of each removed page that its address is dead, if so. Of two directories it says
    where such a page is now, by its text or title, and what `check` finds anew.
    --build-report is that of NEW: of its pages it tells the sources, what dates them (of dates from
    git, the commit), and why one is no longer listed.
    Before a deploy, compare the new build with the site online: --fail-if-lost 5% stops one that
    lost pages.
    """
    before = load_old(old, budget, is_first=is_first)
    after = load_site(new, budget, like=before)
    if fail_if_dead and not (after.tree and after.base_url):
        raise SitemapError(
            f"--fail-if-dead: {new} is no directory of a finished site, whose files say which"
            " addresses are dead; name that directory"
        )
    difference = compare_loaded(before, after, budget, **content)
    build = read_build(build_report)
    refuse_other_site(build_report, build, after.base_url)
    found = review(difference, before, after, budget, preview=preview, build=build)
    alarms = list(_alarms(found.difference, fail_if_lost))
    dead = [each.url for each in found.difference.changes if each.dead]
    if fail_if_dead and dead:
        pages = counted(len(dead), "page that was listed has", "pages that were listed have")
        alarms.append(f"{pages} a dead address: {', '.join(dead[:_FEW])}.")
    if as_json or form == "json":
        shown = as_dict(found) | {"alarms": alarms}
        echo_json(shown)
    elif form == "text":
        echo(as_text(found))
    elif text := as_markdown(found) if form == "markdown" else as_redirects(found):
        echo(text)
    for alarm in alarms:
        echo(f"{style('error', colour='red', bold=True)} {alarm}", err=True)
    ctx.exit(1 if alarms else 0)


def _alarms(difference: Difference, most_lost: float | None) -> Iterator[str]:
    """Say which of the limits, in percent, the difference exceeds."""
    if most_lost is None:
        return
    if difference.lost > most_lost:
        gone = f"{len(difference.of_kind('removed')):,} of {difference.old_count:,} pages"
        yield f"{gone} are missing ({difference.lost:.1f} %); the limit is {most_lost:g} %."
    if difference.dated >= ENOUGH_DATES and difference.moved > _MOST_MOVED:
        cause = "They may be those of a build or of a shallow clone."
        if difference.mostly_gone:
            cause = "Most are gone: the build may lack its ledger or git history."
        yield (
            f"{difference.moved:.1f} % of {difference.dated:,} dates changed or are gone; the limit"
            f" is {_MOST_MOVED:g} %. {cause}"
        )
