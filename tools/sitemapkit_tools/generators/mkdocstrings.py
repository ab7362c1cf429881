"""Which Python objects a finished page shows, by the ids that mkdocstrings gives them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from sitemapkit_tools.generators.settings import read_python, read_text
from textdates.parts import documented

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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
    return documented(objects, docs, source=bool(_SHOWS_SOURCE.search(html))) if objects else ()


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
    for module, original, own in _imports(file, package):
        if own == name[0]:
            return ".".join((module, original, *name[1:]))
    return ""


def _imports(file: Path, package: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the modules that a file imports from, with the name there and here."""
    try:
        tree = read_python(read_text(file))
    except (OSError, ValueError):  # then nothing is known of it
        return
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            above = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (above, node.module)))
            yield from ((module, each.name, each.asname or each.name) for each in node.names)
