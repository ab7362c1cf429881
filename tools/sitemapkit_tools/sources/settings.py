"""Settings, front matter and records of generators, read and never run.

Whatever cannot be read is a sentence in `problems`, and counts as if it were not there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sitemapkit.model import quoted
from sitemapkit_tools.bounds import MAX_PAGE, decode_json
from sitemapkit_tools.tables import (
    MAX_FRONT_MATTER,
    MAX_SETTINGS,
    TooMuchError,
    read_toml,
    read_yaml,
)
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    Table = Mapping[str, Any]

_T = TypeVar("_T")


def read_text(file: Path, inside: str = "", limit: int = MAX_PAGE) -> str:
    """Return the text of a file in the folder `inside`. Raises OSError if it is elsewhere."""
    return _plain(read_file(file, limit, inside=inside))


def _plain(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def read_table(file: Path, inside: str = "") -> Table:
    """Return what settings in TOML, YAML or JSON say. Raises OSError or ValueError."""
    text = read_text(file, inside, MAX_SETTINGS)
    if file.suffix == ".json":
        held: object = decode_json(text.encode(), object)
    else:
        held = read_toml(text) if file.suffix == ".toml" else read_yaml(text)
    if isinstance(held, Mapping):
        return cast("Table", held)
    if held is None:
        return {}
    raise ValueError("it is no table of names and values")


class Settings:
    """The settings of a project, by dotted names; what is wrong with them is in `problems`."""

    def __init__(self, file: Path, table: Table, problems: list[str]) -> None:
        """Hold what was read of a file."""
        self.table = table
        self._file = file
        self._problems = problems

    def get(self, name: str, default: _T) -> _T:
        """Return the setting of a name such as `book.src`, if it is of the default's type."""
        found = self.find(name)
        if found is None:
            return default
        if isinstance(found, type(default)) or (is_table(found) and is_table(default)):
            return cast("_T", found)
        kinds = {"str": "text", "bool": "true or false", "list": "a list", "dict": "a table"}
        allowed = kinds[type(default).__name__]
        self._problems.append(f"{self._file}: {name!r} is {quoted(found)}; allowed is {allowed}")
        return default

    def find(self, name: str) -> object:
        """Return the value of a setting, or None; names may have any case, as Hugo's do."""
        return _find(self.table, name.lower().split("."))


def _find(table: Table, parts: Sequence[str]) -> object:
    """Return the value in tables in tables; a name in them may have dots itself."""
    for size in range(1, len(parts) + 1):
        key = ".".join(parts[:size])
        found = next((each for name, each in table.items() if str(name).lower() == key), None)
        if found is not None:
            return _find(as_table(found), parts[size:]) if parts[size:] else found
    return None


def is_table(value: object) -> bool:
    """Return whether a value is a table of names and values."""
    return isinstance(value, Mapping)


def as_table(value: object) -> Table:
    """Return a value if it is a table, or else an empty one."""
    return cast("Table", value) if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[Any]:
    """Return a value if it is a list, or else an empty one."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


class Script:
    """Settings that are code: only literal values in them are known."""

    def __init__(self, text: str) -> None:
        """Take the text of a JavaScript or TypeScript file."""
        self._text = _COMMENT.sub(_without_comment, text)

    def get(self, name: str) -> str:
        """Return the first text that a property has, `true`, or "".

        `dir.output` is the first `output` after `dir: {`, and `setOutput()` what is given to one.
        """
        *outer, own = name.split(".")
        start = 0
        for each in outer:
            opened = re.compile(rf"{_property(each)}\{{").search(self._text, start)
            if not opened:
                return ""
            start = opened.end()
        before = rf"\b{own[:-2]}\(\s*+" if own.endswith("()") else _property(own)
        for found in re.compile(before).finditer(self._text, start):
            if value := _LITERAL.match(self._text, found.end()):
                return value["text"] or value["word"] or ""
        return ""


def _property(name: str) -> str:
    return rf"(?<![\w$.]){re.escape(name)}['\"]?\s*+:\s*+"


_STRING = r"""
    "(?: [^"\\\n]++ | \\. )*+ "?+   # one that is not closed ends with the line
    | '(?: [^'\\\n]++ | \\. )*+ '?+
    | `(?: [^`\\]++ | \\. )*+ `?+   # or with the file
"""
_COMMENT = re.compile(
    rf"""(?sx)
    (?P<string> {_STRING} )
    | //[^\n]*+                        # to the end of the line
    | /\* [^*]*+ (?: \*(?!/) [^*]*+ )*+ (?: \*/ | \Z )
    """
)
_LITERAL = re.compile(
    r"""(?x)
    (?P<quote>["'`]) (?P<text>[^"'`$\\\n]*+) (?P=quote)  # a string without escapes and variables
    | (?P<word>true\b)
    """
)


def _without_comment(found: re.Match[str]) -> str:
    return found["string"] or " "


def front_matter(file: Path, inside: str = "") -> Table:
    """Return the front matter of a text, in YAML or TOML.

    Raises OSError, or ValueError if it is none or has more than `MAX_FRONT_MATTER` characters.
    """
    if file.suffix == ".ipynb":
        top = _top_of_notebook(file, inside)
    else:
        top = _plain(read_file(file, _MOST_BYTES, cut=True, inside=inside))
    opening = _OPENING.match(top)
    closing = _CLOSING[opening[1]].search(top, opening.end()) if opening else None
    if opening and not closing and len(top) > MAX_FRONT_MATTER:
        raise TooMuchError(f"its front matter has more than {MAX_FRONT_MATTER:,} characters")
    if not (opening and closing):
        return {}
    read = read_toml if opening[1] == "+++" else read_yaml
    return as_table(read(top[opening.end() : closing.start()], MAX_FRONT_MATTER))


_MOST_BYTES = 4 * MAX_FRONT_MATTER + 4
"""Bytes of the longest front matter in UTF-8, with the mark and what follows the last line."""

_OPENING = re.compile(r"\s*(---|\+\+\+)[ \t]*\n")
_CLOSING = {
    "---": re.compile(r"(?m)^(?:---|\.\.\.)[ \t]*$"),
    "+++": re.compile(r"(?m)^\+\+\+[ \t]*$"),
}


def _top_of_notebook(file: Path, inside: str) -> str:
    """Return the text of the first cell of a notebook. Raises OSError or ValueError."""
    held = decode_json(read_file(file, MAX_NOTEBOOK, inside=inside), object)
    cells = as_list(as_table(held).get("cells"))
    source = as_table(cells[0]).get("source", "") if cells else ""
    return "".join(map(str, as_list(source))) or str(source)


MAX_NOTEBOOK = 64 * 1_048_576
"""Bytes that are read of a notebook, whose outputs may be pictures."""
