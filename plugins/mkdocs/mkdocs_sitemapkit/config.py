"""The plugin's options in mkdocs.yml: the core's Options as MkDocs' own typed config.

Their defaults come from MkDocs' own settings and those of the theme.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mkdocs.config.base import BaseConfigOption, Config, ConfigErrors, ConfigWarnings
from mkdocs.exceptions import ConfigurationError
from mkdocs.plugins import get_plugin_logger

from sitemapkit import OptionError, Options, OptionsSchema, read_options, stated_base

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mkdocs.config.defaults import MkDocsConfig

log = get_plugin_logger("sitemapkit")

FORMATS = ("xml", "gz")
"""What MkDocs itself writes."""

PUBLISHED = ("base_url", "languages", "ledger", "report")
"""Options about the published site, which do not apply to the preview of `mkdocs serve`."""

_SITE_URL = r"(?m)^[^#\n]*\bsite_url[\"']?\s*:"


class SitemapConfig(Config):
    """One field for each of the core's options; the core checks the values."""

    vars().update({name: BaseConfigOption[object]() for name in OptionsSchema.__struct_fields__})

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Check all options at once. Raises ConfigurationError for a wrong or unknown one."""
        try:
            self.options()
        except OptionError as error:
            raise ConfigurationError(str(error)) from None
        return super().validate()

    def options(self, *, served: bool = False, **defaults: Any) -> Options:  # noqa: ANN401 - the core checks them
        """Return the user's options, and `defaults` for those that the user did not set.

        `served` is for the preview of `mkdocs serve`.
        """
        file = Path(self.config_file_path or "mkdocs.yml")
        given: dict[str, object] = dict(self)
        if served:
            given |= {name: None for name in PUBLISHED if given[name]}
            given["robots"] = False  # crawlers see no preview
        return read_options(
            given,
            where=f"plugin 'sitemapkit' in {file.name}",
            root=file.parent,
            base_setting=f"site_url in {file.name}",
            formats=FORMATS,
            **defaults,
        )


def site_defaults(config: MkDocsConfig) -> dict[str, Any]:
    """Return defaults for the options."""
    base = stated_base(config.site_url)
    return {
        "base_url": config.site_url,
        "base_severity": "note" if not base and _mentions_site_url(config) else "warning",
        "title": config.site_name,
        "language": str(config.theme.get("language") or config.theme.locale),
        "languages": _language_builds(config, base),
    }


def _mentions_site_url(config: MkDocsConfig) -> bool:
    """Return whether the user set `site_url`, if only to nothing, as by `!ENV`."""
    file = Path(config.config_file_path or "")
    return file.is_file() and bool(re.search(_SITE_URL, file.read_text("utf-8", "replace")))


def _language_builds(config: MkDocsConfig, own: str) -> Mapping[str, object]:
    """Return the builds that Material's language selector links to (`extra.alternate`).

    static-i18n fills in the setting itself, and builds all languages at once.
    """
    links: object = cast("dict[str, object]", config.extra).get("alternate")
    if not own or not isinstance(links, list) or "i18n" in config.plugins:
        return {}
    from sitemapkit.languages.builds import language_builds, linked_build  # noqa: PLC0415 - for few sites

    builds: dict[str, str] = {}
    for entry in cast("list[object]", links):
        given = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
        link, lang = given.get("link"), given.get("lang")
        if isinstance(link, str) and isinstance(lang, str) and link.endswith("/"):
            try:
                code, base_url = linked_build(lang, link, own)
            except ValueError as error:
                log.info("extra.alternate: %s is ignored: %s.", given, error)
            else:
                builds[code] = base_url
    return language_builds(builds, own, config.site_dir)
