"""The options of sphinx-sitemap: supported as they are, so that one changed line is enough."""

from __future__ import annotations

import re
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import ValidationError, convert

from sitemapkit.languages import LanguageError, hreflang
from sitemapkit.model import quoted
from sitemapkit.patterns import OtherPatterns
from sphinx_sitemapkit.refusal import refused

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.config import Config


OPTIONS: Mapping[str, tuple[object, str]] = {
    "site_url": (None, "is used; Sphinx's own name for it is `html_baseurl`"),
    "sitemap_url_scheme": (
        "{link}",
        "is applied, but not to canonical links; `html_baseurl` with the whole URL is",
    ),
    "sitemap_locales": ([], "is used for {lang} in the scheme; `sitemap_languages` is clearer"),
    "sitemap_excludes": (
        [],
        "is applied; sitemapkit's own option is `sitemap_exclude`, with patterns as in .gitignore",
    ),
    "sitemap_show_lastmod": (True, "is applied; `sitemap_lastmod = False` turns dates off"),
}
"""The default of each option, and what the log says about it where it is set.

`sitemap_filename` and `sitemap_indent` are options of ours with the same meaning.
"""

_INSTEAD_OF_LISTS = (str, tuple, set, type(None))
"""What an option may be instead of a list, without a warning of Sphinx."""

_SCHEME = r"(?:[^{}]|\{(?:lang|version)\})*\{link\}"
"""All that `sitemap_url_scheme` may be."""


def add_config_values(app: Sphinx) -> None:
    """Register the options that Sphinx and other extensions do not have."""
    for name, (default, _) in OPTIONS.items():
        if name not in app.config:
            types = _INSTEAD_OF_LISTS if default == [] else ()
            app.add_config_value(name, default, "", types)


def refuse_both(app: Sphinx) -> None:
    """Raise RefusedError if sphinx-sitemap, or the fork of it in gp-sphinx, is loaded as well."""
    loaded = {*app.extensions, *app.config.extensions}
    theirs = min(loaded & {"sphinx_sitemap", "sphinx_gp_sitemap"}, default="")
    if theirs:
        ours = "sitemapkit" if "sitemapkit" in loaded else "sphinx_sitemapkit"
        raise refused(
            f"conf.py: {theirs} and {ours} are both in `extensions`, and would write the same file;"
            f" remove {theirs}: its options are supported here."
        )


def hints(config: Config, given: Collection[str]) -> list[str]:
    """Return one line for each option of sphinx-sitemap that the user set."""
    lines: list[str] = []
    for name, (_, hint) in OPTIONS.items():
        if name not in given:
            continue
        if name == "sitemap_locales" and "{lang}" not in str(config.sitemap_url_scheme):
            continue  # nothing uses it
        lines.append(f"`{name}` {hint}")
    return lines


def wrong_options(config: Config) -> Iterator[str]:
    """Yield a sentence or two about each option of sphinx-sitemap that is wrong."""
    if not re.fullmatch(_SCHEME, str(config.sitemap_url_scheme)):
        allowed = "plain text, {lang} and {version}, with {link} at the end"
        yield _refused("sitemap_url_scheme", config, allowed)
    may_be = "a string, or a list of strings"
    if _strings(config.sitemap_excludes) is None:
        yield _refused("sitemap_excludes", config, may_be)
    if config.sitemap_locales != [None] and _strings(config.sitemap_locales) is None:
        yield _refused("sitemap_locales", config, f"{may_be}, or [None] for no other languages")


def _refused(name: str, config: Config, allowed: str) -> str:
    return f"conf.py: option {name!r} is {quoted(config[name])}. Allowed: {allowed}."


def excluded_links(config: Config) -> OtherPatterns:
    """Return the patterns of `sitemap_excludes`: shell patterns on links below the base URL."""
    patterns = _strings(config.sitemap_excludes) or ()
    matches = {each: partial(_matches, each) for each in patterns}
    return OtherPatterns("sitemap_excludes", matches)


def _matches(pattern: str, link: str) -> bool:
    return fnmatchcase(unquote(link), pattern)


def url_prefix(config: Config, language: str) -> str:
    """Return what `sitemap_url_scheme` puts between the base URL and the links in a language."""
    lang = f"{language}/" if language else ""
    version = f"{config.version}/" if config.version else ""
    scheme = str(config.sitemap_url_scheme).removesuffix("{link}")
    return scheme.format(lang=lang, version=version).lstrip("/")


def languages(app: Sphinx, config: Config, base: str, source: str) -> dict[str, str]:
    """Return the base URL of the build in each language, if the URL scheme has `{lang}`.

    `source` is the language that conf.py states: builds of translations override it, and neither
    `sitemap_locales` nor a folder of catalogs names it. `[None]` stands for no other languages.
    """
    if not base or config.sitemap_locales == [None] or "{lang}" not in config.sitemap_url_scheme:
        return {}
    locales = _strings(config.sitemap_locales) or [*translations(app, config)]
    if not locales:
        return {}
    every = [source, config.language, *locales]
    return {locale: base + url_prefix(config, locale) for locale in every}


def _strings(value: object) -> Sequence[str] | None:
    """Return the strings that an option has, one or several; None if it has anything else."""
    if isinstance(value, str):
        return (value,)
    with suppress(ValidationError):
        return convert(value or (), tuple[str, ...])
    return None


def translations(app: Sphinx, config: Config) -> Iterator[str]:
    """Yield the languages that have catalogs, without other folders beside them."""
    for directory in config.locale_dirs:
        for messages in sorted(Path(app.srcdir, directory).glob("*/LC_MESSAGES")):
            locale = messages.parent.name
            with suppress(LanguageError):
                hreflang(locale)
                yield locale
