"""Which Python files define the objects that a page documents."""

from __future__ import annotations

import os
from collections import defaultdict
from filecmp import cmp
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from textdates.bounds import is_file
from textdates.budget import Budget
from textdates.git.repository_dates import RepositoryDates
from textdates.git.worktrees import WorkTrees
from textdates.model import Part, Rules
from textdates.parts import PythonObjects, includes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textdates.parts.python_objects import Extent
    from textdates.parts.python_shown import Source

_PLACES = (".", "src", "*", "*/src", "*/*/src", "*/*")
"""Where repositories have their packages, also those with several projects."""


def documented(
    objects: Iterable[tuple[str, str]],
    docs: Path,
    *,
    source: Source = "none",
    extent: Extent = "whole",
) -> Sequence[Part]:
    """Return what a page shows of Python files: `objects` are their files and names in these.

    The file of the repository with `docs` replaces an installed copy of it. What is installed from
    elsewhere, as the standard library is, says nothing of the page, and does not count.
    """
    originals: dict[str, str] = {}
    names = defaultdict[str, dict[str, None]](dict)
    for file, name in objects:
        if file not in originals:
            originals[file] = original_of(file, docs)
        original = originals[file]
        if original:
            names[original][name] = None
    parts: list[Part] = []
    for original, shown in names.items():
        cut = PythonObjects(tuple(shown), source, extent)
        parts.append(Part(original, cut))
    return parts


def original_of(file: str, docs: Path) -> str:
    """Return the file in the repository with `docs` that an installed one is a copy of.

    Any other file is its own original; "": the repository does not have what is installed. Another
    version of what it has is kept: of that, git does not know the date.
    """
    installed = max(filter(file.startswith, includes.INSTALLED), key=len, default="")
    if not installed:
        return file
    if installed == includes.STANDARD:  # whatever is called `typing.py`, too
        return ""
    name = Path(file.removeprefix(installed))
    package = Path(name.parts[0], "__init__.py")
    is_package = is_file(Path(installed, package))
    original = ""
    for folder in _folders_with(name.parts[0], docs):
        place = folder / name
        if not is_file(place) or is_file(folder / package) != is_package:
            continue
        if cmp(place, file, shallow=False):
            return str(place)
        original = file
    return original


@lru_cache(maxsize=64)
def _folders_with(package: str, docs: Path) -> Sequence[Path]:
    """Return the folders of the repository with `docs` from which a package or file is imported.

    That is no folder that git ignores, as copies in `build` and environments are.
    """
    repository = WorkTrees().locate_folder(docs)
    root = Path(repository.root) if repository else docs.parent
    folders: dict[bytes, Path] = {}
    for place in _PLACES:
        for found in root.glob(f"{place}/{package}"):
            if place.endswith("*") and is_file(found.with_name("__init__.py")):
                continue  # it is a part of another package
            name = found.relative_to(root).as_posix()
            folders[os.fsencode(name)] = found.parent
    if not folders:
        return ()
    ignored = RepositoryDates(str(root), Rules(), Budget()).ignored(folders)
    return [folder for name, folder in folders.items() if name not in ignored]
