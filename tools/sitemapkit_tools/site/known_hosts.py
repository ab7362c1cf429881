"""What is known of a site's host: under which address it serves a file, and what is not read of it.

A host is known by its name alone: files for it may be there for previews only.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from sitemapkit.rules import and_more
from sitemapkit_tools.bounds import read_json
from sitemapkit_tools.tables import MAX_SETTINGS
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir, RouteKind


class Host(NamedTuple):
    """A host, and how it spells addresses."""

    name: str
    without_suffix: bool | None
    """Whether `a.html` is sent on to `a`; None: both are served."""

    serves_bare_files: bool = True
    """Whether `a` is answered by `a.html`."""

    slash: bool | None = True
    """Whether folders are sent on to their final slash (True), or to the name without it (False);
    None: both are served."""


_BY_NAME = {
    ".github.io": Host("GitHub Pages", without_suffix=None),
    ".pages.dev": Host("Cloudflare Pages", without_suffix=True),
    ".netlify.app": Host("Netlify", without_suffix=True),
}
_VERCEL, _OF_VERCEL = ".vercel.app", "vercel.json"

_SETTINGS = (
    *("netlify.toml", _OF_VERCEL, ".htaccess", "firebase.json"),
    "staticwebapp.config.json",
)
_MAY_HIDE = re.compile(rb"(?i)redirect|rewrite|x-robots-tag")


def other_spellings(
    urls: Iterable[str], tree: OutputDir, folders: Iterable[Path]
) -> tuple[str, str] | None:
    """Return the first listed page that a host serves under another address, and what it does.

    The settings of the host may be in one of the `folders`.
    """
    host = known_host(tree.base_url, folders)
    elsewhere: list[tuple[str, str | None]] = []
    for url in urls if host else ():
        route = tree.route(url)
        served = served_at(url, route.kind, host) if host and route else url
        if served != url:
            elsewhere.append((url, served))
    if not (host and elsewhere):
        return None
    url, to = elsewhere[0]
    path, other = urlsplit(url).path, urlsplit(to or "").path
    does = f"sends {path} to {other}" if to else f"has nothing at {path}"
    return url, f"{host.name} {does}. {and_more(len(elsewhere))}".rstrip()


def unread_settings(folders: Iterable[Path]) -> tuple[str, str] | None:
    """Return the first settings of a host that may hide or redirect pages, and how many more."""
    unread = [*_unread(folders)]
    return (str(unread[0]), and_more(len(unread))) if unread else None


def _unread(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in {folder.resolve(): folder for folder in folders}.values():
        for name in _SETTINGS:
            with suppress(OSError):  # it is not there, or the host cannot read it either
                if _MAY_HIDE.search(read_file(folder / name, MAX_SETTINGS, cut=True)):
                    yield folder / name


def known_host(base_url: str, folders: Iterable[Path]) -> Host | None:
    """Return the host of a site, by its name."""
    name = urlsplit(base_url).hostname or ""
    if name.endswith(_VERCEL):
        return _vercel(folders)
    return next((host for end, host in _BY_NAME.items() if name.endswith(end)), None)


def _vercel(folders: Iterable[Path]) -> Host:
    settings: Mapping[str, Any] = {}
    for folder in folders:
        with suppress(OSError, ValueError):
            settings = settings or read_json(folder / _OF_VERCEL, dict[str, Any])
    clean, slash = settings.get("cleanUrls") is True, settings.get("trailingSlash")
    known = slash if isinstance(slash, bool) else None
    return Host("Vercel", without_suffix=clean or None, serves_bare_files=clean, slash=known)


def served_at(url: str, kind: RouteKind, host: Host) -> str | None:
    """Return where the host serves what is listed as a URL; None: nowhere."""
    stem, dot, suffix = url.rpartition(".")
    if kind == "exact" and dot and suffix in ("html", "htm") and host.without_suffix:
        return stem.removesuffix("index") if stem.endswith("/index") else stem
    if kind == "suffix" and not host.serves_bare_files:
        return None
    if kind == "redirect" and host.slash:
        return f"{url}/"
    if kind == "index" and host.slash is False and urlsplit(url).path != "/":
        return url.removesuffix("/")
    return url
