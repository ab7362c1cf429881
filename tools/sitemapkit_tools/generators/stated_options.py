"""The options in the settings of MkDocs, ProperDocs, Pelican or Sphinx around a built site.

The settings are read, never run: values that their code computes, or that they take from
other files, are not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, convert

from sitemapkit.errors import OptionError
from sitemapkit.options import is_option
from sitemapkit.tables import MAX_SETTINGS, TooMuchError, read_yaml
from sitemapkit_tools.generators.find import FOLDERS
from sitemapkit_tools.generators.mkdocs import SETTINGS_FILES as MKDOCS_FILES
from sitemapkit_tools.generators.settings import read_text, values_in_python
from textdates.bounds import root_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_FILES = (*MKDOCS_FILES, "publishconf.py", "pelicanconf.py", "conf.py")
_ABOVE = 3
_PREFIX, _TABLE = "sitemap_", "SITEMAP"
"""What the names of our options begin with in Sphinx, and the name of their table in Pelican."""


class StatedOptions(NamedTuple):
    """Options in a file, as its user wrote them."""

    file: Path
    given: Mapping[str, Any]
    prefix: str = ""
    """What precedes the name of an option there."""


def options_beside(site: Path) -> StatedOptions | None:
    """Return the options in the nearest settings that state some."""
    folders = (above / name for above in site.absolute().parents[:_ABOVE] for name in FOLDERS)
    for file in (folder / name for folder in folders for name in _FILES):
        if file.is_file() and (given := _read(file)):
            return StatedOptions(file, given, _PREFIX if file.name == "conf.py" else "")
    return None


def _read(file: Path) -> dict[str, Any]:
    """Return the options in settings; none if the generator could not read these either.

    Raises OptionError if they are beyond a limit.
    """
    try:
        text = read_text(file, root_of(file.parent), MAX_SETTINGS)
        return _of_yaml(text) if file.name in MKDOCS_FILES else _of_python(text)
    except (OSError, TooMuchError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise OptionError(f"{file} cannot be read: {why}") from error
    except ValueError:
        return {}


class _MkDocs(Struct):
    """What is read of the settings of MkDocs or ProperDocs."""

    plugins: dict[str, Any] | list[str | dict[str, Any]] = []


def _of_yaml(text: str) -> dict[str, Any]:
    held = convert(read_yaml(text), _MkDocs)
    plugins = held.plugins if isinstance(held.plugins, list) else [held.plugins]
    stated = (each for each in plugins if isinstance(each, dict) and "sitemapkit" in each)
    return convert(next(stated, dict[str, Any]()).get("sitemapkit") or {}, dict[str, Any])


def _of_python(text: str) -> dict[str, Any]:
    stated = values_in_python(text)
    if "SITEMAP" in stated:  # with keys of other plugins, `exclude` has another meaning
        given = convert(stated["SITEMAP"], dict[str, Any])
        return given if all(map(is_option, given)) else {}
    names = ((name, name.removeprefix(_PREFIX)) for name in stated if name.startswith(_PREFIX))
    return {own: stated[name] for name, own in names if is_option(own)}
