"""`sitemapkit build`: the sitemap of a finished site, whatever generator made it."""

from __future__ import annotations

import logging
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from msgspec import structs

from sitemapkit.build import Build
from sitemapkit.errors import SitemapError
from sitemapkit.layout import is_ours
from sitemapkit.options import Options
from sitemapkit_tools.checks.robots import disallowed
from sitemapkit_tools.checks.written import check_listed, check_sitemap_lines
from sitemapkit_tools.commands.project import Located, generator_option, locate, shown
from sitemapkit_tools.commands.settings import given_options, schema_flags, with_base
from sitemapkit_tools.commands.sources import repository_option, source_map_option
from sitemapkit_tools.commands.terminal import (
    jobs_option,
    json_flag,
    progress,
    show_issues,
)
from sitemapkit_tools.console import counted, echo
from sitemapkit_tools.site.base_url import is_local, stated_base
from sitemapkit_tools.site.directory import (
    other_sitemaps,
    read_robots,
)
from sitemapkit_tools.site.known_hosts import other_spellings, unread_settings
from sitemapkit_tools.site.output_dir import WHICH_FOLDER, OutputDir
from sitemapkit_tools.site.read_pages import ReadOptions
from sitemapkit_tools.site.scan import ScanSettings, scan
from sitemapkit_tools.site.source_map import read_source_map
from sitemapkit_tools.site.stated_dates import keep_authors_dates
from sitemapkit_tools.site.their_selection import (
    Kept,
    find_selection,
    leave_out,
    with_their_files,
)
from sitemapkit_tools.site.translations import NamedVersions
from sitemapkit_tools.site.undated import undated_by_kind
from sitemapkit_tools.sources.find import HANDWRITTEN
from sitemapkit_tools.sources.plugins import (
    holds_only_versions,
    plugins_sitemap,
    sites_below,
)
from sitemapkit_tools.sources.table import GENERATORS
from textdates.bounds import is_file

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence, Set

    from sitemapkit.model import Entry, FilePath, Issue, Page
    from sitemapkit.report import Report
    from sitemapkit_tools.sources.plugins import PluginSite


