"""The titles of the pages that changed, where a site is a directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit_tools.site.read_pages import no_progress, read_pages
from sitemapkit_tools.site.titles import own_titles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit_tools.diff.compare import UrlChange
    from sitemapkit_tools.diff.load import LoadedSite
    from sitemapkit_tools.site.read_pages import OnProgress

_HOME = "index.html"


def titled(
    changes: Sequence[UrlChange],
    old: LoadedSite,
    new: LoadedSite,
    *,
    on_progress: OnProgress = no_progress,
) -> list[UrlChange]:
    """Return the changes with the titles that their pages have now, or else had."""
    now = {each.url: each.moved_to or each.now_at or each.url for each in changes}
    after = _titles(new, now.values(), on_progress)
    before = _titles(old, [url for url, at in now.items() if at not in after], on_progress)
    return [
        replace(each, title=after.get(now[each.url]) or before.get(each.url, ""))
        for each in changes
    ]


def _titles(site: LoadedSite, urls: Iterable[str], on_progress: OnProgress) -> Mapping[str, str]:
    """Return the titles of pages without the name of the site, by URL."""
    if site.tree is None:
        return {}
    routes = {url: route.file for url in urls if (route := site.tree.route(url))}
    files = sorted({*routes.values(), _HOME} & site.tree.files)
    reads = read_pages(site.tree, files, on_progress=on_progress)
    titles = own_titles({read.file: read.facts.title for read in reads})
    return {url: titles[file] for url, file in routes.items() if titles[file]}
