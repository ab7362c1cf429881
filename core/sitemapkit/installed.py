"""What other packages add: extensions, formats, sources of dates, checks and generators.

A package names its module in its `pyproject.toml`, for example:

    [project.entry-points."sitemapkit.extensions"]
    mobile = "sitemapkit_mobile"

What is not for every site stands in `sitemapkit_extras`, and is found in the same way. Packages are
looked for only where a name is not built in, since that reads the metadata of all that are
installed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from sitemapkit.errors import SitemapError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint, EntryPoints

    from msgspec import Struct

OURS = "sitemapkit"
"""Our own package."""

OPTIONS = "sitemapkit.options"
"""Subclasses of `options.schema.AddedOptions`: the options of what a package adds."""

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
def all_points() -> EntryPoints:
    """Return the entry points of all packages, whose metadata is read once."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - few builds need it

    return cast("EntryPoints", entry_points())  # in Python 3.11 something with the same `select`


@cache
def points(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by their names.

    Raises SitemapError if two packages have the same name.
    """
    found: dict[str, EntryPoint] = {}
    for point in all_points().select(group=group):
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

    Raises SitemapError if it cannot be loaded, or if there is none.
    """
    point = points(group).get(name)
    if point is None:
        raise SitemapError(
            f"no installed package adds {name!r} to {group}; install the one that has it."
        )
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise SitemapError(
            f"{point.value!r}, which the package {_package(point)} adds as {name!r} to {group},"
            f" cannot be loaded: {error}. Repair that package, or uninstall it."
        ) from error


@cache
def options() -> Mapping[str, type[Struct]]:
    """Return the names of the options that packages add, each with the class that declares it.

    Raises SitemapError if two of these classes have the same option.
    """
    declared: dict[str, type[Struct]] = {}
    for point in points(OPTIONS):
        options: type[Struct] = load(OPTIONS, point)
        for name in options.__struct_fields__:
            other = declared.setdefault(name, options)
            if other is not options:
                raise SitemapError(
                    f"{other.__module__} and {options.__module__} both add the option {name!r};"
                    " uninstall one of their packages."
                )
    return declared


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module
