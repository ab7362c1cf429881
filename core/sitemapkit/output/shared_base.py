"""Builds in several languages that were given one base URL by mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.languages import plain
from sitemapkit.xmltext import locs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sitemapkit.model import Entry
    from sitemapkit.options import Options

_BEGINNING = 64 * 1024
"""Characters of a sitemap that are read."""


def same_urls_elsewhere(
    entries: Sequence[Entry], options: Options, output_dir: Path
) -> tuple[Path, str] | None:
    """Return a sitemap of another language that lists the URL of one of these entries, and the URL.

    It is looked for where the output is in a folder named after its language (`es`, `es/html`) and
    the base URL does not name that: in the same place above and beside that folder.
    """
    tag = plain(options.language)
    names = {tag, tag.partition("-")[0]}
    if names & {*plain(options.base_url).replace(".", "/").split("/")}:
        return None
    for folder in (output_dir, output_dir.parent):
        if plain(folder.name) not in names:
            continue
        path = output_dir.relative_to(folder) / options.filename
        others = sorted(each for each in folder.parent.iterdir() if each != folder)
        for other in (folder.parent / path, *(each / path for each in others)):
            theirs = {*locs(_beginning(other))} if other.is_file() else ()
            if same := [entry.loc for entry in entries if entry.loc in theirs]:
                return other, same[0]
    return None


def _beginning(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(_BEGINNING)
