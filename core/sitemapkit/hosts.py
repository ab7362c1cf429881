"""Languages with hosts of their own, all in one output folder: a sitemap for each host.

Each language but that of the main host is in a subfolder named after it. Its sitemap is written
there, and its pages name their translations on the other hosts.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit.build import Build
from sitemapkit.errors import UrlError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitemapkit.model import Issue, Page
    from sitemapkit.options import Options
    from sitemapkit.report import Report


def write_by_host(build: Build, pages: Iterable[Page], output_dir: Path) -> Sequence[Report]:
    """Write a sitemap for each host, and return the reports, that of the main host first.

    `build` has all `pages`, whose `url` is absolute on other hosts. Where they share one host, the
    usual case, this is `build.write(output_dir)`. Raises OutputError.
    """
    options = build.options
    hosts: dict[tuple[str, Path], list[Page]] = {(options.base_url, output_dir): []}
    for page in pages:
        hosts.setdefault(_host_of(page, options, output_dir), []).append(page)
    if len(hosts) == 1:
        return [build.write(output_dir)]
    builds = [_build_of(base, group, build) for (base, _), group in hosts.items()]
    _link_translations(builds, hosts.values())
    reports = [each.write(folder) for each, (_, folder) in zip(builds, hosts, strict=True)]
    _keep_common(reports)
    return reports


def _host_of(page: Page, options: Options, output_dir: Path) -> tuple[str, Path]:
    """Return the base URL and the folder of the sitemap that a page belongs to."""
    main = options.base_url, output_dir
    if page.translation_key is None or page.url.startswith(options.base_url):
        return main
    try:
        url = options.loc_of(page.url)
    except UrlError:
        return main
    output = Path(page.output or "")
    if url.startswith(options.base_url) or output_dir not in output.parents:
        return main
    language, *below = output.relative_to(output_dir).parts
    if language != page.lang:
        return main
    return f"{url.rsplit('/', len(below))[0]}/", output_dir / language


def _build_of(base_url: str, pages: Iterable[Page], site: Build) -> Build:
    """Return the Build of a host; what belongs to the whole site is that of the main host."""
    is_main = base_url == site.options.base_url
    own = {} if is_main else {"base_url": base_url, "ledger": "", "report": ""}
    build = Build(replace(site.options, **own), history=site.history)
    build.report.issues += site.report.issues if is_main else ()
    build.add_all(pages)
    return build


def _link_translations(builds: Iterable[Build], groups: Iterable[Iterable[Page]]) -> None:
    """Set the `alternates` of each page: its translations are in several sitemaps."""
    versions: dict[str, dict[str, str]] = defaultdict(dict)
    for page in (page for build in builds for page in build.listed()):
        if page.translation_key and page.lang:
            versions[page.translation_key][page.lang] = page.url
    for page in (page for group in groups for page in group):
        page.alternates = versions.get(page.translation_key or "", {})
        page.translation_key = None


def _keep_common(reports: Sequence[Report]) -> None:
    """Keep the issue of a pattern without a page if it has none in any report, and only once."""
    unmatched = [{*map(_pattern, each.issues)} for each in reports]
    common = unmatched[0].intersection(*unmatched) - {""}
    for report in reports:
        report.issues = [each for each in report.issues if _pattern(each) in ("", *common)]
        common = set[str]()  # the first report has them now


def _pattern(issue: Issue) -> str:
    """Return the pattern that matches no page, "" for other issues."""
    return issue.where if issue.rule.id == "unmatched-pattern" else ""
