"""What mkdocs.yml says beside the plugin's own options: the defaults of some of them."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from mkdocs.plugins import get_plugin_logger
from msgspec import Struct, ValidationError, convert

from sitemapkit import UrlError, stated_base
from sitemapkit.languages import LanguageError, hreflang
from sitemapkit.urls import normalize_base, resolve

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

log = get_plugin_logger("sitemapkit")


class _Choice(Struct):
    """What an entry of `extra.alternate` has to have."""

    link: str
    lang: str


def site_defaults(config: MkDocsConfig) -> dict[str, Any]:
    """Return the options that MkDocs' own settings and those of the theme imply."""
    return {
        "base_url": config.site_url,
        "title": config.site_name,
        "language": str(config.theme.get("language") or config.theme.locale),
        "languages": _switched_to(config, stated_base(config.site_url)),
    }


def _switched_to(config: MkDocsConfig, own: str) -> dict[str, object]:
    """Return the builds that Material's language switcher leads to (`extra.alternate`).

    They are builds of the same site only if this one is among them, each is in a language that is
    named and each has a base URL of its own. static-i18n fills in the setting itself, and builds
    all languages at once.
    """
    choices: object = cast("dict[str, object]", config.extra).get("alternate")
    if not own or not isinstance(choices, list) or "i18n" in config.plugins:
        return {}
    builds = dict(filter(None, (_build(one, own) for one in cast("list[object]", choices))))
    addresses = set(builds.values())
    if len(builds) < 2 or len(addresses) < len(builds) or own not in addresses:  # noqa: PLR2004
        return {}
    site_dir = Path(config.site_dir)
    return {
        code: base if base == own else {"base_url": base, "pages": _sitemap(base, own, site_dir)}
        for code, base in builds.items()
    }


def _build(choice: object, base_url: str) -> tuple[str, str] | None:
    """Return the language and the base URL of a build, if the theme's setting tells them."""
    try:
        known = convert(choice, _Choice)
    except ValidationError:
        return None
    if not known.link.endswith("/"):
        return None
    try:
        return hreflang(known.lang), normalize_base(resolve(known.link, base_url))
    except (LanguageError, UrlError) as error:
        log.info("extra.alternate: %s is no translation for search engines: %s.", choice, error)
        return None


def _sitemap(base: str, own: str, site_dir: Path) -> str:
    """Return where the other build's sitemap lies if all are put together as they are served."""
    there, here = urlsplit(base), urlsplit(own)
    if (there.scheme, there.netloc) != (here.scheme, here.netloc):
        return ""
    return str(Path(site_dir, posixpath.relpath(there.path, here.path), "sitemap.xml").resolve())
