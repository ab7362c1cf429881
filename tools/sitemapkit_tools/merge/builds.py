"""Sites that were built separately, each in a directory with a sitemap of its own."""

from __future__ import annotations

import os
from collections import Counter
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from msgspec import Struct

from sitemapkit.errors import SitemapError
from sitemapkit_tools.site.base_url import common_folder, stated_base
from sitemapkit_tools.site.directory import DirectorySource, entry_file, sitemaps_of
from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sitemaps.collect import elements_by_url, refuse_too_many
from textdates.bounds import real_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile, UrlElement


class SiteBuild(Struct, frozen=True):
    """One site among several that are served together."""

    name: str
    """Its path below the directory that all are served from, with slashes; "" for the directory."""

    tree: OutputDir
    """Its files, under the URL at which they are served."""

    stated: str
    """The base URL that it was built for, as its files state it."""

    files: Sequence[SitemapFile]
    """Its sitemaps, under the URLs that they state; none if no page of it is to be listed."""

    elements: Mapping[str, UrlElement]
    is_inside: bool
    """Whether it is in the directory that all are served from."""

    @property
    def in_place(self) -> bool:
        """Whether its sitemaps are served under the URLs that they state."""
        return self.is_inside and self.tree.base_url == self.stated

    @property
    def prefix(self) -> str:
        """The folder that the locations of its pages begin with."""
        return f"{self.name}/" if self.name else ""

    def owns(self, url: str) -> bool:
        """Return whether a URL is below the build's own."""
        return url.startswith(self.tree.base_url)


class _LocatedBuild(Struct, frozen=True):
    """A build, before the base URL of all together is known."""

    tree: OutputDir
    """Under the URL that the build states."""

    entry: str
    """The file of its sitemap; "" if it has none."""

    below: str | None
    """Its path below the output directory, with a final slash. None: it is elsewhere."""


def load_builds(
    folders: Sequence[Path], out: Path, base_url: str, budget: Budget
) -> tuple[str, list[SiteBuild]]:
    """Return the base URL of all together, and the builds in the given order.

    `out` is the directory that is served under that base URL; a build in it is served from its
    place there, one elsewhere under the URL that it states. Without `base_url` it is
    found by what the builds state.

    Raises SitemapError if a sitemap cannot be read, no build has one, or they are on several hosts.
    """
    found = [_find(folder, out, budget) for folder in folders]
    if not (base_url or any(each.entry for each in found)):
        raise SitemapError(f"{folders[0]} has no sitemap; build it first")
    base_url = base_url or _base_above(found)
    own = [each for each in found if each.entry]
    named = [(each.tree.base_url + each.entry, DirectorySource(each.tree)) for each in own]
    refuse_too_many(named, budget)
    return base_url, [_load(each, base_url, budget) for each in found]


def owner_of(builds: Sequence[SiteBuild]) -> Callable[[str], SiteBuild | None]:
    """Return what finds the build of a URL: the one with the longest base URL that it is below."""
    by_base = {build.tree.base_url: build for build in reversed(builds)}

    def owner(url: str) -> SiteBuild | None:
        end = url.rfind("/")
        while end >= 0:
            if build := by_base.get(url[: end + 1]):
                return build
            end = url.rfind("/", 0, end)
        return None

    return owner


def _find(folder: Path, out: Path, budget: Budget) -> _LocatedBuild:
    tree = OutputDir.walk(folder)
    entry = entry_file(tree)
    below = _below(folder, out)
    base = stated_base(tree)
    if not entry:
        if below is None:
            raise SitemapError(f"{folder} has no sitemap; build it first")
        return _LocatedBuild(tree.served_at(base), "", below)
    if not base:
        # The reason may be a file that cannot be read.
        elements_by_url(str(folder), sitemaps_of(tree, entry, budget))
        raise SitemapError(f"{folder}: its sitemap lists nothing; build it again")
    return _LocatedBuild(tree.served_at(base), entry, below)


def _below(folder: Path, out: Path) -> str | None:
    """Return a build's path as it is served: by its name, even if that is a link (mike)."""
    as_named = (Path(os.path.abspath(folder)), Path(os.path.abspath(out)))  # noqa: PTH100 - no links
    for here, top in (as_named, (Path(real_path(folder)), Path(real_path(out)))):
        if here.is_relative_to(top):
            path = here.relative_to(top).as_posix()
            return "" if path == "." else f"{path}/"
    return None


def _base_above(found: Sequence[_LocatedBuild]) -> str:
    stated = [each.tree.base_url for each in found if each.entry]
    hosts = {urlsplit(url)[:2] for url in stated}
    if len(hosts) > 1:
        raise SitemapError(
            f"the builds are on several hosts ({', '.join(sorted(host for _, host in hosts))});"
            " one sitemap cannot list them all. Merge those of each host."
        )
    own = [(each.tree.base_url, each.below) for each in found if each.entry]
    for pairs in (own, product(stated, [each.below for each in found])):  # built for another one
        votes = Counter(
            url.removesuffix(quote(below))
            for url, below in pairs
            if below is not None and url.endswith(quote(below))
        )
        if votes:
            return votes.most_common(1)[0][0]
    return common_folder(stated)


def _load(found: _LocatedBuild, base_url: str, budget: Budget) -> SiteBuild:
    tree = found.tree
    files = sitemaps_of(tree, found.entry, budget) if found.entry else []
    served_at = tree.base_url if found.below is None else base_url + quote(found.below)
    return SiteBuild(
        name=Path(real_path(tree.root)).name if found.below is None else found.below.rstrip("/"),
        tree=tree.served_at(served_at),
        stated=tree.base_url,
        files=files,
        elements=elements_by_url(str(tree.root), files),
        is_inside=found.below is not None,
    )
