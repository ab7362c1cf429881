"""`sitemapkit check`: what is wrong with a site's sitemap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from msgspec import structs

from sitemapkit_tools.checks.check import Checked, CheckSettings, check_tree
from sitemapkit_tools.checks.formats import FEW, as_github, as_json, as_sarif, as_text
from sitemapkit_tools.commands.settings import given_options, schema_flags
from sitemapkit_tools.commands.terminal import answer, jobs_option, json_flag, progress, remark
from sitemapkit_tools.explain import read_report
from sitemapkit_tools.issues import RULES, SEVERITIES, baseline, fingerprint, read_baseline, worst
from sitemapkit_tools.site.base_url import find_base
from sitemapkit_tools.site.output_dir import Tree
from sitemapkit_tools.web.client import Client, Limits
from sitemapkit_tools.web.http_cache import Memory
from sitemapkit_tools.web.online_site import LiveCheck, LiveSettings

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from sitemapkit.model import Issue, Severity


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command's own flags."""

    site: str
    sitemaps: tuple[str, ...]
    build_report: Path | None
    agent: str
    fail_on: Severity | Literal["never"]
    known: Path | None
    write_baseline: Path | None
    style: Literal["text", "json", "sarif", "github"]
    as_json: bool
    everything: bool
    jobs: int | None
    hosts: tuple[str, ...]
    connections: int
    rate: float
    timeout: float
    most_pages: int
    state: Path | None


def _show_rules(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    for rule in RULES.values():
        answer(f"{click.style(rule.id, bold=True)} ({rule.severity}; {rule.source})")
        answer(f"    {rule.title}\n    {rule.fix}")
    ctx.exit()


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("check")
@click.argument("site", metavar="DIR|URL")
@click.option(
    "--sitemap",
    "sitemaps",
    multiple=True,
    metavar="PATH",
    help="A sitemap, as a path below DIR; without any, robots.txt and well-known names tell.",
)
@schema_flags("base_url", "exclude", "include")
@click.option(
    "--build-report",
    type=_FILE,
    metavar="FILE",
    help="JSON report of the build: what it left out is not missed.",
)
@click.option(
    "--agent",
    default="Googlebot",
    show_default=True,
    metavar="NAME",
    help="The crawler whose rules in robots.txt count.",
)
@click.option(
    "--fail-on",
    type=click.Choice([*SEVERITIES, "never"]),
    default="warning",
    show_default=True,
    help="The mildest severity that gives exit code 1.",
)
@click.option(
    "--baseline", "known", type=_FILE, metavar="FILE", help="Known issues, which are not shown."
)
@click.option(
    "--write-baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write all issues of this run to a baseline file.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="For people, for programs, for code scanning, or as GitHub annotations.",
)
@click.option("--host", "hosts", multiple=True, help="Online: another host that may be asked.")
@click.option(
    "--connections",
    type=click.IntRange(1, 100),
    default=4,
    show_default=True,
    metavar="N",
    help="Online: connections at a time.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0),
    default=10.0,
    show_default=True,
    metavar="N",
    help="Online: requests a second; 0 for as many as the connections allow.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=15.0,
    show_default=True,
    metavar="SECONDS",
    help="Online: how long a server may be silent.",
)
@click.option(
    "--max-pages",
    "most_pages",
    type=click.IntRange(1),
    default=50_000,
    show_default=True,
    metavar="N",
    help="Online: pages that are looked at.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Online: remembers what was seen, to go on after an interruption and to ask only for"
    " what changed.",
)
@json_flag
@click.option("--all", "everything", is_flag=True, help="Show all issues of each rule.")
@jobs_option
@click.option(
    "--rules",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_rules,
    help="Show the table of rules, and do nothing else.",
)
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401 - the fields of _Asked
    """Check the sitemap of a site against its pages.

    DIR is the directory that a site was built into; its address is read from its pages where
    --base-url does not tell. URL is a site that is online, or its sitemap: robots.txt, all sitemaps
    and each page that they list are asked for, with HEAD and then GET, obeying robots.txt.
    """
    asked = _Asked(**flags)
    checked = _check_url(asked) if "://" in asked.site else _check_directory(ctx, asked)
    if asked.write_baseline:
        asked.write_baseline.write_text(baseline(checked.issues), encoding="utf-8")
        remark(f"{len(checked.issues)} issues are known from now on.")
    checked = _without_known(checked, asked.known)
    answer(_shown(checked, asked))
    ctx.exit(_code(checked.issues, asked.fail_on))


def _check_directory(ctx: click.Context, asked: _Asked) -> Checked:
    tree = Tree(Path(asked.site))
    options = given_options(ctx)
    tree = tree.served_at(options.base_url or find_base(tree))
    options = structs.replace(options, base_url=tree.base_url)
    settings = CheckSettings(
        sitemaps=asked.sitemaps,
        agent=asked.agent,
        deliberate=_decided(asked.build_report),
        jobs=asked.jobs,
    )
    with progress("Reading pages", len(tree.pages())) as tick:
        return check_tree(tree, options, settings, tick=tick)


def _check_url(asked: _Asked) -> Checked:
    if asked.sitemaps:
        raise click.UsageError("--sitemap is a path below DIR; online, name the sitemap by its URL")
    client = Client(Limits(asked.connections, asked.rate, asked.timeout))
    settings = LiveSettings(frozenset(asked.hosts), asked.agent, asked.most_pages)
    try:
        with Memory(asked.state) as memory:
            check = LiveCheck(asked.site, client, settings)
            with progress("Looking at pages", len(check.pages)) as tick:
                return check.run(memory, tick=tick)
    finally:
        client.close()


def _decided(report: Path | None) -> Set[str]:
    """Return the URLs about which the build decided, one way or the other."""
    if report is None:
        return frozenset()
    told = read_report(report)
    return {*told.excluded, *told.listed}


def _without_known(checked: Checked, known: Path | None) -> Checked:
    if known is None:
        return checked
    fingerprints = read_baseline(known)
    new = [each for each in checked.issues if fingerprint(each) not in fingerprints]
    return replace(checked, issues=new)


def _shown(checked: Checked, asked: _Asked) -> str:
    root = "" if "://" in asked.site else f"{Path(asked.site).as_posix()}/"
    match "json" if asked.as_json else asked.style:
        case "json":
            return as_json(checked)
        case "sarif":
            return as_sarif(checked, root=root)
        case "github":
            return as_github(checked, root=root)
        case "text":
            return as_text(checked, most=None if asked.everything else FEW)


def _code(issues: Sequence[Issue], fail_on: Severity | Literal["never"]) -> int:
    found = worst(issues)
    if found is None or fail_on == "never":
        return 0
    return int(SEVERITIES.index(found) <= SEVERITIES.index(fail_on))
