"""Which functions say what the commands print that a page documents."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

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
