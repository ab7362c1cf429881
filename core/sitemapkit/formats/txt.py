"""Sitemaps as plain text, one URL per line, compressed or not (rules TX1-TX3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.formats.registry import Site
    from sitemapkit.formats.xml import Rendered
    from sitemapkit.model import OutputFile


def output_files(site: Site, form: str) -> Iterator[OutputFile]:
    """Yield the list of URLs, or the lists that an index in XML names."""
    for label, rendered in site.parts.items():
        yield site.layout.output_file(label, form, [lines(rendered())])


def lines(rendered: Rendered) -> bytes:
    """Return the URLs without XML escapes."""
    text = "\n".join([*rendered.locs, ""])
    return text.replace("&apos;", "'").replace("&amp;", "&").encode()
