"""The plugin's options in mkdocs.yml: the core's Options as MkDocs' own typed config.

Their defaults come from MkDocs' own settings and those of the theme.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.base import BaseConfigOption, Config, ConfigErrors, ConfigWarnings
from mkdocs.exceptions import ConfigurationError

from sitemapkit import OptionError, Options, OptionsSchema, read_options, stated_base
from sitemapkit.model import own_name
from sitemapkit.options import is_option
from textdates.bounds import is_file

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

FORMATS = ("xml", "gz")
"""What MkDocs itself writes."""

PUBLISHED = ("base_url", "languages", "ledger", "report")
"""Options about the published site, which do not apply to the preview of `mkdocs serve`."""


class SitemapConfig(Config):
    """One field for each of the core's options; the core checks the values."""

    vars().update({name: BaseConfigOption[object]() for name in OptionsSchema.__struct_fields__})

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Check all options at once. Raises ConfigurationError for a wrong or unknown one."""
        try:
            self.options()
        except OptionError as error:
            raise ConfigurationError(error.explained) from None
        errors, warnings = super().validate()
        # The core knows all options, MkDocs not those that other packages add.
        return errors, [each for each in warnings if not is_option(each[0])]

    def options(self, *, served: bool = False, **defaults: Any) -> Options:  # noqa: ANN401 - the core checks them
        """Return the user's options, and `defaults` for those that the user did not set.

        `served` is for the preview of `mkdocs serve`.
        """
        file = Path(self.config_file_path or "mkdocs.yml")
        given: dict[str, object] = dict(self)
        if served:
            given |= dict.fromkeys(PUBLISHED)
            given["robots"] = False  # crawlers see no preview
        return read_options(
            given,
            where=f"plugin 'sitemapkit' in {file.name}",
            root=file.parent,
            base_setting=f"site_url in {file.name}",
            selected_by="MkDocs",
            written="plugins: [{sitemapkit: {OPTION: …}}]",
            formats=FORMATS,
            **defaults,
        )


def misnamed_settings(config: MkDocsConfig) -> list[str]:
    """Return what was meant for the plugin, and stands where neither it nor MkDocs reads it."""
    settings: dict[object, object] = {**config}
    extra: dict[object, object] = {**config.extra}
    found: list[str] = []
    for name in map(str, settings):
        if own_name(name) is not None:
            found.append(name)
    for name in map(str, extra):
        if own_name(name) is not None:
            found.append(f"extra.{name}")
    return found


def site_defaults(config: MkDocsConfig) -> dict[str, Any]:
    """Return defaults for the options."""
    is_meant = not stated_base(config.site_url) and _mentions_site_url(config)
    return {
        "base_url": config.site_url,
        "base_severity": "note" if is_meant else "warning",
        "title": config.site_name,
        "language": str(config.theme.get("language") or config.theme.locale),
    }


def _mentions_site_url(config: MkDocsConfig) -> bool:
    """Return whether the user set `site_url`, if only to nothing, as by `!ENV`."""
    file = Path(config.config_file_path or "")
    key = r"""(?mx)
        ^ [^#\n]*                # not in a comment
        \b site_url ["']? \s* :  # perhaps quoted
        """
    if not is_file(file):
        return False
    return re.search(key, file.read_text("utf-8", "replace")) is not None
