"""`sitemapkit check`: problems of a site's sitemap."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args
from urllib.parse import urlsplit

import click
from click.core import ParameterSource
from msgspec import Struct, structs

from sitemapkit.model import OutputFile, quoted
from sitemapkit.output.files import write_file
from sitemapkit.report import Report
from sitemapkit.urls import normalize
from sitemapkit_tools import removed
from sitemapkit_tools.bounds import OverBudgetError
from sitemapkit_tools.checks.check import (
    CheckResult,
    CheckSettings,
    check_alone,
    check_online,
    check_site,
    check_unreachable,
)
from sitemapkit_tools.checks.formats import FEW, as_json, as_text
from sitemapkit_tools.checks.places import Places
from sitemapkit_tools.checks.services import as_github, as_gitlab, as_markdown
from sitemapkit_tools.commands.project import generator_option, locate
from sitemapkit_tools.commands.settings import given_options, schema_flags, with_base
from sitemapkit_tools.commands.sources import (
    read_build,
    refuse_other_site,
    report_option,
    repository_option,
)
from sitemapkit_tools.commands.terminal import (
    Number,
    budget_flags,
    jobs_option,
    json_flag,
    latest_option,
    on_terminal,
    progress,
    versions_option,
)
from sitemapkit_tools.console import counted, echo, plain, style
from sitemapkit_tools.issues import (
    SEVERITIES,
    all_rules,
    fingerprint,
    read_baseline,
    worst,
    write_baseline,
)
from sitemapkit_tools.site.alone import SUFFIXES, Beside, sitemap_alone
from sitemapkit_tools.site.base_url import origin_of
from sitemapkit_tools.site.directory import DirectorySource, entry_file
from sitemapkit_tools.site.output_dir import WHICH_FOLDER
from sitemapkit_tools.site.scan import ScanSettings
from sitemapkit_tools.site.versions import find_versions
from sitemapkit_tools.sitemaps.collect import refuse_too_many
from sitemapkit_tools.sources.plugins import sites_below
from textdates.bounds import is_file, is_folder, is_there

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from sitemapkit.model import Issue, Severity
    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.explain import BuildReport
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sitemaps.collect import Source
    from sitemapkit_tools.web.client import Client
    from sitemapkit_tools.web.online_site import OnlineSettings, OnlineSite

_Format = Literal["text", "json", "github", "gitlab", "markdown"]
_FORMATS: tuple[_Format, ...] = get_args(_Format)


class _Parameters(Struct, frozen=True):
    """The parameters of the command, without those of the schema."""

    site: str
    generator: str | None
    sitemaps: tuple[str, ...]
    build_report: Path | None
    versions: tuple[str, ...]
    latest: str
    fail_on: Severity | Literal["never"]
    known: Path | None
    write_baseline: Path | None
    style: _Format
    outputs: tuple[tuple[_Format, Path], ...]
    as_json: bool
    everything: bool
    repository: Path | None
    jobs: int | None
    hosts: tuple[str, ...]
    connections: int
    rate: float
    timeout: float
    max_pages: int
    budget: Budget


def _show_rules(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    for rule in all_rules().values():
        echo(f"{style(rule.id, bold=True)} ({rule.severity}; {rule.source})")
        echo(f"    {rule.title}\n    {rule.fix}")
    ctx.exit()


_MAX_SECONDS = 4 * 3_600.0
"""Enough to fetch the default number of pages at the default rate."""


def _refuse_removed(form: str, param: click.Parameter | None) -> None:
    """Raise BadParameter for a format that is gone."""
    if instead := removed.FORMATS.get(form):
        raise click.BadParameter(f"The format {form!r} is gone: {instead}.", param=param)


class _FormatName(click.Choice):  # type: ignore[type-arg]  # pyright: ignore[reportMissingTypeArgument] - not generic in click 8.1
    """One of the formats."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click's
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> _Format:
        """Return the name."""
        _refuse_removed(value, param)
        return cast("_Format", super().convert(value, param, ctx))


