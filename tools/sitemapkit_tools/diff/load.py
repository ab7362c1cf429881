"""The sitemap at a file, in a directory or on the Web, as the set of pages that it lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemapkit.errors import SitemapError
from sitemapkit_tools.site.base_url import WELL_KNOWN, entry_file, stated_base
from sitemapkit_tools.site.directory import DirectorySource
from sitemapkit_tools.site.output_dir import Tree
from sitemapkit_tools.site.snapshot import UnreadableError, listed_in
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.read import MAX_FILE
from sitemapkit_tools.web.online_site import LiveCheck, LiveSettings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitemapkit_tools.site.snapshot import Document
    from sitemapkit_tools.sitemaps.sitemap_file import Listing
    from sitemapkit_tools.web.client import Client


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the sitemaps at one place list."""

    name: str
    """The place, as it was given."""

    listings: Mapping[str, Listing] = field(default_factory=dict[str, "Listing"])
    """Each page once, by its URL in normal form."""

    tree: Tree | None = None
    """The directory, if it was one."""


def load_path(path: Path, *, base_url: str = "") -> Loaded:
    """Load the sitemap in a directory, or in a file with its children beside it.

    Raises SitemapError if a part of it cannot be read: a comparison with half a sitemap lies.
    """
    if path.is_dir():
        return _load_tree(Tree(path), str(path), base_url)
    documents = collect([path.name], _BesideSource(path.parent))
    return loaded(str(path), documents)


def loaded(name: str, documents: Sequence[Document], tree: Tree | None = None) -> Loaded:
    """Return what the documents list. Raises SitemapError if one of them could not be read."""
    for document in documents:
        if document.error:
            raise SitemapError(f"{name}: {document.place} cannot be read: {document.error}")
        if document.sitemap and not document.sitemap.whole:
            flaw = document.sitemap.flaws[-1]
            raise SitemapError(f"{name}: {document.place} cannot be read whole: {flaw.detail}")
    listings = {each.url: each.listing for each in reversed(listed_in(documents))}
    return Loaded(name, dict(sorted(listings.items())), tree)


def _load_tree(tree: Tree, name: str, base_url: str) -> Loaded:
    entry = entry_file(tree)
    if not entry:
        known = ", ".join(WELL_KNOWN)
        raise SitemapError(f"{name} has no sitemap under a known name ({known}); name the file")
    tree = tree.served_at(base_url or stated_base(tree))
    return loaded(name, documents_in(tree, entry), tree)


def documents_in(tree: Tree, entry: str) -> list[Document]:
    """Return the sitemap in the file `entry` of a site, and all that it names."""
    return collect([tree.base_url + entry], DirectorySource(tree))


def load_url(url: str, client: Client) -> Loaded:
    """Load the sitemap at a URL, or of the site at that URL; only its own host is asked.

    Raises SitemapError if a part of it cannot be read, and UrlError if it is no URL.
    """
    return loaded(url, LiveCheck(url, client, LiveSettings()).documents)


class _BesideSource:
    """Files of one folder, whatever URLs an index gives them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, url: str) -> bytes:
        """Return the file of that name. Raises UnreadableError."""
        try:
            with (self._folder / self.place(url)).open("rb") as stream:
                return stream.read(MAX_FILE + 1)
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            raise UnreadableError(f"{error.strerror}", missing=missing) from error

    def place(self, url: str) -> str:
        """Return the name of the file."""
        return url.rpartition("/")[2]
