"""What three Python readers find on a site, as JSON: python consumers.py BASE_URL.

Runs in an environment of its own, for these readers bring much with them.
"""

from __future__ import annotations

import json
import logging
import sys
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.request import urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator

advertools, robotspy, scrapy = map(import_module, ("advertools", "robots", "scrapy.utils.sitemap"))


def main(base: str) -> None:
    """Print what each reader finds: pairs of URL and date, and the sitemaps of robots.txt."""
    logging.disable()
    rules = fetch(f"{base}robots.txt")
    sitemaps = list(scrapy.sitemap_urls_from_robots(rules))
    table = advertools.sitemap_to_df(f"{base}robots.txt")
    pages = {
        "scrapy": [pair for url in sitemaps for pair in follow(url)],
        "advertools": [
            (loc, None if date != date else str(date))  # noqa: PLR0124 - where there is no date
            for loc, date in zip(table["loc"], table["lastmod"], strict=True)
        ],
    }
    named = robotspy.RobotsParser.from_string(rules.decode()).sitemaps
    json.dump({"pages": pages, "robots": {"scrapy": sitemaps, "robotspy": named}}, sys.stdout)


def follow(url: str) -> Iterator[tuple[str, str | None]]:
    """Yield what Scrapy reads in a sitemap, or in all sitemaps of an index."""
    read = scrapy.Sitemap(fetch(url))
    for entry in read:
        if read.type == "sitemapindex":
            yield from follow(entry["loc"])
        else:
            yield entry["loc"], entry.get("lastmod")


def fetch(url: str) -> bytes:
    """Return a file of the site."""
    with urlopen(url) as answer:  # noqa: S310 - of the site that is served here
        return bytes(answer.read())


if __name__ == "__main__":
    main(sys.argv[1])
