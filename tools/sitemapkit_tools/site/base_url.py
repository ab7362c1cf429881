"""The base URL of a site in a directory, found in the site itself."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from sitemapkit.errors import SitemapError
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_FILE, MAX_HEADERS
from sitemapkit_tools.site.directory import entry_file, nested_sitemaps, read_robots
from sitemapkit_tools.site.facts import read_facts
from sitemapkit_tools.site.output_dir import WHICH_FOLDER
from sitemapkit_tools.sitemaps.read import read_sitemap
from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit_tools.site.output_dir import OutputDir

_SAMPLE = 200
"""URLs of the sitemap that are tried."""

_SAMPLE_MEMORY = 128 * 1024
_SAMPLE_SIZE = 1_048_576
"""Bytes that are read for them."""


class _EnoughError(Exception):
    """Ends the reading of a sitemap."""


def find_base(tree: OutputDir, setting: str | None = None) -> str:
    """Return the base URL of a site that was given none.

    After what the site states counts `setting`, that of its generator: a URL, or a path on the
    host in the site's file CNAME. The address of a server on this machine counts only if the
    generator is not known: some write it into every site.

    Raises SitemapError if nothing states it.
    """
    stated = stated_base(tree)
    host = f"https://{cname}/" if (cname := _cname(tree)) else ""
    url = normalize_or_none(urljoin(host, setting or ""))
    known = "" if not url or is_local(url) else url if url.endswith("/") else f"{url}/"
    if known and stated.startswith(known) and not _canonical(tree):
        return known  # a sitemap with few pages states a folder of the site
    if stated and (setting is None or not is_local(stated)):
        return stated
    if known:
        return known
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
    of the URLs in the sitemap; the path is the one that turns those URLs into files. One that names
    the machine that made the site counts only if there is no other.
    """
    locs = _sample(tree)
    hints = [*filter(None, (_canonical(tree), *read_robots(tree).sitemap_urls, *locs[:1]))]
    hint = next((hint for hint in hints if not is_local(hint)), next(iter(hints), None))
    if not hint:
        return ""
    first = urlsplit(hint)
    hinted = first.path.rpartition("/")[0] + "/"
    path = _path(tree, [urlsplit(loc).path for loc in locs], hinted) or hinted
    return f"{first.scheme}://{first.netloc}{path}"


def _sample(tree: OutputDir) -> Sequence[str]:
    """Return some URLs of the sitemap, or of the sitemaps that an index names."""
    name = entry_file(tree) or next(nested_sitemaps(tree), None)
    file = SitemapFile(room=_SAMPLE_MEMORY)

    def stop_early() -> None:
        if file.size > _SAMPLE_SIZE:
            raise _EnoughError

    if name:
        with suppress(_EnoughError):
            read_sitemap(tree.read(name, MAX_FILE + 1), file, stop_early)
    return [url for each in file.elements[:_SAMPLE] if (url := normalize_or_none(each.loc))]


def _canonical(tree: OutputDir) -> str | None:
    if "index.html" not in tree.files:
        return None
    return normalize_or_none(read_facts(tree.path("index.html")).head.canonical or "")


def _path(tree: OutputDir, paths: Sequence[str], hinted: str) -> str | None:
    """Return the path under which most of `paths` lead to a file; among equals the hinted one."""
    hits: dict[str, int] = {}
    shortest = min(paths, key=len, default="")
    for end in (place for place, letter in enumerate(shortest, 1) if letter == "/"):
        served = tree.served_at(shortest[:end])
        hits[shortest[:end]] = sum(served.route(path) is not None for path in paths)
    best = max(hits, key=lambda path: (hits[path], path == hinted, -len(path)), default=None)
    return best if best and hits[best] else None
