"""What conf.py says: `sitemap_<option>` for each option of the core, and sphinx-sitemap's names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sphinx.errors import ConfigError

from sitemapkit import OptionError, Options, UrlError, read_options
from sitemapkit.urls import normalize_base

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config

PREFIX = "sitemap_"

PEER_OPTIONS: Mapping[str, tuple[object, str]] = {
    "site_url": (None, "is used; Sphinx's own name for it is `html_baseurl`"),
    "sitemap_url_scheme": (
        "{link}",
        "is applied; better let `html_baseurl` be the whole URL of this build",
    ),
    "sitemap_locales": ([], "is not used, because one build knows the pages of one language"),
    "sitemap_excludes": (
        [],
        "is applied; our name is `sitemap_exclude`, with gitignore-style patterns",
    ),
    "sitemap_show_lastmod": (True, "is applied; dates are on, `sitemap_lastmod = False` ends them"),
    "sitemap_indent": (0, "is not used, because each URL stands on a line of its own"),
}
"""sphinx-sitemap's options: what is done without them, and what becomes of them.

`sitemap_filename` means the same here and there.
"""

OPTIONS = frozenset(PREFIX + name for name in Options.__struct_fields__)


@dataclass(frozen=True, slots=True)
class Settings:
    """The core's options, and what only this adapter can do."""

    options: Options

    excluded_links: tuple[str, ...]
    """fnmatch patterns on links below the base URL (`sitemap_excludes`)."""

    moved_from: str
    """Where a URL scheme moves the pages: the base URL that their canonical links still have."""

    silent_without_base: bool
    """conf.py sets `html_baseurl`, if only to nothing: this build is not for the web."""


def add_config_values(app: Sphinx) -> None:
    """Register all options. Raises ConfigError if sphinx-sitemap is loaded as well."""
    if "sphinx_sitemap" in app.extensions or "sphinx_sitemap" in app.config.extensions:
        raise ConfigError(
            "conf.py: sphinx_sitemap and sphinx_sitemapkit are both in `extensions`, and would"
            " write one file; remove sphinx_sitemap, its options are understood."
        )
    for name in OPTIONS:
        app.add_config_value(name, None, "")  # the core knows the types and says what is wrong
    for name, (default, _) in PEER_OPTIONS.items():
        if name not in app.config:
            app.add_config_value(name, default, "")


def read_settings(app: Sphinx, config: Config) -> Settings:
    """Read the configuration. Raises ConfigError for an unknown name or an impossible value."""
    given = _given_by_user(config)
    base, moved_from = _base_url(config)
    try:
        options = read_options(
            dict(_our_options(config, given)),
            where="conf.py",
            prefix=PREFIX,
            root=Path(app.confdir),
            base_url=base,
            lastmod="auto" if config.sitemap_show_lastmod else False,
        )
    except OptionError as error:
        raise ConfigError(str(error)) from None
    return Settings(
        options=options,
        excluded_links=tuple(config.sitemap_excludes),
        moved_from=moved_from,
        silent_without_base="html_baseurl" in given,
    )


def peer_remarks(config: Config) -> list[str]:
    """Return one line for each option of sphinx-sitemap that the user set."""
    given = _given_by_user(config)
    return [f"`{name}` {fate}" for name, (_, fate) in PEER_OPTIONS.items() if name in given]


def _given_by_user(config: Config) -> Mapping[str, Any]:
    """Return all that conf.py and the command line set, known to Sphinx or not."""
    raw = config._raw_config  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001
    return {**raw, **config.overrides}


def _our_options(config: Config, given: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the options that were set, and all else that bears our prefix and is no code."""
    for spelled, value in given.items():
        name = spelled.removeprefix(PREFIX)
        if spelled in OPTIONS:
            yield name, _option(config, spelled)
        elif spelled.startswith(PREFIX) and spelled not in config and not _is_code(value):
            yield name, value


def _is_code(value: object) -> bool:
    return callable(value) or isinstance(value, ModuleType)


def _option(config: Config, name: str) -> object:
    """Return the value of an option; from the command line (`-D`) all values come as text."""
    value = config[name]
    if not isinstance(value, str) or name not in config.overrides:
        return value
    default = getattr(Options(), name.removeprefix(PREFIX))
    if isinstance(default, tuple):
        return value.split(",")
    if isinstance(default, int) and value.isdecimal():
        return int(value)
    return False if value in ("0", "false") else value


def _base_url(config: Config) -> tuple[str, str]:
    """Return the base URL of this build and, if a URL scheme moved it, where it was."""
    name = "site_url" if config.site_url else "html_baseurl"
    stated = config[name] or os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    if not stated:
        return "", ""
    try:
        base = normalize_base(stated)
    except UrlError as error:
        raise ConfigError(
            f"conf.py: {name}: {error}. Allowed: an absolute URL such as https://example.org/docs/."
        ) from None
    below = _scheme_prefix(config)
    return base + below, base if below else ""


def _scheme_prefix(config: Config) -> str:
    scheme: str = config.sitemap_url_scheme
    language, version = (
        f"{value}/" if value else "" for value in (config.language, config.version)
    )
    try:
        before, link, after = scheme.format(lang=language, version=version, link="\0").partition(
            "\0"
        )
    except (AttributeError, IndexError, KeyError, ValueError):
        before = link = after = ""
    if after or not link:
        raise ConfigError(
            f"conf.py: option 'sitemap_url_scheme': {scheme!r} was given. Allowed: plain text,"
            " {lang} and {version}, with {link} at the end."
        )
    return before.lstrip("/")
