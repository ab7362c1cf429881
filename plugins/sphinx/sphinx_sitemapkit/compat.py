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
from sphinx.errors import ConfigError

from sitemapkit.languages import LanguageError, hreflang
from sitemapkit.patterns import OtherPatterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.config import Config

OPTIONS: Mapping[str, tuple[object, str]] = {
    "site_url": (None, "is used; Sphinx's own name for it is `html_baseurl`"),
    "sitemap_url_scheme": ("{link}", "is applied; `html_baseurl` with the whole URL is better"),
    "sitemap_locales": ([], "is used for {lang} in the scheme; `sitemap_languages` is clearer"),
    "sitemap_excludes": ([], "is applied; our `sitemap_exclude` takes gitignore-style patterns"),
    "sitemap_show_lastmod": (True, "is applied; `sitemap_lastmod = False` turns dates off"),
}
"""The default of each option, and what the log says about it where it is set.

`sitemap_filename` and `sitemap_indent` are options of ours with the same meaning.
"""

_TEXTS = (str, tuple, set, type(None))
"""What an option may be instead of a list, without a warning of Sphinx."""

_SCHEME = r"(?:[^{}]|\{(?:lang|version)\})*\{link\}"
"""All that `sitemap_url_scheme` may be."""


def add_config_values(app: Sphinx) -> None:
    """Register the options that Sphinx and other extensions do not have."""
    for name, (default, _) in OPTIONS.items():
        if name not in app.config:
            app.add_config_value(name, default, "", _TEXTS if default == [] else ())


def refuse_both(app: Sphinx) -> None:
    """Raise ConfigError if sphinx-sitemap, or the fork of it in gp-sphinx, is loaded as well."""
    loaded = {*app.extensions, *app.config.extensions}
    if theirs := min(loaded & {"sphinx_sitemap", "sphinx_gp_sitemap"}, default=""):
        ours = "sitemapkit" if "sitemapkit" in loaded else "sphinx_sitemapkit"
        raise ConfigError(
            f"conf.py: {theirs} and {ours} are both in `extensions`, and would write the same file;"
            f" remove {theirs}: its options are supported here."
        )


def hints(config: Config, given: Iterable[str]) -> list[str]:
    """Return one line for each option of sphinx-sitemap that the user set."""
    needless = "has its default value; delete the line"
    known = [(name, *OPTIONS[name]) for name in OPTIONS if name in given]
    return [f"`{n}` {needless if config[n] == default else hint}" for n, default, hint in known]


def excluded_links(config: Config) -> OtherPatterns:
    """Return the patterns of `sitemap_excludes`: shell patterns on links below the base URL.

    Raises ConfigError if they are no texts.
    """
    patterns = _texts(config, "sitemap_excludes")
    return OtherPatterns("sitemap_excludes", {each: partial(_matches, each) for each in patterns})


def _matches(pattern: str, link: str) -> bool:
    return fnmatchcase(unquote(link), pattern)


def url_prefix(config: Config, language: str) -> str:
    """Return what `sitemap_url_scheme` puts between the base URL and the links in a language.

    Raises ConfigError unless the scheme ends in `{link}`.
    """
    scheme = str(config.sitemap_url_scheme)
    if not re.fullmatch(_SCHEME, scheme):
        allowed = "plain text, {lang} and {version}, with {link} at the end"
        raise _refusal("sitemap_url_scheme", scheme, allowed)
    values = {"lang": language, "version": config.version}
    folders = {name: f"{value}/" if value else "" for name, value in values.items()}
    return scheme.removesuffix("{link}").format(**folders).lstrip("/")


def languages(app: Sphinx, config: Config, base: str) -> dict[str, str]:
    """Return the base URL of the build in each language, if the URL scheme has `{lang}`.

    Raises ConfigError if `sitemap_locales` has anything but text; `[None]` stands for no others.
    """
    if config.sitemap_locales == [None]:
        return {}
    locales = _texts(config, "sitemap_locales") or [*_translations(app, config)]
    if not (base and locales) or "{lang}" not in config.sitemap_url_scheme:
        return {}
    return {locale: base + url_prefix(config, locale) for locale in [config.language, *locales]}


def _texts(config: Config, name: str) -> Sequence[str]:
    """Return the texts that an option has: one or several, or none.

    Raises ConfigError if it has anything else.
    """
    value = config[name] or ()
    with suppress(ValidationError):
        return convert([value] if isinstance(value, str) else value, tuple[str, ...])
    raise _refusal(name, value, "a string, or a list of strings")


def _refusal(name: str, value: object, allowed: str) -> ConfigError:
    return ConfigError(f"conf.py: option {name!r}: {value!r} was given. Allowed: {allowed}.")


def _translations(app: Sphinx, config: Config) -> Iterator[str]:
    """Yield the languages that have catalogs, without other folders beside them."""
    for directory in config.locale_dirs:
        for messages in sorted(Path(app.srcdir, directory).glob("*/LC_MESSAGES")):
            locale = messages.parent.name
            with suppress(LanguageError):
                hreflang(locale)
                yield locale
