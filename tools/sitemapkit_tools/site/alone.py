"""A sitemap without its pages: a file, and those beside it that it names."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit.urls import normalize_or_none
from sitemapkit_tools.bounds import MAX_FILE
from sitemapkit_tools.site.base_url import origin_of
from sitemapkit_tools.site.snapshot import SiteSnapshot
from sitemapkit_tools.sitemaps.collect import collect
from sitemapkit_tools.sitemaps.robots import RobotsTxt
from sitemapkit_tools.sitemaps.sitemap_file import UnreadableError, listed_urls
from textdates.bounds import is_file, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.sitemaps.sitemap_file import SitemapFile, UrlElement

SUFFIXES = (".xml", ".txt", ".xml.gz", ".txt.gz")
"""How the names of sitemaps end."""


class Beside:
    """A sitemap, and files in its folder or below it, whatever host an index gives them."""

    def __init__(self, file: Path) -> None:
        """Serve what is beside `file`."""
        self._folder, self._own = file.parent, file.name

    def read(self, url: str) -> bytes:
        """Return the file of that name. Raises UnreadableError."""
        try:
            return read_file(self._folder / self.location(url), MAX_FILE + 1, cut=True)
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            raise UnreadableError(f"{error.strerror}", missing=missing) from error

    def location(self, url: str) -> str:
        """Return the end of the URL's path that is the path of a file here, or its last part.

        `fr/sitemap.xml` is not the `sitemap.xml` that names it.
        """
        parts = url.split("/")[3:] or [url]
        ends = ["/".join(parts[start:]) for start in range(len(parts))]
        files = (end for end in ends if is_file(self._folder / end))
        found = next(files, ends[-1])
        return ends[0] if found == self._own else found


def files_beside(
    file: Path, budget: Budget, known: Mapping[str, UrlElement] | None = None
) -> list[SitemapFile]:
    """Return a sitemap, and those beside it that it names; for `known` see `collect`."""
    return collect([file.name], Beside(file), budget, known)


def sitemap_alone(file: Path, base_url: str, budget: Budget) -> tuple[SiteSnapshot, int]:
    """Return the site of which only a sitemap is known, and how many parts of it are not there.

    Without `base_url` it is the root of the host of most URLs.
    """
    first, *others = files_beside(file, budget)
    parts = [each for each in others if not each.is_missing]
    files = [first, *parts]
    base_url = base_url or _most_common_root(files)
    first.url = base_url + first.url
    site = SiteSnapshot(
        base_url=base_url,
        files=files,
        listed=listed_urls(files),
        now=dates.now(),
        robots=RobotsTxt(),
        robots_location="",
        answer=lambda _: None,
        is_part=len(parts) < len(others) or not first.is_index,
    )
    return site, len(others) - len(parts)


def _most_common_root(files: Sequence[SitemapFile]) -> str:
    urls = (normalize_or_none(each.loc) for file in files for each in file.elements)
    roots = Counter(f"{origin_of(url)}/" for url in urls if url)
    return roots.most_common(1)[0][0] if roots else ""
