"""Sitemaps of plain URLs, one a line, compressed or not (rules TX1-TX3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.formats.xml import index_file, part_of
from sitemapkit.model import OutputFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.formats.registry import Site
    from sitemapkit.formats.xml import Rendered


def output_files(site: Site, form: str) -> Iterator[OutputFile]:
    """Yield the list of URLs, or the lists of an index in XML and then the index.

    Raises OutputError if there are too many lists.
    """
    for label, rendered in site.parts.items():
        yield OutputFile(site.layout.place(label, form), [lines(rendered)])
    if "" not in site.parts:
        yield index_file([part_of(*item) for item in site.parts.items()], site.layout, form)


def lines(rendered: Rendered) -> bytes:
    """Return the URLs without XML's escapes."""
    text = "\n".join([*rendered.locs, ""])
    return text.replace("&apos;", "'").replace("&amp;", "&").encode()
