"""A site in a directory: files stand for a server's answers, and nothing is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit import dates, urls
from sitemapkit_tools.site.base_url import WELL_KNOWN
from sitemapkit_tools.site.scan import Classifier
from sitemapkit_tools.site.snapshot import (
    Survey,
    UnreadableError,
    View,
    listed_in,
    normal,
)
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.read import MAX_FILE
from sitemapkit_tools.sitemaps.robots import MAX_ROBOTS, Robots

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.site.output_dir import Tree
    from sitemapkit_tools.site.read_pages import Look


class DirectorySource:
    """Files below a tree, by the URLs that they are served under."""

    def __init__(self, tree: Tree) -> None:
        """Serve the files of `tree`."""
        self._tree = tree

    def read(self, url: str) -> bytes:
        """Return the file behind the URL. Raises UnreadableError."""
        answer = self._tree.answer(url)
        if answer is None or answer.way not in ("itself", "index"):
            raise UnreadableError("There is no such file.", missing=True)
        try:
            with self._tree.path(answer.file).open("rb") as stream:
                return stream.read(MAX_FILE + 1)
        except OSError as error:
            raise UnreadableError(f"{error.strerror}.") from error

    def place(self, url: str) -> str:
        """Return the path below the root that the URL names."""
        base = self._tree.base_url
        return urls.below(base, url) if url.startswith(base) else url


def survey_directory(
    tree: Tree, looked: Sequence[Look], *, sitemaps: Sequence[str] = (), agent: str = "Googlebot"
) -> Survey:
    """Return what is known of the site, given what was read of its HTML files.

    `sitemaps` are paths below the root; without any, robots.txt and well-known names tell.
    """
    at_root = urlsplit(tree.base_url).path == "/"
    robots = _robots(tree) if at_root else None
    named = [tree.url_of(name) for name in sitemaps] or _named(tree, robots)
    documents = collect(named, DirectorySource(tree))
    listed = listed_in(documents)
    return Survey(
        base_url=tree.base_url,
        documents=documents,
        now=dates.now(),
        listed=listed,
        robots=robots,
        robots_place="robots.txt" if at_root else "",
        views=_views({each.url for each in listed}, tree, looked),
        exists=lambda url: _exists(url, tree),
        agent=agent,
    )


def _robots(tree: Tree) -> Robots | None:
    if "robots.txt" not in tree.files:
        return None
    with tree.path("robots.txt").open("rb") as stream:
        return Robots(stream.read(MAX_ROBOTS))


def _named(tree: Tree, robots: Robots | None) -> list[str]:
    """Return the URLs of the sitemaps; where nothing is found, of the one that should be."""
    lines = robots.sitemaps if robots else []
    by_robots = [url for line in lines if (url := normal(line.value))]
    found = [url for url in by_robots if url.startswith(tree.base_url)]
    for name in WELL_KNOWN:
        plain = tree.base_url + name.replace(".gz", "")
        if name in tree.files and plain not in found:
            found.append(tree.base_url + name)
    return found or [tree.base_url + WELL_KNOWN[0]]


def _views(listed: set[str], tree: Tree, looked: Sequence[Look]) -> Mapping[str, View]:
    by_file = {look.file: look for look in looked}
    classify = Classifier(tree, looked)
    return {
        url: _view(url, tree, by_file, classify) for url in listed if url.startswith(tree.base_url)
    }


def _view(url: str, tree: Tree, by_file: Mapping[str, Look], classify: Classifier) -> View:
    answer = tree.answer(url)
    if answer is None:
        return View(404, detail="No file answers it.")
    if answer.way == "redirect":
        return View(301, answer.file, target=url + "/")
    look = by_file.get(answer.file)
    if look is None:
        return View(place=answer.file)
    if look.error:
        return View(404, answer.file, detail=f"{look.file} cannot be read: {look.error}.")
    generated = classify.kind(look) == "generated"
    return View(place=answer.file, facts=look.facts, generated=generated)


def _exists(url: str, tree: Tree) -> bool | None:
    if not url.startswith(tree.base_url):
        return None
    return tree.answer(url) is not None
