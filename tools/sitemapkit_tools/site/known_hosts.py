"""Under which address known hosts serve a file, where a site does not choose.

A host is known by its name or by the file with its settings, beside the site or above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from sitemapkit.rules import and_more
from sitemapkit_tools.bounds import read_json
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable
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
_BY_FILE = {"CNAME": ".github.io", "netlify.toml": ".netlify.app"}


def other_spellings(
    urls: Iterable[str], tree: OutputDir, folders: Iterable[Path]
) -> tuple[str, str] | None:
    """Return the first listed page that a host serves under another address, and what it does.

    The settings of the host may be in one of the `folders`.
    """
    host = _known_host(tree.base_url, folders)
    if not host:
        return None
    known = ((url, route) for url in urls if (route := tree.route(url)))
    served = ((url, _served_at(url, route.kind, host)) for url, route in known)
    found = [(url, to) for url, to in served if to != url]
    if not found:
        return None
    url, to = found[0]
    path, other = urlsplit(url).path, urlsplit(to or "").path
    does = f"sends {path} to {other}" if to else f"has nothing at {path}"
    return url, f"{host.name} {does}. {and_more(len(found))}".rstrip()


def _known_host(base_url: str, folders: Iterable[Path]) -> Host | None:
    """Return the host of a site, by its name or by the settings for it in some folders."""
    name = urlsplit(base_url).hostname or ""
    for end, host in _BY_NAME.items():
        if name.endswith(end):
            return host
    for folder in folders:
        if is_file(settings := folder / "vercel.json"):
            return _vercel(_json(settings))
        for file, end in _BY_FILE.items():
            if is_file(folder / file):
                return _BY_NAME[end]
    return _vercel({}) if name.endswith(".vercel.app") else None


def _vercel(settings: dict[str, Any]) -> Host:
    clean, slash = settings.get("cleanUrls") is True, settings.get("trailingSlash")
    known = slash if isinstance(slash, bool) else None
    return Host("Vercel", without_suffix=clean or None, serves_bare_files=clean, slash=known)


def _json(file: Path) -> dict[str, Any]:
    """Return settings; none where the host could not read these either."""
    try:
        return read_json(file, dict[str, Any])
    except (OSError, ValueError):
        return {}


def _served_at(url: str, kind: RouteKind, host: Host) -> str | None:
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
