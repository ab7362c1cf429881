"""Which files of a repository say what commands print whose output a page shows."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textdates.bounds import is_file
from textdates.parts.documented_code import folders_with

if TYPE_CHECKING:
    from collections.abc import Iterator


def functions_behind(module: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the file and name of each function behind a command of Click and its subcommands.

    The module is imported, which the page's generator has done. Raises what its code does.
    """
    command = getattr(import_module(module), name)
    commands: list[Any] = [command]
    for each in commands:  # it grows
        subcommands = getattr(each, "commands", {})
        commands += subcommands.values()
        callback = getattr(each, "callback", None)
        if not callback:
            continue
        function = inspect.unwrap(callback)
        if code := getattr(function, "__code__", None):
            yield code.co_filename, function.__qualname__


def module_files(name: str, docs: Path) -> list[str]:
    """Return the file of a module, or those that run first in a package.

    None: the repository with `docs` does not have it.
    """
    place = Path(*filter(str.isidentifier, name.split(".")))
    if not place.name:
        return []
    top = place.parts[0]
    folders = dict.fromkeys([*folders_with(top, docs), *folders_with(f"{top}.py", docs)])
    files: list[str] = []
    for folder in folders:
        module = folder / place
        for file in (module.with_suffix(".py"), module / "__init__.py", module / "__main__.py"):
            if is_file(file):
                files.append(str(file))
    return files