def _outputs(
    _ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[_Format, Path], ...]:
    """Read `markdown=summary.md`."""
    outputs: list[tuple[_Format, Path]] = []
    for value in values:
        form, _, file = value.partition("=")
        _refuse_removed(form, parameter)
        if form not in _FORMATS or not file:
            allowed = f"FORMAT=FILE with one of the formats {', '.join(_FORMATS)}"
            raise click.BadParameter(f"{value!r} is not {allowed}.", param=parameter)
        outputs.append((form, Path(file)))
    return tuple(outputs)


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)


def _number(
    flag: str,
    kind: click.IntRange | Number,
    default: float,
    text: str,
    metavar: str = "N",
) -> Callable[[Any], Any]:
    return click.option(
        flag, type=kind, default=default, show_default=True, metavar=metavar, help=f"Online: {text}"
    )


@click.command("check")
@click.argument("site", metavar="[DIR|URL|FILE]", default="")
@click.option(
    "--sitemap",
    "sitemaps",
    multiple=True,
    metavar="PATH",
    help="Path of a sitemap below DIR; by default those in robots.txt and with usual names.",
)
@schema_flags("base_url", "exclude", "include")
@generator_option
@report_option
@versions_option
@latest_option
@click.option(
    "--fail-on",
    type=click.Choice([*SEVERITIES, "never"]),
    default="warning",
    show_default=True,
    help="Lowest severity with exit code 1.",
)
@click.option("--baseline", "known", type=_FILE, metavar="FILE", help="Known issues to hide.")
@click.option(
    "--write-baseline",
    type=_NEW_FILE,
    metavar="FILE",
    help="Write all issues of this run to a baseline.",
)
@click.option(
    "--format",
    "style",
    type=_FormatName(_FORMATS),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help=f"{', '.join(_FORMATS)}; gitlab is a code quality report, markdown a job summary.",
)
@click.option(
    "--output",
    "outputs",
    multiple=True,
    callback=_outputs,
    metavar="FORMAT=FILE",
    help="Also write the result in this format to a file; may be repeated.",
)
@repository_option
@click.option("--host", "hosts", multiple=True, help="Online: another host to read.")
@_number("--connections", click.IntRange(1, 100), 4, "simultaneous connections.")
@_number(
    "--rate",
    Number(0, 1_000),
    10.0,
    "requests a second; 0: no limit.",
)
@_number(
    "--timeout",
    Number(0, 3_600, min_open=True),
    15.0,
    "how long to wait for a silent server.",
    "SECONDS",
)
@_number("--max-pages", click.IntRange(1), 50_000, "most pages to fetch.")
@partial(budget_flags, seconds=_MAX_SECONDS)
@json_flag
@click.option("--all", "everything", is_flag=True, help="Show all issues of each rule.")
@jobs_option
@click.option(
    "--rules",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_rules,
    help="Show all rules and exit.",
)
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401 - the fields of _Parameters
    """Check the sitemap of a site against its pages.

    DIR is a finished site or its project; by default the current folder. All its pages are checked,
    listed or not, in all versions.

    URL is a live site, a page of it or its sitemap. Check fetches robots.txt, all sitemaps, each
    listed page and one that cannot exist, as robots.txt allows.

    FILE is a sitemap, which is checked alone.
    """
    params = _Parameters(**flags)
    report = read_build(params.build_report)
    if "://" in params.site:
        result = _check_url(ctx, params)
    elif is_file(params.site):
        result = _check_alone(ctx, params, Path(params.site))
    elif params.site and not is_there(params.site):
        raise click.UsageError(_not_there(params.site), ctx)
    else:
        result, report = _check_directory(ctx, params, report)
    if report:
        excluded = {url: each.page for url, each in report.excluded.items()}
        result = structs.replace(result, sources=excluded | report.names)
    if params.write_baseline:
        write_baseline(params.write_baseline, result.issues)
        echo(f"Wrote {counted(len(result.issues), 'known issue')}.", err=True)
    result = _without_known(result, params.known)
    for form, file in params.outputs:
        text = plain(_format(result, params, form), commands=form == "github")
        write_file(OutputFile(file, [text.encode(), b"\n"], known=""), Report())
    style = "json" if params.as_json else params.style
    echo(_format(result, params, style), commands=style == "github")
    ctx.exit(_exit_code(result.issues, params.fail_on))


_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?::[0-9]+)?(?:/.*)?", re.IGNORECASE)
"""A host's name with a dot in it, and perhaps a path."""


