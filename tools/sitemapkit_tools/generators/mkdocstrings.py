"""Which Python objects a finished page shows, by the ids that mkdocstrings gives them."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from sitemapkit_tools.generators.settings import read_text
from textdates.parts import documented

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from textdates import Part

_OBJECT = re.compile(r' id="([^\W\d][\w.]*+)"(?:></a>| class="doc )')
_SHOWS_SOURCE = re.compile(r'<details class="(?:mkdocstrings-source|quote)">')
_MOST_STEPS = 8
"""Modules that an object is imported through."""


def shown_objects(html: str, docs: Path, roots: Sequence[Path]) -> Sequence[Part]:
    """Return the parts of Python files below `roots` that a page shows.

    The modules are read, not imported. An object that is in none of them does not count.
    """
    found = (_definition(name, roots) for name in dict.fromkeys(_OBJECT.findall(html)))
    objects = [each for each in found if each]
    source: Literal["all", "none"] = "all" if _SHOWS_SOURCE.search(html) else "none"
    return documented(objects, docs, source=source) if objects else ()


def _definition(path: str, roots: Sequence[Path], steps: int = _MOST_STEPS) -> _Place | None:
    """Return the file that defines an object, and its name there."""
    parts = path.split(".")
    for number in range(len(parts), 0, -1):
        for root in roots:
            module = root.joinpath(*parts[:number])
            for file in (module.with_name(f"{module.name}.py"), module / "__init__.py"):
                if file.is_file():
                    name = parts[number:]
                    package = parts[: number if file.name == "__init__.py" else number - 1]
                    elsewhere = _imported(file, package, name) if name and steps else ""
                    return (
                        _definition(elsewhere, roots, steps - 1)
                        if elsewhere
                        else (str(file), ".".join(name))
                    )
    return None


_Place = tuple[str, str]


def _imported(file: Path, package: Sequence[str], name: Sequence[str]) -> str:
    """Return the path of an object that a module imports under a name, or ""."""
    try:
        original = _imports(read_text(file), ".".join(package)).get(name[0])
    except OSError:  # then nothing is known of it
        return ""
    return ".".join((original, *name[1:])) if original else ""


MAX_CODE = 524_288
"""Characters of Python that are read: their tree takes up to 700 times as many bytes."""


def _statements(text: str) -> Sequence[ast.stmt]:
    """Return the statements of a module, which is not run; none if it cannot be read."""
    if len(text) > MAX_CODE:
        return ()
    try:
        with warnings.catch_warnings(action="ignore"):  # of old code
            return ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # also if nested too deeply
        return ()


@lru_cache(maxsize=8)  # a page shows many objects of one module
def _imports(text: str, package: str) -> Mapping[str, str]:
    """Return the paths of what a module imports, by the names there; none if it is no Python."""
    found: dict[str, str] = {}
    for node in _statements(text):
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: -node.level + 1 or None] if node.level else ()
            path = ".".join(filter(None, (*above, node.module)))
            for each in node.names:
                found.setdefault(each.asname or each.name, f"{path}.{each.name}")
    return found
