"""The linter of built sites: what a search engine would stumble over, found before it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemapkit_tools.checks.dates import check_dates
from sitemapkit_tools.checks.directory import check_choice, check_directory
from sitemapkit_tools.checks.entries import check_entries
from sitemapkit_tools.checks.files import check_files
from sitemapkit_tools.checks.languages import check_languages
from sitemapkit_tools.checks.pages import check_pages
from sitemapkit_tools.checks.robots import check_robots
from sitemapkit_tools.issues import in_order
from sitemapkit_tools.site.directory import survey_directory
from sitemapkit_tools.site.read_pages import looks, silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from sitemapkit.model import Issue
    from sitemapkit.options import Options
    from sitemapkit_tools.site.output_dir import Tree
    from sitemapkit_tools.site.read_pages import Tick
    from sitemapkit_tools.site.snapshot import Survey


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check."""

    site: str
    """The base URL."""

    issues: Sequence[Issue]
    sitemaps: int
    urls: int
    pages: int
    """Pages that were looked at: HTML files, or answers of the server."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What a check is told beside the site."""

    sitemaps: Sequence[str] = ()
    """Paths of the sitemaps; without any, robots.txt and well-known names tell."""

    agent: str = "Googlebot"
    """The crawler whose rules in robots.txt count."""

    deliberate: Set[str] = field(default_factory=frozenset[str])
    """URLs that are listed, or not, on purpose: the report of a build names them."""

    jobs: int | None = None


def check_tree(
    tree: Tree, options: Options, settings: CheckSettings, *, tick: Tick = silent
) -> Checked:
    """Check a site in a directory. `options` say which pages are left out on purpose."""
    looked = list(looks(tree, tree.pages(), jobs=settings.jobs, tick=tick))
    survey = survey_directory(tree, looked, sitemaps=settings.sitemaps, agent=settings.agent)
    issues = [*check_survey(survey), *check_directory(tree, survey)]
    issues += check_choice(tree, looked, survey, options, settings.deliberate)
    return checked(survey, issues, pages=len(looked))


def check_survey(survey: Survey) -> Iterator[Issue]:
    """Check all that can be judged without knowing where the site was looked at."""
    yield from check_files(survey)
    yield from check_entries(survey)
    yield from check_dates(survey)
    yield from check_pages(survey)
    yield from check_languages(survey)
    yield from check_robots(survey)


def checked(survey: Survey, issues: Sequence[Issue], *, pages: int) -> Checked:
    """Return the outcome, its issues in order."""
    return Checked(
        site=survey.base_url,
        issues=in_order(issues),
        sitemaps=len(survey.documents),
        urls=len({each.url for each in survey.listed}),
        pages=pages,
    )
