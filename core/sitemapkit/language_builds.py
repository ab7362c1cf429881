"""Separate builds of one site, one in each language."""

from __future__ import annotations

import os
from posixpath import relpath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

    LanguageOption = dict[str, str | dict[str, str]]
    """The option `languages`."""


def language_builds(base_urls: Mapping[str, str], own: str, output_dir: str) -> LanguageOption:
    """Return the option `languages` for the builds that a site's language selector links to.

    `base_urls` are theirs by language, `own` is that of this build. They are builds of one site
    only if this one is among them and each has a base URL of its own; otherwise it is empty.
    """
    addresses = set(base_urls.values())
    if len(base_urls) == 1 or len(addresses) < len(base_urls) or own not in addresses:
        return {}
    return {
        lang: own if url == own else {"base_url": url, "pages": _sitemap(url, own, output_dir)}
        for lang, url in base_urls.items()
    }


def _sitemap(base: str, own: str, output_dir: str) -> str:
    """Return the path of another build's sitemap if output folders are nested as URLs are."""
    other, this = urlsplit(base), urlsplit(own)
    if (other.scheme, other.netloc) != (this.scheme, this.netloc):
        return ""
    return os.path.realpath(f"{output_dir}/{relpath(other.path, this.path)}/sitemap.xml")
