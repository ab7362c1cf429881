"""Languages on hosts of their own: static-i18n gives each language a `site_url` if asked.

All of them are written into one folder, each language but the first into a folder in it; so each
host has a sitemap of its own there, and the translations are named across the hosts.
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


def by_host(whole: Build, pages: Iterable[Page], folder: Path) -> list[tuple[Build, Path]]:
    """Return the Build and the folder of the sitemap of each host, that of the site first.

    `whole` is the Build of all pages, which serves where they are on one host, as nearly always.
    """
    options = whole.options
    hosts: dict[tuple[str, Path], list[Page]] = {(options.base_url, folder): []}
    for page in pages:
        hosts.setdefault(_place(page, options, folder), []).append(page)
    if len(hosts) == 1:
        return [(whole, folder)]
    sitemaps: list[tuple[Build, Path]] = []
    for (base_url, place), group in hosts.items():
        # The ledger and the report are files of the whole site.
        elsewhere = replace(options, base_url=base_url, ledger="", report="")
        build = Build(options if place == folder else elsewhere, history=whole.history)
        for page in group:
            build.add(page)
        sitemaps.append((build, place))
    _name_translations([build for build, _ in sitemaps], hosts.values())
    return sitemaps


def _place(page: Page, options: Options, folder: Path) -> tuple[str, Path]:
    """Return the base URL and the folder of the sitemap that a page belongs to."""
    own = options.base_url, folder
    if page.translation_key is None or page.url.startswith(options.base_url):
        return own
    output = Path(page.output or "")
    if folder not in output.parents:
        return own
    try:
        url = absolute(page.url, options.base_url, encoding=options.url_encoding)
    except UrlError:
        return own
    language, *below = output.relative_to(folder).parts
    if url.startswith(options.base_url) or language != page.lang:
        return own
    return f"{url.rsplit('/', len(below))[0]}/", folder / language


def _name_translations(builds: Iterable[Build], groups: Iterable[Iterable[Page]]) -> None:
    """Let each page name its translations, which are not all in one sitemap."""
    versions: dict[str, dict[str, str]] = defaultdict(dict)
    for page in (page for build in builds for page in build.listed()):
        if page.translation_key and page.lang:
            versions[page.translation_key][page.lang] = page.url
    for page in (page for group in groups for page in group):
        page.alternates = versions.get(page.translation_key or "", {})
        page.translation_key = None
