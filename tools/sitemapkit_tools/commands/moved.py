"""`sitemapkit moved`: addresses that died, and where their pages went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct, structs, to_builtins

from sitemapkit.errors import SitemapError
from sitemapkit.model import OutputFile, printable
from sitemapkit.output.files import publication
from sitemapkit.patterns import PathPatterns
from sitemapkit.report import Report
from sitemapkit_tools.bounds import MAX_JSON, Budget
from sitemapkit_tools.commands.project import Located, locate
from sitemapkit_tools.commands.settings import given_options, schema_flags, with_base
from sitemapkit_tools.commands.terminal import (
    budget_flags,
    first_option,
    jobs_option,
    json_flag,
    latest_option,
    progress,
    versions_option,
)
from sitemapkit_tools.console import cell, counted, echo, echo_json, style
from sitemapkit_tools.moved.history import find_branch, read_branch
from sitemapkit_tools.moved.moved import DeadAddress, Moved, MovedSettings, find_moved
from sitemapkit_tools.moved.past import BranchPast, FolderPast, Past
from sitemapkit_tools.moved.present import Present, read_present
from sitemapkit_tools.moved.sources import past_of_ledger, past_of_report, past_of_sitemap
from sitemapkit_tools.moved.spellings import (
    TOOLS,
    Redirect,
    Tool,
    is_literal,
    stubs,
    tool_of,
    written,
)
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.versions import find_versions
from sitemapkit_tools.sitemaps.first_deploy import what_was_before
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_FORMS = ("text", "json", "markdown", "auto", *TOOLS)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FEW = 10


class _Parameters(Struct, frozen=True):
    """The parameters of the command, without those of the schema."""

    folder: Path
    branch: str | None
    repository: Path
    branch_folder: str
    olds: tuple[str, ...]
    reports: tuple[Path, ...]
    ledger: Path | None
    ignored: tuple[str, ...]
    only_new: bool
    is_first: bool
    versions: tuple[str, ...]
    latest: str
    form: str
    perhaps: bool
    apply: bool
    fail: bool
    everything: bool
    jobs: int | None
    as_json: bool
    budget: Budget


@click.command("moved")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option(
    "--branch",
    metavar="NAME",
    help="Branch that is deployed, such as gh-pages: every commit of it has old addresses.",
)
@click.option(
    "--repository",
    default=".",
    type=_FOLDER,
    metavar="DIR",
    help="Repository with the branch; by default the one you are in.",
)
@click.option(
    "--branch-folder", default="", metavar="PATH", help="Folder of the site in the branch."
)
@click.option(
    "--old",
    "olds",
    multiple=True,
    metavar="PLACE",
    help="An earlier sitemap (file or URL), or the directory of an earlier build; may be repeated.",
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="JSON report of an earlier build (option `report`); may be repeated.",
)
@click.option(
    "--ledger", type=_FILE, metavar="FILE", help="Ledger of an earlier build, with its digests."
)
@click.option(
    "--ignore",
    "ignored",
    multiple=True,
    metavar="PATTERN",
    help="Addresses that may be gone: gitignore-style patterns on the path; may be repeated.",
)
@click.option(
    "--new",
    "only_new",
    is_flag=True,
    help="Only addresses that were there until now: those that this build would remove.",
)
@first_option
@versions_option
@latest_option
@schema_flags("base_url")
@click.option(
    "--as",
    "form",
    type=click.Choice(_FORMS),
    default="text",
    show_default=True,
    help="For people, for programs, as a job summary, or as redirects for a tool or host; auto: for"
    " the tool that the settings around DIR use.",
)
@click.option("--perhaps", is_flag=True, help="Also write redirects that are not sure.")
@click.option(
    "--apply",
    is_flag=True,
    help="With --as html or _redirects: write the redirects into DIR, not only show them.",
)
@click.option("--fail", is_flag=True, help="Exit with 1 if an address is dead.")
@click.option("--all", "everything", is_flag=True, help="Show all addresses of removed versions.")
@jobs_option
@budget_flags
@json_flag
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401 - the fields of _Parameters
    """Show which addresses of a site died, and where their pages went.

    DIR is the finished site. Its old addresses come from --branch, --old, --report or --ledger; a
    branch also has the texts, by which pages that moved are found. An address is dead if the site
    has no file, no redirect and no rule in `_redirects` for it.

    \b
    Which addresses would this change break?
        sitemapkit moved site --branch gh-pages --new --fail
    Redirects for all that ever broke, in the settings of your generator:
        sitemapkit moved site --branch gh-pages --as auto

    Nothing is changed without --apply: you get a proposal for each address, with the reason.
    "perhaps" means that the reasons disagree or are few; "nowhere", that none was found.
    """  # noqa: D301 - a backspace, by which click keeps lines as they are
    params = _Parameters(**flags)
    _refuse_wrong_use(params)
    located = locate(params.folder)
    tree, _ = with_base(located.tree, given_options(ctx), located.project)
    with progress("Reading pages", len(tree.pages()), params.budget) as on_progress:
        present = read_present(
            tree, digest=bool(params.ledger), jobs=params.jobs, on_progress=on_progress
        )
    pasts = [*_pasts(params, present)]
    try:
        moved = _find(params, present, pasts)
    finally:
        for past in pasts:
            if past.branch:
                past.branch.close()
    redirects = _redirects(moved, perhaps=params.perhaps)
    if params.apply:
        tool: Tool = "html" if params.form == "html" else "_redirects"
        _apply(tool, _literal(tool, redirects), tree)
    else:
        _show(params, moved, redirects, structs.replace(located, tree=tree))
    ctx.exit(1 if params.fail and moved.all_dead else 0)


def _refuse_wrong_use(params: _Parameters) -> None:
    if not (params.branch or params.olds or params.reports or params.ledger):
        raise click.UsageError(
            "nothing says which addresses there were: name the deployed branch with --branch"
            " gh-pages, or an earlier sitemap or build with --old, --report or --ledger"
        )
    if params.apply and params.form not in ("html", "_redirects"):
        raise click.UsageError(
            "--apply writes only --as html or --as _redirects, which are in DIR; --as"
            f" {params.form} is for you to copy into your settings"
        )


def _pasts(params: _Parameters, present: Present) -> Iterator[Past]:
    """Yield all that knows old addresses, what has texts first."""
    if params.branch:
        with what_was_before(is_first=params.is_first):
            branch = find_branch(
                params.repository, params.branch, params.budget, params.branch_folder
            )
            with progress("Reading the history", branch.length, params.budget) as on_progress:
                read_branch(branch, newest=params.only_new, on_progress=on_progress)
            yield BranchPast(branch, present.tree, present)
    folders = [place for place in params.olds if "://" not in place and Path(place).is_dir()]
    for place in folders:
        yield FolderPast(OutputDir.walk(Path(place)).served_at(present.base_url), present)
    for place in params.olds:
        if place not in folders:
            yield past_of_sitemap(place, params.budget, is_first=params.is_first)
    for file in params.reports:
        yield past_of_report(file)
    if params.ledger:
        yield past_of_ledger(params.ledger, present)


def _find(params: _Parameters, present: Present, pasts: Sequence[Past]) -> Moved:
    try:
        ignored = PathPatterns(params.ignored)
    except ValueError as error:
        raise SitemapError(f"--ignore: {error}") from error
    settings = MovedSettings(ignored, params.only_new)
    versions = find_versions(present.tree, params.versions, params.latest)
    deaths = sum(len(past.olds) for past in pasts)
    with progress("Looking for pages", deaths, params.budget) as on_progress:
        return find_moved(present, pasts, versions, settings, on_progress=on_progress)


def _redirects(moved: Moved, *, perhaps: bool) -> list[Redirect]:
    found = ((each.url, each.proposal) for each in moved.all_dead)
    return [
        Redirect(url, proposal.to)
        for url, proposal in found
        if proposal and (proposal.sure or perhaps)
    ]


def _literal(tool: Tool, redirects: Sequence[Redirect]) -> list[Redirect]:
    """Return the redirects that a tool reads as they are meant; say which others there are."""
    unfit = [each.old for each in redirects if not is_literal(tool, each)]
    if unfit:
        said = f"{counted(len(unfit), 'redirect')} cannot be written for {tool}, which would read"
        echo(f"{said} more into them: {', '.join(unfit[:_FEW])}", err=True)
    return [each for each in redirects if each.old not in unfit]


def _apply(tool: Tool, redirects: Sequence[Redirect], tree: OutputDir) -> None:
    """Write the redirects into the site, all or none."""
    report = Report()
    with publication(tree.root, report) as new:
        for name, text in stubs(redirects, tree).items() if tool == "html" else ():
            new.stage(OutputFile(tree.root / name, [text.encode()]))
        if tool == "_redirects":
            file = tree.root / tool
            before = read_file(file, MAX_JSON).rstrip(b"\n") if file.is_file() else b""
            added = written(tool, redirects, tree, None).encode()
            lines = b"\n".join(filter(None, [before, added]))
            new.stage(OutputFile(file, [lines + b"\n"], known=""))
        new.commit()
    for each in report.written:
        echo(str(each))
    echo(f"Wrote {counted(len(redirects), 'redirect')}.", err=True)


def _show(params: _Parameters, moved: Moved, redirects: Sequence[Redirect], site: Located) -> None:
    form = "json" if params.as_json else params.form
    usual = tool_of(site.tree, site.project)
    form = usual if form == "auto" else form
    for note in moved.notes:
        echo(note, err=True)
    if form == "json":
        echo_json(to_builtins(moved))
    elif form == "text":
        echo("\n".join(_lines(moved, usual, everything=params.everything)))
    elif form == "markdown":
        echo("\n".join(_markdown(moved)))
    else:
        tool: Tool = next(each for each in TOOLS if each == form)
        fit = _literal(tool, redirects)
        echo(written(tool, fit, site.tree, site.project) if fit else "")
        left = len(moved.all_dead) - len(redirects)
        if left:
            echo(
                f"{counted(left, 'dead address')} without a sure proposal; see --as text.", err=True
            )


def _lines(moved: Moved, usual: Tool, *, everything: bool) -> Iterator[str]:
    for each in moved.dead:
        yield from _address(each)
    for build in moved.removed:
        kept = sum(each.proposal is not None for each in build.dead)
        name = style(build.url, bold=True)
        count = len(build.dead)
        yield f"{name} is gone with {count:,} addresses, of which {kept:,} have a page elsewhere"
        for each in build.dead if everything else ():
            yield from _address(each)
    yield _summary(moved)
    if any(each.proposal for each in moved.all_dead):
        yield f"To write redirects for {usual}: --as auto"


def _address(each: DeadAddress) -> Iterator[str]:
    yield style(each.url, bold=True)
    found = each.proposal
    if not found:
        yield f"    {style('nowhere', colour='red')}: no page was found that took its place"
    else:
        arrow = style("->", colour="green") if found.sure else style("-> perhaps", colour="yellow")
        yield f"    {arrow} {printable(found.to)}"
        yield f"    {printable(found.why)}"
    if each.is_new:
        yield style("    this build removes it", dim=True)
    elif each.day:
        yield style(f"    removed on {each.day}, commit {each.commit[:_SHORT]}", dim=True)


_SHORT = 8


def _summary(moved: Moved) -> str:
    dead = moved.all_dead
    sure = sum(bool(each.proposal and each.proposal.sure) for each in dead)
    perhaps = sum(bool(each.proposal and not each.proposal.sure) for each in dead)
    if not dead:
        return f"All of {moved.addresses:,} old addresses are answered."
    new = sum(each.is_new for each in dead)
    removed = f" ({new:,} by this build)" if new else ""
    nowhere = len(dead) - sure - perhaps
    are = "is" if len(dead) == 1 else "are"
    return (
        f"{len(dead):,} of {moved.addresses:,} addresses {are} dead{removed}:"
        f" {sure:,} {'has' if sure == 1 else 'have'} moved, {perhaps:,} perhaps,"
        f" {nowhere:,} {'leads' if nowhere == 1 else 'lead'} nowhere"
    )


def _markdown(moved: Moved) -> Iterator[str]:
    yield f"## Old addresses\n\n{_summary(moved)}\n"
    shown = sorted(moved.all_dead, key=lambda each: (not each.is_new, each.url))[:_MOST]
    if shown:
        yield "| address | where its page went | why |\n|---|---|---|"
    for each in shown:
        found = each.proposal
        to = (found.to if found.sure else f"perhaps {found.to}") if found else "nowhere"
        yield f"| {cell(each.url)} | {cell(to)} | {cell(found.why if found else '')} |"
    if len(moved.all_dead) > len(shown):
        yield f"\n{len(moved.all_dead) - len(shown):,} more."


_MOST = 100
