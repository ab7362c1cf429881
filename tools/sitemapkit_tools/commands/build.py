"""`sitemapkit build`: the sitemap of a finished site, whatever made it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from sitemapkit.build import build
from sitemapkit.content import MAIN, NOISE
from sitemapkit_tools.commands.settings import given_options, schema_flags
from sitemapkit_tools.commands.terminal import (
    answer,
    jobs_option,
    json_flag,
    progress,
    selector_option,
    show_issues,
)
from sitemapkit_tools.site.base_url import find_base
from sitemapkit_tools.site.output_dir import Tree
from sitemapkit_tools.site.read_pages import Wanted
from sitemapkit_tools.site.scan import ScanSettings, scan
from sitemapkit_tools.site.source_map import read_source_map

if TYPE_CHECKING:
    from sitemapkit.options import Options
    from sitemapkit.report import Report


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command's own flags."""

    folder: Path
    main: tuple[str, ...]
    noise: tuple[str, ...]
    source_map: Path | None
    repository: Path | None
    jobs: int | None
    strict: bool
    as_json: bool
    verbose: bool


@click.command("build")
@click.argument(
    "folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@schema_flags()
@click.option(
    "--source-map",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON or TOML that maps pages to their source files, for dates from git.",
)
@click.option(
    "--repository",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Checkout that the pages' edit links lead into, for dates from git.",
)
@selector_option("--main", "Main content of a page; the first counts.")
@selector_option("--noise", "What in the main content does not count.")
@jobs_option
@click.option("--strict", is_flag=True, help="Exit with 1 if there are warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Say why each page is left out.")
@json_flag
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401 - the fields of _Asked
    """Write the sitemap of a built site, and its line in robots.txt.

    The pages are DIR's HTML files; what they say of themselves (noindex, canonical, redirects,
    languages, dates) decides what is listed and how. --base-url may be left out where the home page
    or an earlier sitemap tells it.
    """
    asked = _Asked(**flags)
    tree = Tree(asked.folder)
    options = given_options(ctx)
    options = structs.replace(options, base_url=options.base_url or find_base(tree))
    report = _build(tree.served_at(options.base_url), options, asked)
    show_issues(report, least=logging.DEBUG if asked.verbose else logging.INFO)
    answer(report.to_json().decode().rstrip() if asked.as_json else report.summary())
    warned = any(issue.severity == "warning" for issue in report.issues)
    ctx.exit(1 if asked.strict and warned else 0)


def _build(tree: Tree, options: Options, asked: _Asked) -> Report:
    settings = ScanSettings(
        wanted=Wanted(
            digest=bool(options.ledger),
            edit_link=asked.repository is not None,
            main=asked.main or MAIN,
            noise=asked.noise or NOISE,
        ),
        sources=read_source_map(asked.source_map) if asked.source_map else {},
        repository=asked.repository.absolute() if asked.repository else None,
        jobs=asked.jobs,
    )
    with progress("Reading pages", len(tree.pages())) as tick:
        pages = scan(tree, settings, tick=tick)
    return build(pages, options, tree.root)
