"""A site in a directory: its files stand for the responses of a server, and nothing is fetched."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from sitemapkit import dates, urls
from sitemapkit.layout import is_ours
from sitemapkit_tools.bounds import MAX_FILE, MAX_ROBOTS, Budget
from sitemapkit_tools.hosting import read_host_files
from sitemapkit_tools.hosting.redirects import OK
from sitemapkit_tools.site.judgement import Classifier
from sitemapkit_tools.site.snapshot import SiteSnapshot, UrlStatus
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import UnreadableError, listed_urls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sitemapkit_tools.hosting.redirects import HostRules
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import PageRead
    from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile, UrlElement

WELL_KNOWN = (
    *("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml", "sitemap.txt"),
    *("sitemap.xml.gz", "sitemap_index.xml.gz", "sitemap-index.xml.gz"),
    *("sitemap.txt.gz", "sitemap.txt.xml", "sitemap.txt.gz.xml"),
)
"""Names under which a sitemap is found if nothing names it; the last are those of sitemapkit."""


class DirectorySource:
    """Files of a directory, by the URLs that they are served under."""

    def __init__(self, tree: OutputDir) -> None:
        """Serve the files of `tree`."""
        self._tree = tree

    def file(self, url: str) -> str | None:
        """Return the path of the file behind the URL; None if there is none."""
        route = self._tree.route(url)
        return route.file if route and route.kind in ("exact", "index") else None

    def read(self, url: str) -> bytes:
        """Return the content of that file. Raises UnreadableError."""
        file = self.file(url)
        if file is None:
            raise UnreadableError("There is no such file.", missing=True)
        try:
            return self._tree.read(file, MAX_FILE + 1)
        except OSError as error:
            raise UnreadableError(f"{error.strerror}.") from error

    def location(self, url: str) -> str:
        """Return the path below the root that the URL names."""
        base = self._tree.base_url
        return urls.below(base, url) if url.startswith(base) else url


def entry_file(tree: OutputDir) -> str | None:
    """Return the sitemap to start from if nothing names one: the first under a known name."""
    known = next((name for name in WELL_KNOWN if name in tree.files), None)
    return known or next(filter(partial(_is_of_ours, tree), sorted(tree.files)), None)


def _is_of_ours(tree: OutputDir, name: str) -> bool:
    """Return whether a file at the root is a sitemap of ours, under a name of the user's."""
    return "/" not in name and name.endswith((".xml", ".txt")) and is_ours(tree.root / name)


def nested_sitemaps(tree: OutputDir) -> Iterator[str]:
    """Yield the sitemaps in folders, of languages or versions built one by one; the highest first.

    Of several in one folder it is the first under a known name.
    """
    named = (name.rpartition("/") for name in tree.files)
    folders = {folder for folder, _, name in named if folder and name in WELL_KNOWN}
    for folder in sorted(folders, key=lambda path: (path.count("/"), path)):
        yield next(path for name in WELL_KNOWN if (path := f"{folder}/{name}") in tree.files)


def sitemaps_of(
    tree: OutputDir, entry: str, budget: Budget, known: Mapping[str, UrlElement] | None = None
) -> list[SitemapFile]:
    """Return the sitemap in the file `entry` of a site, and all that it names; see `collect`."""
    return collect([tree.base_url + entry], DirectorySource(tree), budget, known)


def other_sitemaps(tree: OutputDir, own: str) -> list[str]:
    """Return the sitemaps at known places, or named in robots.txt, that are not from us.

    A list of URLs may repeat what a sitemap lists, and an index may name ours.
    """
    routes = map(tree.route, read_robots(tree).sitemap_urls)
    named = [route.file for route in routes if route]
    names = dict.fromkeys([*named, *(name for name in WELL_KNOWN if name in tree.files)])
    packed = {own, f"{own}.gz", own.removesuffix(".gz")}
    others: list[str] = []
    for name in names:
        if name in packed or is_ours(tree.root / name):
            continue
        files = sitemaps_of(tree, name, Budget())
        if files[0].kind != "text" and tree.base_url + own not in [file.url for file in files]:
            others.append(name)
    return others


def read_robots(tree: OutputDir) -> RobotsTxt:
    """Return the robots.txt of a site."""
    name = "robots.txt"
    return RobotsTxt(tree.read(name, MAX_ROBOTS) if name in tree.files else b"")


