"""The text that makes a page by its name, as most generators look for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit_tools.site.made import Made
from textdates.bounds import is_file, is_folder

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
    folders = _folders(site, texts)
    for page in site.pages():
        there: list[Path] = []
        for above, folder in folders:
            names = _names(page.removeprefix(above), indexes) if page.startswith(above) else ()
            files = [folder / f"{name}{suffix}" for name in {*names} for suffix in suffixes]
            there += [file for file in files if is_file(file)]
        if len(there) == 1:
            found[page] = Made(there)
    return found


def _folders(site: OutputDir, texts: Path) -> list[tuple[str, Path]]:
    """Return the folders of texts, each with the folder of its pages.

    Those of a language are in `content/fr` or, without `content`, in `content.fr`. Its pages have
    no such folder if it is the main one; its home page may be there, and lead to that of the site.
    """
    tops: set[str] = set()
    for page in site.pages():
        top, _, below = page.partition("/")
        if below != "index.html":
            tops.add(top)
    found = [("", texts)]
    for folder in texts.glob("*/"):
        if re.fullmatch(_CODE, folder.name) and folder.name.lower() not in tops:
            found.append(("", folder))
    if not is_folder(texts):
        for folder in texts.parent.glob(f"{texts.name}.*/"):
            code = folder.suffix[1:]
            above = f"{code.lower()}/" if code.lower() in tops else ""
            if re.fullmatch(_CODE, code):
                found.append((above, folder))
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
