"""The formats by name: each is a module of this package, named like its value of `formats`.

Such a module is an `OutputFormat`. It is loaded on demand, so that other sites do not load it. A
name that ends in `gz` means that the files are compressed; `gz` alone is compressed XML.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

from sitemapkit import formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitemapkit.formats.xml import Rendered
    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry, OutputFile, SitemapPart
    from sitemapkit.report import Report


class Site(Struct):
    """The content of all output files."""

    entries: Sequence[Entry]
    """All entries, valid, sorted by URL, each URL once."""

    layout: Layout
    """The names of the files, and the options."""

    report: Report

    parts: Mapping[str, Callable[[], Rendered]] = {}
    """The same as XML, by the label of each child of an index; "" if one file holds all entries.

    Each is made when it is called for, since those of a large site would take much memory.
    """

    children: dict[str, SitemapPart] = {}
    """What an index says of each that was made, by its label."""


class OutputFormat(Protocol):
    """The interface of a module of this package."""

    def output_files(self, site: Site, form: str) -> Iterable[OutputFile]:
        """Return the files of the site in the format `form`.

        In a format for search engines these are the `site.parts`, whose index is written by the
        caller. Any other file has `site.layout.mark` near its beginning, by which it is recognized
        and removed when the format is no longer in use.
        """
        ...


def load(form: str) -> OutputFormat:
    """Return the format of this name."""
    name = form.removesuffix("gz").removesuffix(".") or "xml"
    return cast("OutputFormat", import_module(f"{formats.__name__}.{name}"))
