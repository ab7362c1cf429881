"""sphinx-sitemap's options: understood as they are, so that moving is a change of one line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from sitemapkit.languages import LanguageError, hreflang

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config

OPTIONS: Mapping[str, tuple[object, str]] = {
    "site_url": (None, "is used; Sphinx's own name for it is `html_baseurl`"),
    "sitemap_url_scheme": (
        "{link}",
        "is applied; better let `html_baseurl` be the whole URL of this build",
    ),
    "sitemap_locales": (
        [],
        "is used where `sitemap_url_scheme` has {lang}; `sitemap_languages` is clearer",
    ),
    "sitemap_excludes": (
        [],
        "is applied; our name is `sitemap_exclude`, with gitignore-style patterns",
    ),
    "sitemap_show_lastmod": (True, "is applied; dates are on, `sitemap_lastmod = False` ends them"),
}
"""What is done without each option, and what becomes of it.

`sitemap_filename` and `sitemap_indent` mean the same here and there.
"""


def refuse_both(app: Sphinx) -> None:
    """Raise ConfigError if sphinx-sitemap is loaded as well."""
    if "sphinx_sitemap" in app.extensions or "sphinx_sitemap" in app.config.extensions:
        raise ConfigError(
            "conf.py: sphinx_sitemap and sphinx_sitemapkit are both in `extensions`, and would"
            " write one file; remove sphinx_sitemap, its options are understood."
        )


def remarks(given: Iterable[str]) -> list[str]:
    """Return one line for each option of sphinx-sitemap that the user set."""
    return [f"`{name}` {fate}" for name, (_, fate) in OPTIONS.items() if name in given]


def url_prefix(config: Config, language: str) -> str:
    """Return what `sitemap_url_scheme` puts between the base URL and the links of a language.

    Raises ConfigError for a scheme without `{link}` at its end.
    """
    scheme: str = config.sitemap_url_scheme
    words = {"lang": language, "version": config.version}
    filled = {word: f"{value}/" if value else "" for word, value in words.items()}
    try:
        before, link, after = scheme.format(**filled, link="\0").partition("\0")
    except (AttributeError, IndexError, KeyError, ValueError):
        before = link = after = ""
    if after or not link:
        raise ConfigError(
            f"conf.py: option 'sitemap_url_scheme': {scheme!r} was given. Allowed: plain text,"
            " {lang} and {version}, with {link} at the end."
        )
    return before.lstrip("/")


def languages(app: Sphinx, config: Config, base: str) -> dict[str, str]:
    """Return the base URL of the build of each language, where the URL scheme tells them apart."""
    locales = config.sitemap_locales or list(_translations(app, config))
    if "{lang}" not in config.sitemap_url_scheme or locales in ([], [None]):
        return {}
    return {locale: base + url_prefix(config, locale) for locale in [config.language, *locales]}


def _translations(app: Sphinx, config: Config) -> Iterator[str]:
    """Yield the languages that have catalogues; other folders beside them are none."""
    for directory in config.locale_dirs:
        for messages in sorted(Path(app.srcdir, directory).glob("*/LC_MESSAGES")):
            locale = messages.parent.name
            try:
                hreflang(locale)
            except LanguageError:
                continue
            yield locale
