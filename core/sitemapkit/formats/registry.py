"""What modules of other packages that write a format are (`installed`).

They are loaded on demand, so that other sites do not load them. The formats for search engines are
no such modules: an index may list their files (`output.write`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from msgspec import Struct

from sitemapkit import installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitemapkit.layout import Layout
    from sitemapkit.model import Entry, Listed, OutputFile
    from sitemapkit.options import Options
    from sitemapkit.report import Report


class Site(Struct):
    """The content of all output files."""

    entries: Sequence[Entry]
    """All entries, valid, sorted by URL, each URL once."""

    layout: Layout
    """The names of the files, and the options."""

    report: Report


class OutputFormat(Protocol):
    """A module with a format."""

    def output_files(self, site: Site) -> Iterable[OutputFile]:
        """Return the files of the site in this format.

        Each has `site.layout.mark` near its beginning, by which it is recognized and removed when
        the format is no longer in use.
        """
        ...


@runtime_checkable
class Describing(Protocol):
    """A module with a format that says of pages what other formats do not."""

    def describe(
        self, entries: Sequence[Entry], listed: Sequence[Listed], options: Options
    ) -> None:
        """Complete the entries of the listed pages: their titles, and what they are about."""


def load(form: str) -> OutputFormat:
    """Return the format of this name."""
    return cast("OutputFormat", installed.load(installed.FORMATS, form))
