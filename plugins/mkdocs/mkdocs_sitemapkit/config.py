"""The plugin's options in mkdocs.yml: the core's Options as MkDocs' own typed config."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config import config_options as c
from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings
from mkdocs.exceptions import ConfigurationError

from sitemapkit import OptionError, Options, OptionsSchema, read_options

FORMATS = ("xml", "gz")
"""What MkDocs itself writes."""

PUBLISHED = ("base_url", "languages", "ledger", "report")
"""Options about the published site, which say nothing of one that `mkdocs serve` shows."""


class SitemapConfig(Config):
    """One field for each of the core's options; what a value may be, the core itself says."""

    vars().update({name: c.Optional(c.Type(object)) for name in OptionsSchema.__struct_fields__})

    @property
    def file(self) -> Path:
        """The file that the site is configured in."""
        return Path(self.config_file_path or "mkdocs.yml")

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Check all options at once. Raises ConfigurationError for a wrong or unknown one."""
        try:
            self.options()
        except OptionError as error:
            raise ConfigurationError(str(error)) from None
        return super().validate()

    def options(self, *, served: bool = False, **defaults: Any) -> Options:  # noqa: ANN401 - what the core checks
        """Return the user's options; `defaults` are what MkDocs knows, and give way to theirs."""
        given: dict[str, object] = dict(self)
        if served:
            given |= {name: None for name in PUBLISHED if given[name]}
            given["robots"] = False  # no crawler comes
        return read_options(
            given,
            where=f"plugin 'sitemapkit' in {self.file.name}",
            root=self.file.parent,
            base_setting=f"site_url in {self.file.name}",
            formats=FORMATS,
            **defaults,
        )
