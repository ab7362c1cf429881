"""What is known of a site's host: under which address it serves a file, and what is not read of it.

A host is known by its name alone: files for it may be there for previews only.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sitemapkit.rules import and_more
from sitemapkit_tools.tables import MAX_SETTINGS
from textdates.bounds import read_file, real_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir, RouteKind


class Host(NamedTuple):
    """A host, and how it spells addresses."""

    name: str
    is_without_suffix: bool
    """Whether `a.html` is sent on to `a`; else both are served."""


_BY_NAME = {
    ".github.io": Host("GitHub Pages", is_without_suffix=False),
    ".pages.dev": Host("Cloudflare Pages", is_without_suffix=True),
    ".netlify.app": Host("Netlify", is_without_suffix=True),
}
_SETTINGS = (
    *("netlify.toml", "vercel.json", ".htaccess", "firebase.json"),
    *("staticwebapp.config.json", "web.config"),
)
_MAY_HIDE = re.compile(rb"(?i)redirect|rewrite|x-robots-tag")


def other_spellings(urls: Iterable[str], tree: OutputDir) -> tuple[str, str] | None:
    """Return the first listed page that a host serves under another address, and what it does."""
    host = known_host(tree.base_url)
    elsewhere: list[tuple[str, str]] = []
    for url in urls if host else ():
        route = tree.route(url)
        served = served_at(url, route.kind, host) if host and route else url
        if served != url:
            elsewhere.append((url, served))
    if not (host and elsewhere):
        return None
    path, other = (urlsplit(url).path for url in elsewhere[0])
    more = and_more(len(elsewhere))
    return elsewhere[0][0], f"{host.name} sends {path} to {other}. {more}".rstrip()


def unread_settings(folders: Iterable[Path]) -> tuple[str, str] | None:
    """Return the first settings of a host that may hide or redirect pages, and how many more."""
    unread = [*_unread(folders)]
    return (str(unread[0]), and_more(len(unread))) if unread else None


def _unread(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in {real_path(folder): folder for folder in folders}.values():
        for name in _SETTINGS:
            with suppress(OSError):  # it is not there, or the host cannot read it either
                if _MAY_HIDE.search(read_file(folder / name, MAX_SETTINGS, cut=True)):
                    yield folder / name


def known_host(base_url: str) -> Host | None:
    """Return the host of a site, by its name."""
    name = urlsplit(base_url).hostname or ""
    return next((host for end, host in _BY_NAME.items() if name.endswith(end)), None)


def served_at(url: str, kind: RouteKind, host: Host) -> str:
    """Return where the host serves what is listed as a URL."""
    stem, _, suffix = url.rpartition(".")
    if kind == "exact" and suffix in ("html", "htm") and host.is_without_suffix:
        return stem.removesuffix("index") if stem.endswith("/index") else stem
    return f"{url}/" if kind == "redirect" else url
