"""The setting SITEMAP: our options, and those of pelican-sitemap."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pelican_sitemapkit.compat import WHERE, CompatOptions, is_dict
from sitemapkit import OptionError, Options, read_options
from sitemapkit.model import own_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pelican_sitemapkit.pelican_types import Settings


class SitemapSettings(Struct):
    """The setting SITEMAP."""

    options: Options
    compat: CompatOptions


def read_settings(settings: Settings) -> SitemapSettings:
    """Read the setting SITEMAP, and SITEURL for the base URL.

    Raises OptionError for a mistake in one of our own options.
    """
    given: Any = settings.get("SITEMAP") or {}
    if not is_dict(given):
        raise OptionError(f"{WHERE}: {given!r} was given. Allowed: a dict of options.")
    compat = CompatOptions(given)
    options = read_options(
        compat.remaining,
        where=WHERE,
        base_setting="SITEURL",
        selected_by="Pelican",
        base_severity="note",  # an empty SITEURL is the usual one while writing
        base_url=settings.get("SITEURL"),
        title=str(settings["SITENAME"]),
        language=str(settings["DEFAULT_LANG"]),
        published=_published(settings),
        misnamed=[name for name in settings if own_name(name) is not None],
        written='SITEMAP = {"OPTION": …}',
    )
    return SitemapSettings(options, compat)


def _published(settings: Settings) -> Iterator[Path]:
    """Yield the folders and files that Pelican publishes as they are."""
    yield Path(settings["OUTPUT_PATH"])
    for name in settings["STATIC_PATHS"]:
        yield Path(settings["PATH"], name)
    for name in settings["THEME_STATIC_PATHS"]:
        yield Path(settings["THEME"], name)
