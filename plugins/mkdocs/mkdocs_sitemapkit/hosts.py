"""Languages on hosts of their own: in static-i18n each language may have a `site_url` of its own.

All of them are written into one folder, each language but the first into a subfolder. So each host
gets a sitemap of its own there, and its pages name their translations on the other hosts.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit import Build, UrlError
from sitemapkit.urls import absolute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapkit import Options, Page


def split_by_host(
    site_build: Build, pages: Iterable[Page], site_dir: Path
) -> list[tuple[Build, Path]]:
    """Return a Build for each host and the folder of its sitemap, the main host first.

    `site_build` has all pages; it is returned alone where they share one host, the usual case.
    """
    options = site_build.options
    hosts: dict[tuple[str, Path], list[Page]] = {(options.base_url, site_dir): []}
    for page in pages:
        hosts.setdefault(_host_of(page, options, site_dir), []).append(page)
    if len(hosts) == 1:
        return [(site_build, site_dir)]
    builds: list[tuple[Build, Path]] = []
    for (base_url, folder), group in hosts.items():
        # The ledger and the report are files of the whole site.
        of_host = replace(options, base_url=base_url, ledger="", report="")
        build = Build(options if folder == site_dir else of_host, history=site_build.history)
        build.add_all(group)
        builds.append((build, folder))
    _link_translations([build for build, _ in builds], hosts.values())
    return builds


def _host_of(page: Page, options: Options, site_dir: Path) -> tuple[str, Path]:
    """Return the base URL and the folder of the sitemap that a page belongs to."""
    main = options.base_url, site_dir
    if page.translation_key is None or page.url.startswith(options.base_url):
        return main
    try:
        url = absolute(page.url, options.base_url, encoding=options.url_encoding)
    except UrlError:
        return main
    output = Path(page.output or "")
    if url.startswith(options.base_url) or site_dir not in output.parents:
        return main
    language, *below = output.relative_to(site_dir).parts
    if language != page.lang:
        return main
    return f"{url.rsplit('/', len(below))[0]}/", site_dir / language


def _link_translations(builds: Iterable[Build], groups: Iterable[Iterable[Page]]) -> None:
    """Set the `alternates` of each page: its translations are in several sitemaps."""
    versions: dict[str, dict[str, str]] = defaultdict(dict)
    for page in (page for build in builds for page in build.listed()):
        if page.translation_key and page.lang:
            versions[page.translation_key][page.lang] = page.url
    for page in (page for group in groups for page in group):
        page.alternates = versions.get(page.translation_key or "", {})
        page.translation_key = None
