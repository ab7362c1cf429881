"""Rules that only the files of a site can answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import structs

from sitemapkit import Page
from sitemapkit.advice.addresses import repository_base_url
from sitemapkit.advice.after_selection import unmatched_pattern
from sitemapkit.options import Options
from sitemapkit.rules import and_more
from sitemapkit.selection import Selected, Selection
from sitemapkit.urls import is_local_host, resolve_or_none
from sitemapkit_tools.bounds import MAX_FILE
from sitemapkit_tools.issues import as_note, issue
from sitemapkit_tools.site.known_hosts import other_spellings, unread_settings
from sitemapkit_tools.sitemaps.read import gunzip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.explain import BuildReport
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import PageRead
    from sitemapkit_tools.site.snapshot import SiteSnapshot


def check_directory(tree: OutputDir, site: SiteSnapshot) -> Iterator[Issue]:
    """Check packed copies of the sitemaps, the site's host, and a robots.txt that nobody reads."""
    for file in site.files:
        packed = f"{file.location}.gz"
        if file.location in tree.files and packed in tree.files:
            yield from _packed_copy(tree, packed)
    yield from _local_urls(site)
    listed = (each.url for each in site.listed)
    if spelled := other_spellings(listed, tree):
        yield issue("host-spelling", *spelled, spelled[0])
    if unread := unread_settings((tree.root, Path())):
        yield issue("host-settings", *unread, unread[0])
    for found in repository_base_url(Options(base_url=site.base_url)):
        yield structs.replace(found, where=site.base_url, file=site.base_url)
    if "robots.txt" in tree.files and urlsplit(tree.base_url).path != "/":
        detail = f"The root of the host is above {tree.base_url}"
        yield issue("robots-not-at-root", "robots.txt", detail, "robots.txt")


def check_unread(tree: OutputDir, reads: Sequence[PageRead], site: SiteSnapshot) -> Iterator[Issue]:
    """Say which pages cannot be read: a build refuses them; of listed ones it is said elsewhere."""
    for read in reads:
        if read.error and (url := tree.url_of(read.file)) not in site.statuses:
            detail = f"{read.file} cannot be read: {read.error}."
            yield issue("not-checked", url, detail, read.file)


def _local_urls(site: SiteSnapshot) -> Iterator[Issue]:
    """Check whether others can reach the site's host; URLs on another break a rule of their own."""
    if is_local_host(urlsplit(site.base_url).hostname or ""):
        own = [listed for listed in site.listed if listed.url.startswith(site.base_url)]
        for first in own[:1]:
            yield first.issue("local-url", and_more(len(own)))


def _packed_copy(tree: OutputDir, packed: str) -> Iterator[Issue]:
    try:
        gunzip(tree.read(packed, MAX_FILE + 1), MAX_FILE)
    except ValueError as error:
        yield issue("gzip-broken", packed, f"{str(error).capitalize()}.", packed)


def unmatched_patterns(tree: OutputDir, selected: Selected, options: Options) -> Iterator[Issue]:
    """Check that each pattern that is given matches a page."""
    for each in unmatched_pattern(selected, options):
        yield structs.replace(each, file=tree.base_url)


def check_selection(
    tree: OutputDir,
    selected: Selected,
    site: SiteSnapshot,
    build: BuildReport | None,
    *,
    by_plugin: bool,
) -> Iterator[Issue]:
    """Check that every page that should be found is listed, and nothing else is.

    What a report names is on purpose, and where a plugin selected nothing is said beyond its
    report. What any sitemap of ours lists was chosen by a build that knew more than the files say:
    a difference is a note.
    """
    if by_plugin and not build:
        return
    milder = as_note if any(file.is_ours for file in site.files) else _unchanged
    deliberate = {*build.listed, *build.excluded} if build else set[str]()
    indexable = {url: file for file, url in indexable_pages(tree, selected).items()}
    reached = {route.file for url in deliberate if (route := tree.route(url))}
    for listed in site.listed:
        status = site.statuses.get(listed.url)
        if not status:
            continue
        reached.add(status.location)
        if status.generated and not (listed.url in indexable or listed.url in deliberate):
            yield milder(listed.issue("generated-page", f"It is {status.location}."))
    if not site.complete:  # then the pages of what could not be read would seem to be missing
        return
    for url, file in indexable.items():
        if file in reached or url in deliberate or not site.robots.allows(url):
            continue
        if by_plugin and build and not url.startswith(build.base_url):
            continue  # it is of another build, whose report is not at hand
        yield milder(issue("not-listed", url, f"It is {file}.", file))


def _unchanged(found: Issue) -> Issue:
    return found


def select_pages(pages: Sequence[Page], site: SiteSnapshot, options: Options) -> Selected:
    """Return which pages a build would list; patterns may also be about other files, as PDF."""
    selection = Selection(options)
    files = (url for url, status in site.statuses.items() if status.location and not status.facts)
    others = [Page(url, kind="static") for url in files]
    return selection.select([selection.judge(page) for page in (*others, *pages)])


def indexable_pages(tree: OutputDir, selected: Selected) -> Mapping[str, str]:
    """Return the files of the pages that a build would list, with their URLs."""
    found: dict[str, str] = {}
    for page in (candidate.page for candidate in selected.listed):
        head, file = page.head, page.output
        own = not (head and head.canonical) or resolve_or_none(head.canonical, page.url) == page.url
        if own and file:  # a build also lists a page whose canonical page is missing
            found[tree.file(file)] = page.url
    return found
