"""The components of each package, as the picture on the page about architecture shows them."""

from __future__ import annotations

import re

from .reader import PAGES, ROOT, blocks

DOORS = {"__init__", "__main__"}
"""Modules that stand above all components."""


def layers() -> dict[str, dict[str, int]]:
    """Return the components of each package, by its folder, with the lines on which they stand."""
    picture = next(
        each for each in blocks(PAGES / "architecture.md") if "core/textdates" in each.text
    )
    found: dict[str, dict[str, int]] = {}
    folder = ""
    for number, line in enumerate(picture.text.splitlines()):
        if start := re.match(r"\w+/\S+", line):
            folder = start[0]
        names = re.findall(r"\s(\w{2,}/?)", line)
        found.setdefault(folder, {}).update(dict.fromkeys(names, number))
    return found


def components(package: str) -> set[str]:
    """Return the components that a package has: its modules, and its folders with a slash."""
    folder = ROOT / package
    modules = {file.stem for file in folder.glob("*.py")}
    return modules - DOORS | {f"{file.parent.name}/" for file in folder.glob("*/__init__.py")}
