"""When did what a reader sees of a file, or of a part of it, last change? Git knows.

`TextDates` asks git once for all files. Changes that no reader sees do not count: front matter,
white space, markup that renders the same, renames. `textdates.parts` has the parts of files that
pages show: headings, what is between two markers, objects of Python code. See README.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textdates.compare.same import is_same_text
    from textdates.dates import TextDates
    from textdates.git.history import Known
    from textdates.model import Cut, Diagnostic, FileOrPart, FilePath, Part, Rules, file_of

__all__ = [
    "Cut",
    "Diagnostic",
    "FileOrPart",
    "FilePath",
    "Known",
    "Part",
    "Rules",
    "TextDates",
    "file_of",
    "is_same_text",
]

_MODULES = {"Known": "git.history", "TextDates": "dates", "is_same_text": "compare.same"}
"""The modules of names that are not in `model`."""


def __getattr__(name: str) -> object:
    """Load the module of a name when it is first used: `bounds` is of use without git and texts."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'model')}"), name)
