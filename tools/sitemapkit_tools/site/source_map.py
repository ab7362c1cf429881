"""The user's own map from pages to their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from sitemapkit.errors import OptionError
from sitemapkit_tools.bounds import read_json
from sitemapkit_tools.tables import MAX_SETTINGS, read_toml
from textdates.bounds import is_file, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def read_source_map(file: Path) -> Mapping[str, Sequence[Path]]:
    """Read a map from pages to source files, in JSON or TOML.

    A page is named by its file below the site's root, or by its URL path below the base URL; its
    source is a path that starts from the folder of the map, or a list of such paths.

    Raises OptionError if it is not such a map, or names a source that is no file.
    """
    folder = file.parent.absolute()
    kind = dict[str, str | tuple[str, ...]]
    try:
        if file.suffix == ".toml":
            pages = msgspec.convert(read_toml(read_file(file, MAX_SETTINGS).decode()), kind)
        else:
            pages = read_json(file, kind)
    except msgspec.ValidationError as error:
        raise OptionError(
            f"{file} must map each page to a source or a list of them, as in"
            f" {{'a/index.html': 'a.md'}}: {error}"
        ) from error
    except (OSError, ValueError) as error:
        raise OptionError(f"{file} cannot be read: {error}") from error
    named = {page: [names] if isinstance(names, str) else names for page, names in pages.items()}
    for page, names in named.items():
        for name in names:
            if not is_file(folder / name):
                raise OptionError(f"{file}: the source of {page!r} is {name!r}, which is no file")
    return {page.lstrip("/"): [folder / name for name in names] for page, names in named.items()}