class _SiteFolder(click.Path):
    """The folder of a finished site."""

    def convert(
        self, value: FilePath, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the folder. Raises BadParameter if there is none."""
        if "://" in str(value):
            self.fail(
                "A URL is what `check` reads; `build` needs the folder of the site.", param, ctx
            )
        return super().convert(value, param, ctx)


@click.command("build")
@click.argument(
    "folder",
    metavar="[DIR]",
    required=False,
    type=_SiteFolder(exists=True, file_okay=False, path_type=Path),
)
@schema_flags("base_url", "exclude", "include", "filename", "report")
@generator_option
@source_map_option
@repository_option
@jobs_option
@click.option("--strict", is_flag=True, help="Exit with 1 if there are warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Say why pages are not listed.")
@json_flag
@click.pass_context
def command(  # noqa: PLR0913 - click's parameters
    ctx: click.Context,
    /,
    folder: Path | None,
    *,
    generator: str | None,
    repository: Path | None,
    source_map: Path | None,
    jobs: int | None,
    strict: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Write the sitemap of a finished site, and its line in robots.txt.

    DIR is the finished site or its project; by default the current folder. The sitemap lists what
    the generator's own sitemap lists, less what the pages forbid (noindex, redirects, canonical)
    and what the host hides (_headers, _redirects, robots.txt). Dates come from the project's git
    history; front matter counts, too. Nothing of the project is run.

    Sites of MkDocs, Pelican and Sphinx need the plugin instead.

    You can omit --base-url if the site or the project states it. Exit code 1 means that no page is
    listed, or with --strict that there is a warning.
    """
    located = locate(folder, generator, [repository] if repository else ())
    located = _without_plugins(located, generator)
    options = given_options(ctx, located.tree.root)
    tree, options = with_base(located.tree, options, located.project)
    if located.project and options.filename == Options().filename:
        options = structs.replace(options, filename=located.project.sitemap)
    if options.formats == Options().formats and is_file(Path(tree.root, f"{options.filename}.gz")):
        options = structs.replace(options, formats=("xml", "gz"))  # not a copy of what was there
    located.say(tree.base_url)
    read = ReadOptions(digest="ledger" in options.date_sources)
    sources: Mapping[str, Sequence[Path]] = {}
    if source_map:
        sources = read_source_map(source_map)
    settings = ScanSettings(read=read, sources=sources, made=located.made(tree), jobs=jobs)
    report = _build(tree, options, settings, located)
    if not report.listed:
        _say_why_empty(report, tree)
    for problem in located.problems():
        report.add("unread-settings", problem)
    show_issues(report, least=logging.DEBUG if verbose else logging.INFO)
    echo(report.to_json().decode().rstrip() if as_json else report.summary())
    warned = any(issue.severity != "note" for issue in report.issues)
    ctx.exit(1 if (strict and warned) or not report.listed else 0)


def _without_plugins(located: Located, generator: str | None) -> Located:
    """Return a site without the sites in it that a plugin of ours knows.

    Raises SitemapError if all of it is one, or its sitemap is that of a plugin.
    """
    tree, plugin = located.tree, located.plugin
    if found := plugins_sitemap(tree):
        file, word = found
        raise SitemapError(
            f"{tree.root / file} is there already, by the plugin for {word}, which knows more than"
            f" the files of a site tell: build the site with {word} again to renew it"
        )
    below = sites_below(tree)
    if holds_only_versions(tree, below):
        folders = " ".join(str(tree.root / folder) for folder in islice(below, _MOST_NAMED))
        raise SitemapError(
            f"{tree.root} only leads to {counted(len(below), 'site')} that a plugin is for:"
            " `sitemapkit merge` makes one sitemap of theirs, as in `sitemapkit merge"
            f" {folders} --out {tree.root}`"
        )
    if plugin:
        _say_what_nobody_knows(located, plugin, generator)
    for folder, each in below.items():
        echo(
            f"warning {tree.root / folder} is a site of {each.maker.name}: its pages are left to"
            f" the plugin, which `{each.maker.line}` adds",
            err=True,
        )
    if not below:
        return located
    files = frozenset(file for file in tree.files if not file.startswith(tuple(below)))
    return structs.replace(located, tree=structs.replace(tree, files=files))


_MOST_NAMED = 5


def _say_what_nobody_knows(located: Located, site: PluginSite, generator: str | None) -> None:
    """Warn that a plugin's site is read as plain HTML, if that is wanted away from its project.

    Raises SitemapError if it is not.
    """
    root, maker, file = located.tree.root, site.maker, site.settings
    is_plain = generator == "none" or (generator == HANDWRITTEN and not site.is_marked)
    if is_plain and not file:
        echo(
            f"warning {root} is a site of {maker.name}, read as plain HTML: which pages are drafts,"
            " hidden or copies, and when their texts changed, only its plugin knows, so that all"
            " are listed that do not forbid it themselves",
            err=True,
        )
        return
    place = shown(file) if file else f"its {maker.settings[0]}"
    refused = f"--generator {generator}: " if generator in ("none", HANDWRITTEN) else ""
    away = "" if file else "; away from its project, --generator none takes it as plain HTML"
    raise SitemapError(
        f"{refused}{root} was made by {maker.name}, and only its plugin knows what to list: add it"
        f" with `{maker.line}` in {place}, which needs {maker.needs} (`sitemapkit check` checks the"
        f" sitemap of an older one){away}"
    )


def _say_why_empty(report: Report, tree: OutputDir) -> None:
    """Say that there are no pages, or that they state another base URL."""
    stated, why = stated_base(tree), ""
    if not tree.pages():
        why = f"{tree.root} has no HTML file: {WHICH_FOLDER}."
    elif stated and stated != tree.base_url:
        remedy = f"build the site for {tree.base_url}" if is_local(stated) else "give that one"
        why = f"The pages state the base URL {stated}: {remedy}."
    for number, each in enumerate(report.issues):
        if why and each.rule.id == "empty-sitemap":
            report.issues[number] = structs.replace(each, detail=f"{each.detail} {why}")


def _build(tree: OutputDir, options: Options, settings: ScanSettings, located: Located) -> Report:
    issues: list[Issue] = []
    selection = None
    if not located.plugin:  # whose sitemap lists what it has
        selection = find_selection(tree, options, located.maker(), issues)
    if selection:
        options = structs.replace(options, selected_by=selection.word)
        settings = structs.replace(settings, made=selection.without_guesses(settings.made))
    with progress("Reading pages", len(tree.pages())) as on_progress:
        pages = scan(tree, settings, on_progress=on_progress)
    kept = None
    if selection:
        pages = with_their_files(pages, selection, tree)
        kept = Kept(selection, tree, leave_out(pages, selection, tree, options, issues))
    new = Build(options, is_myst=located.maker() == GENERATORS["myst"].name)
    new.report.issues += issues
    if new.history:
        keep_authors_dates(pages)
    file = tree.root / options.filename
    is_another = is_file(file) and file.stat().st_size > 0 and not (selection or is_ours(file))
    new.add_all(pages)
    listed = {page.url for page in new.listed()}
    named = NamedVersions([page for page in pages if page.url in listed], options, new.report)

    def on_entry(page: Page, entry: Entry) -> Entry:
        entry = named.add_to(entry)
        return kept(page, entry) if kept else entry

    report = new.write(tree.root, on_entry=on_entry)
    _name_by_addresses(report, {page.name for page in new.listed()})
    dated = sum(each.value is not None for each in report.dates.values())
    report.issues += check_listed(report.listed)
    if options.robots is not False and urlsplit(tree.base_url).path == "/":
        _add_what_robots_say(report, tree)
    if is_another and file in report.written:
        said = "The sitemap of another tool was replaced."
        report.add("several-sitemaps", str(file), said, severity="note")
    _add_what_is_there(report, tree, located)
    if any(page.sources for page in pages):
        _add_undated(report, located)
    else:
        _add_why_no_sources(report, options, located, dated)
    return report


def _name_by_addresses(report: Report, listed: Set[str]) -> None:
    """Name the pages by their addresses that have the source, and so the name, of a listed page."""
    for number, each in enumerate(report.excluded):
        if each.page in listed:
            report.excluded[number] = structs.replace(each, page=each.url)


def _add_what_robots_say(report: Report, tree: OutputDir) -> None:
    """Say which listed pages robots.txt forbids, and what is wrong with its sitemaps."""
    robots = read_robots(tree)
    report.issues += disallowed(report.listed, robots)
    if report.entry_file:
        path = str(tree.root / "robots.txt")
        report.issues += check_sitemap_lines(robots, path, tree.base_url)


def _add_undated(report: Report, located: Located) -> None:
    """Say which pages have no date, if there are any."""
    undated = undated_by_kind(report)
    if undated:
        report.add("undated", str(located.origin), undated)


def _add_why_no_sources(report: Report, options: Options, located: Located, dated: int) -> None:
    """Say why no page has a source, where git was to date pages."""
    has_dates = "ledger" in options.date_sources or dated
    expects_dates = "git" in options.date_sources and report.listed and not has_dates
    if located.around or expects_dates:
        where = next(iter(located.around), located.origin)
        report.add("no-sources", str(where), located.why_no_sources())


def _add_what_is_there(report: Report, tree: OutputDir, located: Located) -> None:
    """Say what sitemaps under other names and the host have to do with the new one."""
    ours = report.entry_file.name if report.entry_file else ""
    for name in other_sitemaps(tree, ours) if ours else ():
        detail = f"{ours} was written beside it."
        report.add("second-sitemap", str(tree.root / name), detail)
    listed = (entry.loc for entry in report.listed)
    folders = (tree.root, located.origin.parent, Path())
    if found := other_spellings(listed, tree):
        report.add("host-spelling", *found)
    if unread := unread_settings(folders):
        report.add("host-settings", *unread)
