"""From MkDocs' files to the core's Pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import Page

if TYPE_CHECKING:
    from mkdocs.structure.files import File


def to_page(file: File) -> Page:
    """Return what the core needs to know of a documentation page that MkDocs has read."""
    page = file.page
    if page is None:
        raise ValueError(f"{file.src_uri} is no page that MkDocs has read")
    return Page(
        url=page.canonical_url or page.url,
        output=Path(file.abs_dest_path),
        sources=_sources(file),
        meta=page.meta,
    )


def _sources(file: File) -> list[Path]:
    """Return the files that the page was made from; none for a page that a plugin made."""
    if file.generated_by or not file.abs_src_path:
        return []
    return [Path(file.abs_src_path)]