def _not_there(site: str) -> str:
    """Say that a path is not there, and what may be meant."""
    if site.endswith(SUFFIXES):
        return f"There is no such file: {quoted(site)}."
    message = f"There is no such folder: {quoted(site)}"
    if _HOST.fullmatch(site):
        return f"{message}. Did you mean https://{site}?"
    return f"{message}: {WHICH_FOLDER}."


_ONLINE = ("hosts", "connections", "rate", "timeout", "max_pages")
"""Options that count only where a site is fetched."""

_IN_DIRECTORY = (
    *("sitemaps", "exclude", "include", "generator", "versions", "latest"),
    "jobs",
)
"""Options that count only where the files of a site are read."""


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _refuse_given(ctx: click.Context, names: Container[str], why: str) -> None:
    """Raise UsageError if one of these options is given, which do not count here."""
    for option in ctx.command.params:
        if option.name in names and _is_given(ctx, option.name):
            raise click.UsageError(f"{option.opts[0]} {why}", ctx)


def _refuse_wrong_use(ctx: click.Context, params: _Parameters, tree: OutputDir) -> None:
    """Raise UsageError for an option that does not count here, or names what is not there."""
    _refuse_given(ctx, _ONLINE, f"is for a site online; {tree.root} is a directory")
    for folder in params.versions:
        if not is_folder(tree.root / folder.strip("/")):
            message = f"--version-folder {folder}: {tree.root} has no such folder"
            raise click.UsageError(message, ctx)
    if _is_given(ctx, "latest") and not find_versions(tree, params.versions, params.latest).latest:
        message = (
            f"--latest {params.latest}: {tree.root} has no such version; without a versions.json of"
            " mike, name the folders of the others with --version-folder"
        )
        raise click.UsageError(message, ctx)


_OF_PAGES = (
    *_IN_DIRECTORY,
    *("build_report", "repository"),
)
"""Options that count only where there are pages."""


def _check_alone(ctx: click.Context, params: _Parameters, file: Path) -> CheckResult:
    _refuse_given(ctx, (*_ONLINE, *_OF_PAGES), f"is for a whole site; {file} is a sitemap alone")
    _say_too_many([(file.name, Beside(file))], params.budget)
    site, missing = sitemap_alone(file, given_options(ctx).base_url, params.budget)
    are = "is" if missing == 1 else "are"
    parts = f" {counted(missing, 'sitemap')} that it names {are} not beside it."
    echo(
        f"Only {file} was checked.{parts if missing else ''} Its pages were not looked at: pass the"
        " folder that holds them, or the URL of the site.",
        err=True,
    )
    folder = file.parent.as_posix()
    return check_alone(site, "" if folder == "." else f"{folder}/")


def _say_too_many(named: Iterable[tuple[str, Source]], budget: Budget) -> None:
    """Say before the work that not all of it will be done."""
    try:
        refuse_too_many(named, budget)
    except OverBudgetError as error:
        echo(f"Not all will be checked: {error}.", err=True)


def _check_directory(
    ctx: click.Context, params: _Parameters, report: BuildReport | None
) -> tuple[CheckResult, BuildReport | None]:
    around = [params.repository] if params.repository else ()
    located = locate(Path(params.site) if params.site else None, params.generator, around)
    options = given_options(ctx)
    files, entry = located.tree.files, entry_file(located.tree)
    is_whole = located.project or options.base_url or any(not f.endswith(SUFFIXES) for f in files)
    if entry and not is_whole:
        return _check_alone(ctx, params, located.tree.root / entry), report
    _refuse_wrong_use(ctx, params, located.tree)
    tree, options = with_base(located.tree, options, located.project)
    located.say(tree.base_url)
    refuse_other_site(params.build_report, report, tree.base_url)
    settings = CheckSettings(
        sitemaps=params.sitemaps,
        build=report,
        is_by_plugin=located.plugin is not None,
        left_to_plugins=tuple(sites_below(tree)),
        versions=params.versions,
        latest=params.latest,
        scan=ScanSettings(made=located.made(tree)),
        jobs=params.jobs,
        budget=params.budget,
    )
    names = params.sitemaps or filter(None, [entry])
    _say_too_many([(tree.base_url + name, DirectorySource(tree)) for name in names], params.budget)
    with progress("Reading pages", len(tree.pages()), params.budget) as on_progress:
        return check_site(tree, options, settings, on_progress=on_progress), report


