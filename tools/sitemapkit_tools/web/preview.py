"""A site on another server before it is published; its URLs are those that it will have."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapkit.urls import is_local_host, normalize_or_none
from sitemapkit_tools.site.base_url import common_folder, origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Preview(Struct, frozen=True):
    """Where a site is served for now."""

    base_url: str
    """The URL of the site."""

    served_at: str
    """The URL that stands for it; both with a final slash."""

    def served(self, url: str) -> str | None:
        """Return where a URL is asked for; None: it is on the site's host, which is not asked."""
        if url.startswith(self.base_url):
            return self.served_at + url[len(self.base_url) :]
        return None if origin_of(url) == origin_of(self.base_url) else url

    def meant(self, url: str) -> str:
        """Return the URL of the site that one of the server stands for."""
        if url.startswith(self.served_at):
            return self.base_url + url[len(self.served_at) :]
        return url


def previews(served_at: str, locs: Iterable[str]) -> Sequence[Preview]:
    """Return what a server of one's own may be showing, by the URLs in its sitemap.

    If one is on the server's own host, even with another scheme, it shows itself.
    """
    urls = [url for loc in locs if (url := normalize_or_none(loc))]
    server = urlsplit(served_at)
    if not urls or not is_local_host(server.hostname or ""):
        return ()
    if any(urlsplit(url).netloc == server.netloc for url in urls):
        return ()
    ((origin, _),) = Counter(map(origin_of, urls)).most_common(1)
    own = [url for url in urls if url.startswith(f"{origin}/")]
    folder = common_folder(own) if len(own) > 1 else own[0].rpartition("/")[0] + "/"
    path = folder[len(origin) :]
    ends = [place for place, letter in enumerate(path, 1) if letter == "/"]
    return [Preview(origin + path[:end], served_at) for end in ends]
