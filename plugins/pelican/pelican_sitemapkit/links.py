"""The links that a theme writes."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from pelican_sitemapkit.pelican_types import Settings

_LINK = r"""(?x)
    href=["']?     # themes may quote addresses or not
    (?: (?:{site}|{path}) (?=/) )?  # the site's URL, or its path alone
    [./]*          # folders such as `..`
    (
        [^"'\s>]*                        # the address below it
        (?: [ ] [^"'=>\r\n]*+ (?=["']) )?  # and what is behind a space, if a quote ends it
    )
    """


def links_in(html: str, settings: Settings) -> Counter[str]:
    """Return how often HTML has each link, below the site's URL."""
    site = str(settings["SITEURL"])
    path = urlsplit(site).path
    link = _LINK.format(site=re.escape(site), path=re.escape(path))
    return Counter(re.findall(link, html))
