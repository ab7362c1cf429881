"""The formats by name: each is a module of this package, named like its value of `formats`.

Other packages add some (`installed`). Such a module is an `OutputFormat`, as is `news`. It is
loaded on demand, so that other sites do not load it. The formats for search engines are no such
modules: an index may list their files (`output.write`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

from sitemapkit import formats, installed
from sitemapkit.options.schema import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry, OutputFile
    from sitemapkit.report import Report


class Site(Struct):
    """The content of all output files."""

    entries: Sequence[Entry]
    """All entries, valid, sorted by URL, each URL once."""

    layout: Layout
    """The names of the files, and the options."""

    report: Report


class OutputFormat(Protocol):
    """The interface of a module of this package."""

    def output_files(self, site: Site) -> Iterable[OutputFile]:
        """Return the files of the site in this format.

        Each has `site.layout.mark` near its beginning, by which it is recognized and removed when
        the format is no longer in use.
        """
        ...


def load(form: str) -> OutputFormat:
    """Return the format of this name; `news` is one that an option of its own asks for."""
    if form == "news" or form in FORMATS.built_in:
        return cast("OutputFormat", import_module(f"{formats.__name__}.{form}"))
    return cast("OutputFormat", installed.load(installed.FORMATS, form))
