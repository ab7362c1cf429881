"""The settings in conf.py: `sitemap_<option>` for each option of the core."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_type_hints

from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace

from sitemapkit import OptionError, Options, OptionsSchema, read_options, stated_base
from sitemapkit.model import own_name
from sitemapkit.options import Spelling, is_option, schema_of
from sphinx_sitemapkit import compat
from sphinx_sitemapkit.refusal import refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sitemapkit.patterns import OtherPatterns

PREFIX = "sitemap_"

SPELLING = Spelling("conf.py", PREFIX)
"""How messages name the options."""

OPTIONS = [PREFIX + name for name in OptionsSchema.__struct_fields__]
"""The names of the core's options in conf.py."""


class Settings(Struct, frozen=True):
    """The core's options, and what only this adapter has."""

    options: Options

    excludes: OtherPatterns
    """`sitemap_excludes`."""

    source_language: str
    """The language in which the documents are written, as far as the settings say."""

    url_scheme_base: str = ""
    """The base URL in canonical links, where `sitemap_url_scheme` adds something to it."""


def add_config_values(app: Sphinx) -> None:
    """Register all options. Raises RefusedError if sphinx-sitemap is loaded as well."""
    compat.refuse_both(app)
    for name in _known(app.config):
        app.add_config_value(name, None, "")  # the core checks types
    compat.add_config_values(app)


def read_settings(app: Sphinx, config: Config) -> Settings:
    """Read the configuration. Raises RefusedError, with a line for each option that is wrong."""
    given = given_by_user(config)
    wrong = [*compat.wrong_options(config)]
    base_setting = "site_url" if config.site_url else "html_baseurl"
    base = stated_base(config[base_setting])
    prefix = ""
    languages: dict[str, str] = {}
    source_language = str(_given_in_conf_py(config).get("language") or "en")
    if not wrong:
        prefix = compat.url_prefix(config, config.language)
        languages = compat.languages(app, config, base, source_language)
    # conf.py sets it, if only to nothing: this build is not for the web
    is_meant = base_setting in given or "html_baseurl" in given
    options = None
    copied = map(str, (*config.html_extra_path, *config.html_static_path))
    try:
        options = read_options(
            dict(_our_options(config, given)),
            where="conf.py",
            prefix=PREFIX,
            root=Path(app.confdir),
            base_setting=base_setting,
            selected_by="Sphinx",
            base_severity="note" if is_meant else "warning",
            base_url=base + prefix if base else config[base_setting],
            lastmod="auto" if config.sitemap_show_lastmod else False,
            languages=languages,
            title=config.project,
            language=config.language,
            published=[app.outdir, *(Path(app.confdir, name) for name in copied)],
            misnamed=[name for name in _unknown(config, given) if own_name(name) is not None],
            written=f"{PREFIX}OPTION = …",
        )
    except OptionError as error:
        wrong.append(error.explained)
    if wrong or not options:
        raise refused("\n".join(wrong))
    if config.sitemap_languages and config.sitemap_x_default is None:
        options = replace(options, x_default=next(iter(options.languages), ""))
    if options.x_default and "language" not in config.overrides:
        source_language = options.x_default  # conf.py may take that of the build from anywhere
    return Settings(
        options=options,
        excludes=compat.excluded_links(config),
        source_language=source_language,
        url_scheme_base=base if prefix else "",
    )


def given_by_user(config: Config) -> Mapping[str, Any]:
    """Return all that conf.py and the command line set, known to Sphinx or not."""
    return {**_given_in_conf_py(config), **config.overrides}


def _given_in_conf_py(config: Config) -> Mapping[str, Any]:
    return config._raw_config  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def _known(config: Config) -> list[str]:
    """Return the names of the core's options, and of others that the command line sets.

    There Sphinx ignores what it does not know.
    """
    known = [*OPTIONS]
    for name in config.overrides:
        is_ours = name.startswith(PREFIX) and is_option(name.removeprefix(PREFIX))
        if is_ours and name not in known:
            known.append(name)
    return known


def _our_options(config: Config, given: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield our options, and all else in conf.py with our prefix, except code."""
    for name in _known(config):
        yield name.removeprefix(PREFIX), _option(config, name)
    for name in _unknown(config, given):
        if name.startswith(PREFIX):
            yield name.removeprefix(PREFIX), given[name]


def _unknown(config: Config, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names in conf.py that no extension has, except those of code."""
    for name, value in given.items():
        is_code = callable(value) or isinstance(value, ModuleType)
        if name not in config and not is_code:
            yield name


def _option(config: Config, name: str) -> object:
    """Return the value of an option, which is text if it is from the command line (`-D`)."""
    value = config[name]
    if name == "sitemap_languages" and os.environ.get("READTHEDOCS_VERSION_TYPE") == "external":
        return {}  # the preview of a pull request has no versions in other languages
    if not isinstance(value, str) or name not in config.overrides:
        return value
    option = name.removeprefix(PREFIX)
    kind = get_type_hints(schema_of(option) or OptionsSchema)[option]  # of any size
    if "," in value:
        with suppress(ValidationError):
            return convert(value.split(","), kind, strict=False)
    with suppress(ValidationError):
        return convert(value, kind, strict=False)
    return value  # the core refuses it
