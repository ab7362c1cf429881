"""The formats by name: each is a module of this package, named as a value of the option `formats`.

Such a module is an `OutputFormat`. It is loaded when it is asked for, so that other sites do not
pay for loading it. `gz` at the end of a name says that the files are compressed; alone it is XML.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

from sitemapkit import formats

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.formats.xml import Rendered
    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry, OutputFile
    from sitemapkit.report import Report


class Site(Struct):
    """What there is to write."""

    entries: Sequence[Entry]
    """All entries, valid, sorted by URL, each URL once."""

    parts: Mapping[str, Rendered]
    """The same as XML, by the label of each child of an index; "" where one file holds it all."""

    layout: Layout
    """What the files are called, and the options."""

    report: Report


class OutputFormat(Protocol):
    """What a module of this package offers."""

    def output_files(self, site: Site, form: str) -> Iterable[OutputFile]:
        """Return the files of the site in the format that is called `form`.

        A format that search engines read is written in parts. Each other file holds
        `site.layout.mark` near its beginning: by that it is known as ours, and removed when it is
        not asked for any longer.
        """
        ...


def load(form: str) -> OutputFormat:
    """Return a format by its name."""
    name = form.removesuffix("gz").removesuffix(".") or "xml"
    return cast("OutputFormat", import_module(f"{formats.__name__}.{name}"))
