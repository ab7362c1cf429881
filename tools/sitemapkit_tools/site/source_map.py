"""The map from pages to their sources, for sites without an adapter."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any, cast

from sitemapkit.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def read_source_map(file: Path) -> Mapping[str, Sequence[Path]]:
    """Read a map from pages to source files, in JSON or TOML.

    A page is named by its file below the site's root, or by its URL path below the base URL; its
    source is a path that starts from the folder of the map, or a list of such paths.

    Raises OptionError if it is not such a map.
    """
    folder = file.parent.absolute()
    try:
        text = file.read_text(encoding="utf-8")
        held: Any = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError) as error:
        raise OptionError(f"{file} cannot be read: {error}") from error
    if not isinstance(held, dict):
        raise OptionError(f"{file} must map pages to sources, as in {{'a/index.html': 'a.md'}}")
    pages = cast("dict[str, object]", held)
    return {
        page.lstrip("/"): [folder / name for name in _names(page, names, file)]
        for page, names in pages.items()
    }


def _names(page: str, names: object, file: Path) -> list[str]:
    listed = cast("list[object]", names if isinstance(names, list) else [names])
    if not all(isinstance(name, str) for name in listed):
        raise OptionError(f"{file}: the source of {page!r} must be a path or a list of paths")
    return cast("list[str]", listed)
