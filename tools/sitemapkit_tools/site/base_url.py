"""The base URL of a site in a directory, found in the site itself."""

from __future__ import annotations

from collections import Counter
from os.path import commonprefix
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from sitemapkit.errors import SitemapError
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_HEADERS
from sitemapkit_tools.site.directory import entry_file, nested_sitemaps, read_robots
from sitemapkit_tools.site.facts import read_facts
from sitemapkit_tools.site.output_dir import WHICH_FOLDER, OutputDir
from sitemapkit_tools.sitemaps.read import read_sitemap
from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


_SAMPLE = 200
"""URLs of the sitemap that are tried."""

_SAMPLE_MEMORY = 128 * 1024
_SAMPLE_SIZE = 1_048_576
"""Bytes that are read for them."""

_FEW_PAGES = 50
"""Pages whose canonical links are read, if the home page has none."""


def find_base(tree: OutputDir, setting: Callable[[], str] | None = None) -> str:
    """Return the base URL of a site that was given none.

    Only where the site states none is the `setting` of its generator asked for: a URL, or a path on
    the host in the site's file CNAME. The address of a server on this machine counts only if the
    generator is not known: some write it into every site.

    Raises SitemapError if nothing states it.
    """
    stated = stated_base(tree)
    if stated and (setting is None or not is_local(stated)):
        return stated
    cname = _cname(tree)
    host = f"https://{cname}/" if cname else ""
    asked = setting() if setting else ""
    known = normalize_or_none(urljoin(host, asked))
    if known and not is_local(known):
        return known if known.endswith("/") else f"{known}/"
    if not tree.pages():
        raise SitemapError(f"{tree.root} has no HTML file: {WHICH_FOLDER}")
    raise SitemapError(
        f"{tree.root}: no file states the URL that the site is served at; give it with --base-url,"
        " as in --base-url https://example.org/"
    )


def _cname(tree: OutputDir) -> str:
    """Return the host in the file CNAME, which GitHub Pages reads."""
    if "CNAME" not in tree.files:
        return ""
    return tree.read("CNAME", MAX_HEADERS).decode("utf-8", "replace").strip()


def is_local(url: str) -> bool:
    """Return whether a URL is of the machine that made the site, as generators' servers are."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "0.0.0.0", "::1") or host.startswith("127.")  # noqa: S104


def stated_base(tree: OutputDir) -> str:
    """Return the base URL that a site states, or "".

    The host is the one of the home page's canonical link, or of a sitemap that robots.txt names, or
    of other pages' canonical links, or of most URLs in the sitemap; the path is the one that turns
    those URLs into files. One that names the machine that made the site counts only if there is no
    other.
    """
    locs = _sample(tree)
    home = _canonical(tree)
    hints = [home] if home else []
    majority = [*_majority(locs)]
    named = read_robots(tree).sitemap_urls  # which may be sitemaps of several hosts
    hints += sorted(named, key=lambda url: origin_of(url) not in map(origin_of, majority))
    if not home:
        hints += _by_canonicals(tree)
    hints += majority
    if not hints:
        return ""
    public = [each for each in hints if not is_local(each)]
    hint = (public or hints)[0]
    hinted = urlsplit(hint).path.rpartition("/")[0] + "/"
    return origin_of(hint) + _path(tree, [urlsplit(loc).path for loc in locs], hinted)


def origin_of(url: str) -> str:
    """Return the scheme, host and port of a URL in normal form (RFC 6454)."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def common_folder(urls: Sequence[str]) -> str:
    """Return the folder that all URLs are in."""
    return commonprefix(urls).rpartition("/")[0] + "/"  # noqa: RUF071 - URLs, cut at /


def _majority(locs: Sequence[str]) -> Iterator[str]:
    """Yield the folder of the URLs on the host of most; of one page it is not known which."""
    for origin, count in Counter(map(origin_of, locs)).most_common(1):
        own = [loc for loc in locs if origin_of(loc) == origin]
        yield common_folder(own) if count > 1 else f"{origin}/"


def _sample(tree: OutputDir) -> Sequence[str]:
    """Return some URLs of the sitemap, or of the sitemaps that an index names."""
    name = _first_sitemap(tree)
    file = SitemapFile(room=_SAMPLE_MEMORY)
    if name:
        read_sitemap(tree.read(name, _SAMPLE_SIZE), file)
    found: list[str] = []
    for each in file.elements[:_SAMPLE]:
        if url := normalize_or_none(each.loc):
            found.append(url)
    return found


def _first_sitemap(tree: OutputDir) -> str:
    """Return the sitemap to start from, or else the highest in a folder; "" if there is none."""
    return entry_file(tree) or next(nested_sitemaps(tree), "")


def _canonical(tree: OutputDir, page: str = "index.html") -> str | None:
    """Return the canonical URL that a page states, unless it is a redirect."""
    if page not in tree.files:
        return None
    head = read_facts(tree.path(page)).head
    return None if head.refresh else normalize_or_none(head.canonical or "")


def _by_canonicals(tree: OutputDir) -> Iterator[str]:
    """Yield the URL below which most of the highest pages state to be.

    A page that names another one as canonical, as in an old version, says nothing of its own place.
    """
    paths = tree.served_at("")
    highest = sorted(tree.pages(), key=lambda file: (file.count("/"), file))
    bases = Counter[str]()
    for file in highest[:_FEW_PAGES]:
        own, url = paths.url_of(file), _canonical(tree, file) or ""
        if url.endswith(f"/{own}"):
            bases[url.removesuffix(own)] += 1
    for url, _ in bases.most_common(1):
        yield url


def _path(tree: OutputDir, paths: Sequence[str], hinted: str) -> str:
    """Return the path under which most of `paths` lead to a file; among equals the hinted one.

    No index names itself, and a sitemap in a folder lists the files in that.
    """
    entry = _first_sitemap(tree)
    folder = entry.rpartition("/")[0]
    best, most = hinted, 0
    shortest = min(paths, key=len, default="")
    for end, letter in enumerate(shortest, 1):
        if letter != "/":
            continue
        base = shortest[:end]
        served = tree.served_at(base)
        hits = 0
        for path in paths:
            route = served.route(path)
            if route and route.file != entry and route.file.startswith(folder):
                hits += 1
        if hits > most or (hits == most and hits and base == hinted):
            best, most = base, hits
    return best
