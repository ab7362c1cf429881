"""`sitemapkit build`: the sitemap of a finished site, whatever generator made it."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemapkit.build import build
from sitemapkit.layout import is_ours
from sitemapkit_tools.commands.settings import given_options, schema_flags, with_base
from sitemapkit_tools.commands.sources import (
    repository_option,
    scan_settings,
    source_map_option,
)
from sitemapkit_tools.commands.terminal import (
    jobs_option,
    json_flag,
    main_option,
    noise_option,
    progress,
    show_issues,
)
from sitemapkit_tools.console import echo
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.site.read_pages import ReadOptions
from sitemapkit_tools.site.scan import scan

if TYPE_CHECKING:
    from sitemapkit.options import Options
    from sitemapkit.report import Report
    from sitemapkit_tools.site.scan import ScanSettings


@click.command("build")
@click.argument(
    "folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@schema_flags()
@source_map_option
@repository_option
@main_option
@noise_option
@jobs_option
@click.option("--strict", is_flag=True, help="Exit with 1 if there are warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Say why pages are not listed.")
@json_flag
@click.pass_context
def command(
    ctx: click.Context,
    /,
    folder: Path,
    *,
    strict: bool,
    verbose: bool,
    as_json: bool,
    **scan_flags: Any,  # noqa: ANN401 - the parameters of _scan_settings
) -> None:
    """Write the sitemap of a finished site, and its line in robots.txt.

    The pages are the HTML files in DIR. What they say about themselves (noindex, canonical,
    redirects, languages, dates) decides what is listed and how. You can omit --base-url if the home
    page or an earlier sitemap states it. If DIR is in a project of MkDocs, ProperDocs, Zensical or
    Sphinx, git dates the pages by their sources.
    """
    tree, options = with_base(OutputDir.walk(folder), given_options(ctx))
    settings = _scan_settings(folder, digest=bool(options.ledger), **scan_flags)
    report = _build(tree, options, settings)
    show_issues(report, least=logging.DEBUG if verbose else logging.INFO)
    echo(report.to_json().decode().rstrip() if as_json else report.summary())
    warned = any(issue.severity != "note" for issue in report.issues)
    ctx.exit(1 if strict and warned else 0)


def _scan_settings(  # noqa: PLR0913 - click's parameters
    folder: Path,
    *,
    digest: bool,
    main: tuple[str, ...],
    noise: tuple[str, ...],
    source_map: Path | None,
    repository: Path | None,
    jobs: int | None,
) -> ScanSettings:
    read = ReadOptions(digest, repository is not None, main, noise)
    return scan_settings(folder, source_map, repository, read=read, jobs=jobs)


def _build(tree: OutputDir, options: Options, settings: ScanSettings) -> Report:
    with progress("Reading pages", len(tree.pages())) as on_progress:
        pages = scan(tree, settings, on_progress=on_progress)
    file = tree.root / options.filename
    is_foreign = file.is_file() and file.stat().st_size > 0 and not is_ours(file)
    report = build(pages, options, tree.root)
    if is_foreign and file in report.written:
        said = "Another tool's was replaced."
        report.add("several-sitemaps", str(file), said, severity="note")
    dated = options.ledger or any(each.value for each in report.dates.values())
    expects_dates = "git" in options.date_sources and report.listed and not dated
    if (settings.repository or expects_dates) and not any(page.sources for page in pages):
        report.add("no-sources", str(settings.repository or settings.docs or tree.root))
    return report
