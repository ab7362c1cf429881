"""Which Python files define the objects that a page documents."""

from __future__ import annotations

from collections import defaultdict
from filecmp import cmp
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from textdates.git.worktrees import WorkTrees
from textdates.model import Part
from textdates.parts import PythonObjects, includes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PLACES = (".", "src", "*", "*/src", "*/*/src", "*/*")
"""Where repositories have their packages, also those with several projects."""


def documented(
    objects: Iterable[tuple[str, str]], docs: Path, *, source: bool = False
) -> Sequence[Part]:
    """Return what a page shows of Python files: `objects` are their files and names in these.

    The file of the repository with `docs` replaces an installed copy of it. Other installed files
    change with their package, and do not count; if there are no others, the page has no date.
    """
    names = defaultdict[str, dict[str, None]](dict)
    original = cache(partial(_original, docs=docs))
    for file, name in objects:
        names[original(file)][name] = None
    files = [file for file in names if not file.startswith(includes.INSTALLED)] or names
    return [Part(file, PythonObjects(tuple(names[file]), source)) for file in files]


def _original(file: str, docs: Path) -> str:
    """Return the file that an installed one is a copy of, or the file itself."""
    if not (installed := max(filter(file.startswith, includes.INSTALLED), key=len, default="")):
        return file
    name = Path(file.removeprefix(installed))
    found = (folder / name for folder in _folders_with(name.parts[0], docs))
    return str(next((f for f in found if f.is_file() and cmp(f, file, shallow=False)), file))


@lru_cache(maxsize=64)
def _folders_with(package: str, docs: Path) -> Sequence[Path]:
    """Return the folders of the repository with a package or module of this name."""
    repository = WorkTrees().locate_folder(docs)
    root = Path(repository.root) if repository else docs.parent
    return [each.parent for place in _PLACES for each in root.glob(f"{place}/{package}")]
