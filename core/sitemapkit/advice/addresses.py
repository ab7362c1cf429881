"""Remarks on a base URL that no reader has."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemapkit.rules import issue
from sitemapkit.urls import is_local_host, repository_in

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from sitemapkit.model import Issue
    from sitemapkit.options import Options


def local_base_url(options: Options) -> Iterator[Issue]:
    """The base URL leads to this machine; without a robots.txt it is only a preview."""
    host = urlsplit(options.base_url).hostname or ""
    if is_local_host(host) and options.robots is not False:
        yield issue("local-base-url", options.spelling.base_url, f"It is {options.base_url}.")


def repository_base_url(options: Options) -> Iterator[Issue]:
    """The base URL is that of the repository, where none of the pages are."""
    base = options.base_url
    if repository := repository_in(base):
        pages = _pages_of(repository)
        hint = f" Did you mean {pages}?" if pages else ""
        yield issue("repository-base-url", options.spelling.base_url, f"It is {base}.{hint}")


_PAGES = {"github.com": "github.io", "gitlab.com": "gitlab.io", "codeberg.org": "codeberg.page"}


def _pages_of(repository: re.Match[str]) -> str:
    """Return the URL where the host of a repository publishes its site, "" if not known."""
    domain = _PAGES.get(repository["host"])
    name = repository["name"]
    if not (domain and name):
        return ""
    if domain != "gitlab.io":  # only there groups have groups
        name = name.partition("/")[0]
    owner, name = repository["owner"].lower(), name.removesuffix(".git")
    host = f"{owner}.{domain}"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"
