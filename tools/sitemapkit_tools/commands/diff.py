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
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.diff.compare import Difference
    from sitemapkit_tools.diff.formats import Review
    from sitemapkit_tools.diff.load import LoadedSite

_FEW = 3
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
    help="Exit with 1 if a larger share of the old pages is missing, or if nearly all dates changed"
    " or are gone.",
)
@click.option(
    "--fail-if-dead",
    is_flag=True,
    help="Exit with 1 if NEW, a directory, has no page or redirect at an old address.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "markdown", "_redirects")),
    default="text",
    show_default=True,
    help="markdown is for a job summary or a comment in a review; _redirects are rules for Netlify"
    " and Cloudflare Pages, from dead addresses to the new ones.",
)
@click.option(
    "--preview",
    default="",
    callback=_preview,
    metavar="URL",
    help="Where a preview of NEW is online, for links to pages.",
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

    OLD and NEW are sitemap files, directories of finished sites, or URLs. Diff lists the pages that
    were added, removed or changed, and says which old addresses are dead. For two directories, it
    also says where pages moved, and what `check` finds anew.

    --build-report belongs to NEW. It adds the sources and commits behind the dates, and why pages
    are no longer listed.

    To stop a deploy that loses pages, compare the new build with the site online, with
    --fail-if-lost 5%.
    """
    before = load_old(old, budget, is_first=is_first)
    after = load_site(new, budget, like=before)
    if fail_if_dead:
        _need_answers(before, after)
    if form == "_redirects":
        _need_pages(before, "--format _redirects")
        _need_pages(after, "--format _redirects")
    difference = compare_loaded(before, after, budget, **content)
    build = read_build(build_report)
    refuse_other_site(build_report, build, after.base_url)
    found = review(difference, before, after, budget, preview=preview, build=build)
    alarms = list(_alarms(found.difference, fail_if_lost))
    if fail_if_dead:
        alarms.extend(_deaths(found))
    if as_json or form == "json":
        shown = as_dict(found) | {"alarms": alarms}
        echo_json(shown)
    elif text := _FORMS[form](found):
        echo(text)
    for alarm in alarms:
        echo(f"{style('error', colour='red', bold=True)} {alarm}", err=True)
    ctx.exit(1 if alarms else 0)


_FORMS: Mapping[str, Callable[[Review], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "_redirects": as_redirects,
}


def _need_answers(old: LoadedSite, new: LoadedSite) -> None:
    """Raise SitemapError if nothing tells what the old addresses answer in the new site."""
    _need_pages(new, "--fail-if-dead")
    base = new.base_url
    if old.elements and not (base and any(url.startswith(base) for url in old.elements)):
        raise SitemapError(
            f"--fail-if-dead cannot tell what {new.name} answers: no page of {old.name} is below"
            f" {base or 'its base URL, which none of its files states'}; build both for one base"
            " URL"
        )


def _need_pages(site: LoadedSite, flag: str) -> None:
    """Raise SitemapError if a site is only a sitemap; before the first deploy it is nothing."""
    if site.tree is None and site.files:
        raise SitemapError(
            f"{flag} looks at pages, and {site.name} is no directory of a finished site; name that"
            " directory"
        )


def _deaths(review: Review) -> Iterator[str]:
    """Say which addresses are dead, if any is."""
    dead = [each.url for each in review.difference.changes if each.dead]
    dead += review.gone
    if not dead:
        return
    named = ", ".join(dead[:_FEW])
    more = f" and {len(dead) - _FEW:,} more" if len(dead) > _FEW else ""
    yield (
        f"{counted(len(dead), 'address is', 'addresses are')} dead: {named}{more}. Nothing in the"
        " new site answers there: redirect each to the page that its readers want, or bring its"
        " page back."
    )


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