def _check_url(ctx: click.Context, params: _Parameters) -> CheckResult:
    # What fetches takes 30 ms to import, and directories do not need it.
    from sitemapkit_tools.web.client import Client, ClientSettings  # noqa: PLC0415
    from sitemapkit_tools.web.home import find_home  # noqa: PLC0415
    from sitemapkit_tools.web.online_site import OnlineSettings, is_sitemap  # noqa: PLC0415

    why = "is for a directory; online there is only the URL of the site, or of its sitemap"
    _refuse_given(ctx, _IN_DIRECTORY, why)
    address = normalize(params.site)
    client = Client(ClientSettings(params.connections, params.rate, params.timeout), params.budget)
    settings = OnlineSettings(frozenset(params.hosts), params.max_pages)
    try:
        base_url, home_url, site = given_options(ctx).base_url, address, None
        if not is_sitemap(address):
            home = find_home(address, client)
            if home.problem:
                return check_unreachable(home.url, home.problem)
            home_url = home.url
        if origin_of(home_url) == origin_of(address):
            site = _read_online(address, base_url, client, settings)
        if not site or (home_url != address and site.is_without_sitemap):
            echo(f"{address} leads to {home_url}, which is checked.", err=True)
            site = _read_online(home_url, base_url, client, settings)
        with progress("Fetching pages", len(site.pages)) as on_progress:
            return check_online(site, client, on_progress=on_progress)
    finally:
        client.close()


def _read_online(
    address: str, base_url: str, client: Client, settings: OnlineSettings
) -> OnlineSite:
    """Read the sitemaps of a site, which may be a preview: then of the one that it will be."""
    from sitemapkit_tools.web.online_site import (  # noqa: PLC0415
        find_preview,
        folder_of,
        read_online_site,
    )
    from sitemapkit_tools.web.preview import Preview  # noqa: PLC0415

    here = folder_of(address)
    client.preview = Preview(base_url, here) if base_url else None
    site = read_online_site(_meant(address, client), client, settings)
    preview = None if base_url or settings.hosts else find_preview(site, client)
    if not preview:
        return site
    client.preview = preview
    there, server = (urlsplit(each).netloc for each in (preview.base_url, here))
    echo(
        f"The sitemap is of {there}, and this server is {server}. That is normal for a preview: the"
        f" pages of {preview.base_url} were looked for here.",
        err=True,
    )
    return read_online_site(_meant(address, client), client, settings)


def _meant(address: str, client: Client) -> str:
    if not (preview := client.preview):
        return address
    return preview.meant(address) if address.startswith(preview.served_at) else preview.base_url


def _without_known(result: CheckResult, known: Path | None) -> CheckResult:
    if known is None:
        return result
    fingerprints = read_baseline(known)
    new = [each for each in result.issues if fingerprint(each) not in fingerprints]
    return structs.replace(result, issues=new)


_ALL_IS_WELL = """\
If Search Console still says "Couldn't fetch", the cause is not in these files. Check again after a
few days, because its status is often outdated; see whether Bing reads the sitemap; ask who runs
the firewall or CDN; on a shared host, such as github.io, your own domain may help."""


def _format(result: CheckResult, params: _Parameters, style: _Format) -> str:
    places = Places(result.root, result.sources)
    match style:
        case "text":
            links = on_terminal(sys.stdout)
            text = as_text(result, most=None if params.everything else FEW, links=links)
            is_online = params.site.startswith(result.site.rstrip("/") or "://")  # and no preview
            return text if result.issues or not is_online else f"{text}\n{_ALL_IS_WELL}"
        case "json":
            return as_json(result)
        case "github":
            return as_github(result, places)
        case "gitlab":
            return as_gitlab(result, places)
        case "markdown":
            return as_markdown(result)


def _exit_code(issues: Sequence[Issue], fail_on: Severity | Literal["never"]) -> int:
    found = worst(issues)
    if found is None or fail_on == "never":
        return 0
    return int(SEVERITIES.index(found) <= SEVERITIES.index(fail_on))
