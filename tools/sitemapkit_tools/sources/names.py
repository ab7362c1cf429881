"""The text that makes a page by its name, as most generators look for it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemapkit_tools.site.output_dir import OutputDir

_CODE = r"[a-z]{2}(?:-[a-zA-Z]{2,4})?"
_LANGUAGE = re.compile(rf"(?P<code>{_CODE})/(?P<below>.+)")


def named_sources(
    site: OutputDir, texts: Path, suffixes: Sequence[str], indexes: Sequence[str]
) -> Mapping[str, Made]:
    """Return the text of each page that has one of its name; of two, neither is known to be it."""
    found: dict[str, Made] = {}
    main_languages = _main_languages(site, texts)
    for page in site.pages():
        names = dict.fromkeys(_names(page, indexes))
        there: list[Path] = []
        for folder in (texts, *main_languages):
            files = [folder / f"{name}{suffix}" for name in names for suffix in suffixes]
            there += [file for file in files if os.path.isfile(file)]  # noqa: PTH113 - of any length
        if len(there) == 1:
            found[page] = Made(there)
    return found


def _main_languages(site: OutputDir, texts: Path) -> list[Path]:
    """Return the folders of languages among the texts whose pages have no such folder.

    Its home page may be there, and lead to that of the site.
    """
    folders: set[str] = set()
    for page in site.pages():
        top, _, below = page.partition("/")
        if below != "index.html":
            folders.add(top)
    found: list[Path] = []
    for folder in texts.glob("*/"):
        if re.fullmatch(_CODE, folder.name) and folder.name.lower() not in folders:
            found.append(folder)
    return found


def _names(page: str, indexes: Sequence[str]) -> Iterator[str]:
    """Yield the names, without suffix, of the texts that may have made a page.

    `fr/a/index.html` may also be that of `a.fr.md`.
    """
    yield from _names_in_folder(page, indexes)
    if found := _LANGUAGE.fullmatch(page):
        for name in _names_in_folder(found["below"], indexes):
            yield f"{name}.{found['code']}"


def _names_in_folder(page: str, indexes: Sequence[str]) -> Iterator[str]:
    stem = page.rpartition(".")[0]
    yield stem
    if stem == "index" or stem.endswith("/index"):
        folder = stem.removesuffix("index")
        if folder:
            yield folder.rstrip("/")
        for index in indexes:
            yield f"{folder}{index}"
