"""The base URL of a site in a directory, as the site itself tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit.errors import SitemapError
from sitemapkit_tools.site.facts import read_facts
from sitemapkit_tools.site.snapshot import normal
from sitemapkit_tools.sitemaps.read import MAX_FILE, read_sitemap
from sitemapkit_tools.sitemaps.robots import MAX_ROBOTS, Robots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit_tools.site.output_dir import Tree
    from sitemapkit_tools.sitemaps.sitemap_file import Sitemap

WELL_KNOWN = (
    *("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml", "sitemap.txt"),
    *("sitemap.xml.gz", "sitemap_index.xml.gz", "sitemap-index.xml.gz"),
    *("sitemap.txt.gz", "sitemap.txt.xml", "sitemap.txt.gz.xml"),
)
"""Names under which a sitemap is found where nothing names it; the last are those of ours."""

_ASKED = 200
"""URLs of the sitemap that are tried."""


def entry_file(tree: Tree) -> str | None:
    """Return the sitemap to start from where nothing names one: the first under a known name."""
    return next((name for name in WELL_KNOWN if name in tree.files), None)


def find_base(tree: Tree) -> str:
    """Return the base URL of a site that does not say it on the command line.

    Raises SitemapError if nothing tells.
    """
    if base := stated_base(tree):
        return base
    raise SitemapError(f"{tree.root}: nothing in it tells its address; give it by --base-url")


def stated_base(tree: Tree) -> str:
    """Return the base URL that a site tells of itself, or nothing.

    The host is the one of the home page's canonical link, or of a sitemap that robots.txt names, or
    of the URLs in the sitemap; the path is the one that turns those URLs into files.
    """
    locs = _sample(tree)
    hints = [hint for hint in (_canonical(tree), *_robots(tree), *locs[:1]) if hint]
    if not hints:
        return ""
    first = urlsplit(hints[0])
    hinted = first.path.rpartition("/")[0] + "/"
    path = _path(tree, [urlsplit(loc).path for loc in locs], hinted) or hinted
    return f"{first.scheme}://{first.netloc}{path}"


def _sample(tree: Tree) -> Sequence[str]:
    """Return some URLs of the sitemap, or of the sitemaps that an index names."""
    name = entry_file(tree)
    listings = _read(tree, name).listings if name else []
    return [url for each in listings[:_ASKED] if (url := normal(each.loc))]


def _read(tree: Tree, name: str) -> Sitemap:
    with tree.path(name).open("rb") as stream:
        return read_sitemap(stream.read(MAX_FILE + 1))


def _canonical(tree: Tree) -> str | None:
    if "index.html" not in tree.files:
        return None
    return normal(read_facts(tree.path("index.html")).head.canonical or "")


def _robots(tree: Tree) -> Iterator[str]:
    if "robots.txt" in tree.files:
        with tree.path("robots.txt").open("rb") as stream:
            for line in Robots(stream.read(MAX_ROBOTS)).sitemaps:
                if url := normal(line.value):
                    yield url


def _path(tree: Tree, paths: Sequence[str], hinted: str) -> str | None:
    """Return the path under which most of `paths` lead to a file; among equals the hinted one."""
    hits: dict[str, int] = {}
    shortest = min(paths, key=len, default="")
    for end in (place for place, letter in enumerate(shortest, 1) if letter == "/"):
        served = tree.served_at(shortest[:end])
        hits[shortest[:end]] = sum(served.answer(path) is not None for path in paths)
    best = max(hits, key=lambda path: (hits[path], path == hinted, -len(path)), default=None)
    return best if best and hits[best] else None
