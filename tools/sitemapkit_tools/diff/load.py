"""The pages that the sitemap in a file, in a directory or online lists."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit_tools.diff.reading import SiteReading
from sitemapkit_tools.site.alone import Beside, files_beside
from sitemapkit_tools.site.base_url import common_folder, stated_base
from sitemapkit_tools.site.directory import WELL_KNOWN, DirectorySource, entry_file, sitemaps_of
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sitemaps.collect import elements_by_url, refuse_too_many
from sitemapkit_tools.sitemaps.first_deploy import NothingYetError, what_was_before
from sitemapkit_tools.sitemaps.sitemap_file import listed_urls
from textdates.bounds import is_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.sitemaps.sitemap_file import ListedUrl, SitemapFile, UrlElement
    from sitemapkit_tools.web.client import Client


@dataclass(frozen=True, slots=True)
class LoadedSite:
    """What the sitemaps of one site list."""

    name: str
    """The file, directory or URL, as it was given."""

    elements: Mapping[str, UrlElement]
    """Each page once, by its URL in normal form."""

    tree: OutputDir | None = None
    """The directory, if it is one."""

    reading: SiteReading | None = None
    """What is read of its pages, if it is a directory."""

    files: Sequence[SitemapFile] = ()
    """The files that list them."""

    base_url: str = ""
    """The URL of the site's root, as far as that is known."""

    @property
    def listed(self) -> Sequence[ListedUrl]:
        """The same pages, with the files that list them; a million takes 100 MiB."""
        return listed_urls(self.files)


def load_site(place: str, budget: Budget, like: LoadedSite | None = None) -> LoadedSite:
    """Load the sitemap in a file, with its children beside it, in a directory, or at a URL.

    What it has in common with the one that it is `like` takes no more memory.

    Raises SitemapError if a part of it cannot be read: half a sitemap cannot be compared.
    """
    if "://" not in place:
        return _load_path(Path(place), budget, like.elements if like else None)
    from sitemapkit_tools.web.client import Client  # noqa: PLC0415 - 30 ms

    client = Client(budget=budget)
    try:
        return _load_url(place, client)
    finally:
        client.close()


def load_old(place: str, budget: Budget, *, is_first: bool) -> LoadedSite:
    """Load the sitemap of the last deploy; it may be missing if this is the first one.

    Raises SitemapError as `load_site` does.
    """
    site = LoadedSite(place, {})
    with what_was_before(is_first=is_first):
        site = load_site(place, budget)
    return site  # noqa: RET504 - it may be the empty one


def _load_path(path: Path, budget: Budget, known: Mapping[str, UrlElement] | None) -> LoadedSite:
    if is_folder(path):
        return _load_directory(OutputDir.walk(path), budget, known)
    refuse_too_many([(path.name, Beside(path))], budget)
    files = files_beside(path, budget, known)
    elements = elements_by_url(str(path), files)
    base_url = common_folder([*elements])
    return LoadedSite(str(path), elements, files=files, base_url=base_url)


def _load_directory(
    tree: OutputDir, budget: Budget, known: Mapping[str, UrlElement] | None
) -> LoadedSite:
    name, entry = str(tree.root), entry_file(tree)
    if not entry:
        names = ", ".join(WELL_KNOWN)
        raise NothingYetError(f"{name} has no sitemap under a known name ({names}); name the file")
    tree = tree.served_at(stated_base(tree))
    refuse_too_many([(tree.base_url + entry, DirectorySource(tree))], budget)
    files = sitemaps_of(tree, entry, budget, known)
    elements = elements_by_url(name, files)
    return LoadedSite(name, elements, tree, SiteReading(tree), files, tree.base_url)


def _load_url(url: str, client: Client) -> LoadedSite:
    """Load the sitemap at a URL, or of the site at that URL; no other host is sent requests."""
    from sitemapkit_tools.web.online_site import (  # noqa: PLC0415
        OnlineSettings,
        read_online_site,
    )

    site = read_online_site(url, client, OnlineSettings())
    return LoadedSite(
        url, elements_by_url(url, site.files), files=site.files, base_url=site.base_url
    )
