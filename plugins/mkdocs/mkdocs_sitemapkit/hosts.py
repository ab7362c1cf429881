"""Languages on hosts of their own: static-i18n gives each language a `site_url` if one wants.

All of them are written into one folder, each language but the first into a folder in it; so each
host has a sitemap of its own there, and the translations are named across the hosts.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapkit import Options, Page


def by_host(
    pages: Iterable[Page], options: Options, folder: Path
) -> Iterator[tuple[list[Page], Options, Path]]:
    """Yield the pages, options and folder of the sitemap of each host, that of the site first."""
    hosts: dict[tuple[str, Path], list[Page]] = {(options.base_url, folder): []}
    for page in pages:
        hosts.setdefault(_place(page, options.base_url, folder), []).append(page)
    if len(hosts) > 1:
        _name_translations([page for group in hosts.values() for page in group])
    for (base_url, place), group in hosts.items():
        # The ledger and the report are files of the whole site.
        own = {} if place == folder else {"base_url": base_url, "ledger": "", "report": ""}
        yield group, replace(options, **own), place


def _place(page: Page, base_url: str, folder: Path) -> tuple[str, Path]:
    """Return the base URL and the folder of the sitemap that a page belongs to."""
    if "://" not in page.url or page.url.startswith(base_url):
        return base_url, folder
    output = Path(page.output or "")
    if folder not in output.parents:
        return base_url, folder
    language = output.relative_to(folder).parts[0]
    host, found, _ = page.url.partition(f"/{language}/")
    return (f"{host}{found}", folder / language) if found else (base_url, folder)


def _name_translations(pages: list[Page]) -> None:
    """Let each page name its translations, which are not all in one sitemap."""
    versions: dict[str, dict[str, str]] = defaultdict(dict)
    for page in pages:
        if page.translation_key and page.lang and not page.withheld:
            versions[page.translation_key][page.lang] = page.url
    for page in pages:
        page.alternates = versions.get(page.translation_key or "", {})
        page.translation_key = None
