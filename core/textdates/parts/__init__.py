"""The parts of files that pages show, each as the cut of a `Part`; and which files they are of."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textdates.parts.between import Between
    from textdates.parts.commands import functions_behind
    from textdates.parts.documented_code import documented, original_of
    from textdates.parts.excerpts import Excerpt, Phrases, excerpt_in, phrases_of
    from textdates.parts.headed import Draft, Headed, stated_in
    from textdates.parts.headings import Headings
    from textdates.parts.includes import Found, IncludeFinder, is_installed, mentions
    from textdates.parts.python_objects import PythonObjects
    from textdates.parts.shown import Published, Shown

__all__ = [
    "Between",
    "Draft",
    "Excerpt",
    "Found",
    "Headed",
    "Headings",
    "IncludeFinder",
    "Phrases",
    "Published",
    "PythonObjects",
    "Shown",
    "documented",
    "excerpt_in",
    "functions_behind",
    "is_installed",
    "mentions",
    "original_of",
    "phrases_of",
    "stated_in",
]

_NAMES = {
    "between": ("Between",),
    "commands": ("functions_behind",),
    "documented_code": ("documented", "original_of"),
    "excerpts": ("Excerpt", "Phrases", "excerpt_in", "phrases_of"),
    "headed": ("Draft", "Headed", "stated_in"),
    "headings": ("Headings",),
    "includes": ("Found", "IncludeFinder", "is_installed", "mentions"),
    "python_objects": ("PythonObjects",),
    "shown": ("Published", "Shown"),
}
"""By their modules."""


def __getattr__(name: str) -> object:
    """Load the module of a name when it is first used: most builds show few kinds of parts."""
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
