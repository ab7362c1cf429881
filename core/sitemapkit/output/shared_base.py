"""Builds in several languages that were given one base URL by mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.languages import plain
from sitemapkit.layout import beginning
from sitemapkit.xmltext import locs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapkit.options import Options
    from sitemapkit.report import Report


def note_shared_base(options: Options, output_dir: Path, report: Report) -> None:
    """Add an issue if a build in another language lists the same URLs."""
    for other in _others(options, output_dir):
        theirs = {*locs(beginning(other))}
        if same := next((entry.loc for entry in report.listed if entry.loc in theirs), None):
            detail = f"{other} lists {same}, and this build does, in {options.language!r}."
            report.add("language-base", options.spelling.base_url, detail)
            return


def _others(options: Options, output_dir: Path) -> Iterator[Path]:
    """Yield sitemaps that may be of other languages.

    They are looked for where the output is in a folder named after its language (`es`, `es/html`)
    and the base URL does not name that: in the same place above and beside that folder.
    """
    tag = plain(options.language)
    names = {tag, tag.partition("-")[0]}
    if names & {*plain(options.base_url).replace(".", "/").split("/")}:
        return
    for folder in (output_dir, output_dir.parent):
        if plain(folder.name) in names:
            path = output_dir.relative_to(folder) / options.filename
            beside = sorted(each / path for each in folder.parent.iterdir() if each != folder)
            yield from (file for file in (folder.parent / path, *beside) if file.is_file())