def directory_snapshot(
    tree: OutputDir,
    reads: Sequence[PageRead],
    budget: Budget,
    *,
    sitemaps: Sequence[str] = (),
) -> SiteSnapshot:
    """Return what is known of a site, given what was read of its HTML files.

    `sitemaps` are paths below the root; without any, robots.txt and well-known names count.
    """
    at_root = urlsplit(tree.base_url).path == "/"
    robots = read_robots(tree) if at_root else RobotsTxt()
    named = [tree.url_of(name) for name in sitemaps]
    source = DirectorySource(tree)
    files = collect(named, source, budget) if named else _find_sitemaps(tree, robots, budget)
    listed = listed_urls(files)
    answer = answers(tree, reads)
    return SiteSnapshot(
        base_url=tree.base_url,
        files=files,
        listed=listed,
        now=dates.now(),
        robots=robots,
        robots_location="robots.txt" if at_root else "",
        answer=answer,
        statuses={url: status for url in {each.url for each in listed} if (status := answer(url))},
    )


def _find_sitemaps(tree: OutputDir, robots: RobotsTxt, budget: Budget) -> list[SitemapFile]:
    """Return the sitemaps of a site; if there are none, the missing one that should be there."""
    source = DirectorySource(tree)
    tops = {name.partition("/")[0] for name in tree.files}
    named: list[str] = []
    for url in robots.sitemap_urls:
        top, slash, _ = url.removeprefix(tree.base_url).partition("/")
        if url.startswith(tree.base_url) and (top in tops or not slash):  # else it is elsewhere
            named.append(url)
    for name in WELL_KNOWN:
        plain = tree.base_url + name.replace(".gz", "")
        if name in tree.files and plain not in named:
            named.append(tree.base_url + name)
    files = collect(named, source, budget)
    if any(file.kind == "index" for file in files):  # which names all that are meant
        return files
    for name in nested_sitemaps(tree):
        new = collect([tree.base_url + name], source, budget)
        if _is_apart(new, files, tree.base_url + name.rpartition("/")[0] + "/"):
            files += new
    return files or collect([tree.base_url + (entry_file(tree) or WELL_KNOWN[0])], source, budget)


def _is_apart(new: Sequence[SitemapFile], known: Sequence[SitemapFile], folder: str) -> bool:
    """Return whether a sitemap lists pages of its own folder, of which no other names any."""
    first = next(iter(new[0].elements), None)
    if first is None or not first.loc.startswith(folder):
        return False
    return not any(each.loc.startswith(folder) for file in known for each in file.elements)


REMEMBERED = 10_000
"""Answers that are remembered; the pages of all versions name those of one."""


def answers(
    tree: OutputDir, reads: Sequence[PageRead], folder: str = ""
) -> Callable[[str], UrlStatus | None]:
    """Return the function that tells what a URL of the site answers, given what was read of it.

    `folder` is where people find the site's root.
    """
    by_file = {read.file: read for read in reads}
    classify = Classifier(tree, reads)
    host = read_host_files(tree.root, tree.base_url)

    @lru_cache(REMEMBERED)
    def answer(url: str) -> UrlStatus | None:
        below = url.startswith(tree.base_url)
        status = _status(url, tree, by_file, classify, host.rules) if below else None
        if status and (forbids := host.headers.noindex(url)):
            status = replace(status, noindex=True, detail=status.detail or forbids)
        return replace(status, location=folder + status.location) if status and folder else status

    return answer


def _status(
    url: str,
    tree: OutputDir,
    by_file: Mapping[str, PageRead],
    classify: Classifier,
    rules: HostRules,
) -> UrlStatus:
    route = tree.route(url)
    rule = rules.answer(url, has_file=route is not None)
    if rule and rule.target and rule.code == OK:  # the host sends another page in its place
        route = tree.route(rule.target)
    elif rule:
        return UrlStatus(rule.code, rule.place, target=rule.target, detail=rule.detail)
    if route is None:
        return UrlStatus(404, detail="No file answers it.")
    if route.kind == "redirect":
        return UrlStatus(301, route.file, target=url + "/")
    read = by_file.get(route.file)
    if read is None:
        return UrlStatus(location=route.file)
    if read.error:
        return UrlStatus(404, route.file, detail=f"{read.file} cannot be read: {read.error}.")
    generated = classify.kind(read) == "generated"
    return UrlStatus(location=route.file, facts=read.facts, generated=generated)
