"""Languages on hosts of their own: static-i18n gives each language a `site_url` if one wants.

All of them are written into one folder, each language but the first into a folder in it; so each
host has a sitemap of its own there, and the translations are named across the hosts.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit import Report, UrlError
from sitemapkit.select import select
from sitemapkit.urls import absolute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapkit import Options, Page


def by_host(
    pages: Iterable[Page], options: Options, folder: Path
) -> Iterator[tuple[list[Page], Options, Path]]:
    """Yield the pages, options and folder of the sitemap of each host, that of the site first."""
    hosts: dict[tuple[str, Path], list[Page]] = {(options.base_url, folder): []}
    for page in pages:
        hosts.setdefault(_place(page, options, folder), []).append(page)
    # The ledger and the report are files of the whole site.
    sitemaps = [
        (group, options if place == folder else _elsewhere(options, base_url), place)
        for (base_url, place), group in hosts.items()
    ]
    if len(sitemaps) > 1:
        _name_translations(sitemaps)
    yield from sitemaps


def _elsewhere(options: Options, base_url: str) -> Options:
    return replace(options, base_url=base_url, ledger="", report="")


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


def _name_translations(sitemaps: Iterable[tuple[list[Page], Options, Path]]) -> None:
    """Let each page name its translations, which are not all in one sitemap."""
    versions: dict[str, dict[str, str]] = defaultdict(dict)
    for group, options, _ in sitemaps:
        for page in (found.page for found in select(group, options, Report())):
            if page.translation_key and page.lang:
                versions[page.translation_key][page.lang] = page.url
    for page in (page for group, *_ in sitemaps for page in group):
        page.alternates = versions.get(page.translation_key or "", {})
        page.translation_key = None
