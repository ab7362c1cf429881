"""When did what a reader sees of a file, or of a part of it, last change? Git knows.

`TextDates` asks git once for all files. Changes that no reader sees do not count: front matter,
white space, markup that renders the same, renames. `textdates.parts` has the parts of files that
pages show: headings, what is between two markers, objects of Python code. See README.md.
"""

from textdates.compare.same import is_same_text
from textdates.dates import TextDates
from textdates.model import Cut, Diagnostic, FileOrPart, FilePath, Part, Rules, file_of

__all__ = [
    "Cut",
    "Diagnostic",
    "FileOrPart",
    "FilePath",
    "Part",
    "Rules",
    "TextDates",
    "file_of",
    "is_same_text",
]
