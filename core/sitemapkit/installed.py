"""What other packages add: extensions, formats, sources of dates, checks and generators.

A package names its module in its `pyproject.toml`, for example:

    [project.entry-points."sitemapkit.extensions"]
    mobile = "sitemapkit_mobile"

An extension, a format or a source of dates may have an option, which has its name: `Option` of the
module is the option's type, and its description says what it takes. Packages are looked for only
where a name is not built in, since that reads the metadata of all that are installed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sitemapkit.errors import SitemapError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint

EXTENSIONS = "sitemapkit.extensions"
"""Modules that are an `extensions.registry.Extension`."""

FORMATS = "sitemapkit.formats"
"""Modules that are a `formats.registry.OutputFormat`."""

DATE_SOURCES = "sitemapkit.date_sources"
"""Modules with a class `Source`, a `lastmod.resolver.Source`."""

CHECKS = "sitemapkit.checks"
"""Modules that are a `sitemapkit_tools.checks.added.Check`."""

GENERATORS = "sitemapkit.generators"
"""Modules with `GENERATOR`, a `sitemapkit_tools.sources.table.Generator`."""


@cache
def points(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by their names.

    Raises SitemapError if two packages have the same name.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - few builds need it

    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        other = found.setdefault(point.name, point)
        if other.value != point.value:
            raise SitemapError(
                f"the packages {_package(other)} and {_package(point)} both add {point.name!r}"
                f" to {group}; uninstall one of them."
            )
    return found


@cache
def names(group: str) -> Mapping[str, str]:
    """Return the names that packages add to one of the groups, each with that of its package."""
    return {name: _package(point) for name, point in sorted(points(group).items())}


def load(group: str, name: str) -> Any:  # noqa: ANN401 - whatever the group requires
    """Return the module that has this name in a group.

    Raises SitemapError if it cannot be loaded, and KeyError if there is none.
    """
    point = points(group)[name]
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise SitemapError(
            f"{point.value!r}, which the package {_package(point)} adds as {name!r} to {group},"
            f" cannot be loaded: {error}. Repair that package, or uninstall it."
        ) from error


@cache
def option(name: str) -> Any:  # noqa: ANN401 - a type, as an annotation has it
    """Return the type of the option that a package adds under this name, or None."""
    for group in (EXTENSIONS, FORMATS, DATE_SOURCES):
        if name in names(group):
            kind = getattr(load(group, name), "Option", None)
            if kind is not None:
                return kind
    return None


def options() -> list[str]:
    """Return the names of all options that packages add."""
    added = {name for group in (EXTENSIONS, FORMATS, DATE_SOURCES) for name in names(group)}
    return sorted(name for name in added if option(name) is not None)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module
