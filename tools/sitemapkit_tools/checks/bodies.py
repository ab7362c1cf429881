"""Rules about what the pages of a site show and link to, which only the whole site can answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.rules import and_more
from sitemapkit.urls import resolve_or_none
from sitemapkit_tools.issues import issue
from sitemapkit_tools.site.canonical import redirect_of
from sitemapkit_tools.site.known_hosts import known_host, served_at
from sitemapkit_tools.site.links import SEVERAL, Links, named_in_scripts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import PageRead
    from sitemapkit_tools.site.snapshot import SiteSnapshot
    from sitemapkit_tools.site.versions import Versions


def check_bodies(
    reads: Sequence[PageRead],
    links: Links,
    indexable: Mapping[str, str],
    site: SiteSnapshot,
    versions: Versions,
) -> Iterator[Issue]:
    """Check that no two pages are the same, that each listed page is linked, and where links lead.

    `indexable` has the files of the pages that may be listed, with their URLs.
    """
    allowed = {file: url for file, url in indexable.items() if site.robots.allows(url)}
    yield from _copies(reads, allowed, versions)
    yield from _not_linked(links, allowed, site)
    yield from _to_redirects(links, reads, site)


def _copies(
    reads: Sequence[PageRead], urls: Mapping[str, str], versions: Versions
) -> Iterator[Issue]:
    """Pages without a canonical link; copies in other versions break a rule of their own."""
    same: dict[tuple[bytes, str], list[str]] = {}
    for read in reads:
        if read.body and read.file in urls:
            same.setdefault((read.body, versions.folder_of(read.file)), []).append(read.file)
    for first, *others in same.values():
        if others:
            detail = f"{urls[others[0]]} shows the same. {and_more(len(others))}".rstrip()
            yield issue("same-content", urls[first], detail, first)


def _not_linked(links: Links, urls: Mapping[str, str], site: SiteSnapshot) -> Iterator[Issue]:
    """Listed pages; where most pages are not linked, the menu is made by a script.

    The first page of a build in a folder is reached from outside, or by a script that lists builds.
    """
    listed = {status.location for status in site.statuses.values()} & urls.keys()
    alone = listed - links.targets
    if len(alone) * 2 > len(listed):
        return
    alone = {file for file in alone if not _is_first(file, links.tree)}
    alone -= named_in_scripts(links.tree, {file: urls[file] for file in alone})
    for file in sorted(alone):
        yield issue("not-linked", urls[file], f"It is {file}.", file)


def _to_redirects(links: Links, reads: Sequence[PageRead], site: SiteSnapshot) -> Iterator[Issue]:
    """Links to pages that only lead on, or that the host, if it is known, has elsewhere.

    Themes link the home page, and its author cannot change that; where stubs and canonical links
    lead has rules of its own.
    """
    stubs: set[str] = set()
    told = {site.base_url}
    for read in reads:
        if read.facts.head.refresh:
            stubs.add(read.file)
        canonical = resolve_or_none(read.facts.head.canonical, links.tree.url_of(read.file))
        told.add(canonical or "")
    host = known_host(site.base_url)
    found: list[str] = []
    for url, page in sorted(links.urls.items()):
        status, route = site.answer(url), links.tree.route(url)
        target = None
        if status and not (route and route.kind == "redirect"):  # so do some hosts
            target = redirect_of(url, status)
        if host and route:
            target = target or served_at(url, route.kind, host)
        if target and target != url and not (page in stubs or url in told):
            from_where = page if page != SEVERAL else "several pages"
            found.append(f"from {from_where} to {url}, which leads to {target}")
    if found:
        detail = "; ".join(found[:_MOST_NAMED])
        more = and_more(len(found) - _MOST_NAMED + 1)
        detail = f"{detail[0].upper()}{detail[1:]}. {more}".rstrip()
        yield issue("link-redirects", site.base_url, detail, site.base_url)


_MOST_NAMED = 5


def _is_first(file: str, tree: OutputDir) -> bool:
    folder, slash, name = file.rpartition("/")
    is_build = not {f"{folder}/sitemap.xml", f"{folder}/searchindex.js"}.isdisjoint(tree.files)
    return name.startswith("index.") and (not slash or is_build)
