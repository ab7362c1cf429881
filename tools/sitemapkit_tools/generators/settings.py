"""Settings, front matter and records of generators, read and never run.

Whatever cannot be read is a sentence in `problems`, and counts as if it were not there.
"""

from __future__ import annotations

import ast
import posixpath
import re
import warnings
from collections.abc import Mapping
from contextlib import suppress
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
from textdates.parts import stated_in

if TYPE_CHECKING:
    from pathlib import Path

    Table = Mapping[str, Any]

_T = TypeVar("_T")


def read_python(text: str) -> ast.Module:
    """Return the tree of Python, which is not run. Raises ValueError."""
    if len(text) > MAX_CODE:
        raise TooMuchError(f"it has more than {MAX_CODE:,} characters")
    try:
        with warnings.catch_warnings(action="ignore"):  # of old code
            return ast.parse(text)
    except SyntaxError as error:
        raise ValueError(str(error)) from error
    except (MemoryError, RecursionError):  # the former is the parser's own
        raise TooMuchError("it is nested too deeply") from None


def values_in_python(text: str) -> dict[str, Any]:
    """Return the values of names in Python that are literals, or paths. Raises ValueError.

    Nothing is run. Of several values of a name the last counts.
    """
    values: dict[str, Any] = {"__file__": "settings"}
    for node in read_python(text).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            with suppress(ValueError, TypeError, RecursionError):
                value = _value(node.value, values)
                values.update({each.id: value for each in targets if isinstance(each, ast.Name)})
    del values["__file__"]
    return values


def _value(node: ast.expr, known: Table) -> object:
    """Return a literal, a path or a list of paths. Raises what `_literal` does."""
    try:
        return _literal(node)
    except ValueError:
        if isinstance(node, ast.List):
            return [_path(each, known) for each in node.elts]
        return _path(node, known)


def _path(node: ast.expr, known: Table) -> str:
    """Return a path that is made of texts and of the place of the settings, below their folder.

    Raises ValueError or RecursionError.
    """
    parts = list[str]()
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name) if isinstance(known.get(name), str):
            return str(known[name])
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            parts = [_path(left, known), _path(right, known)]
        case ast.Call(
            func=ast.Attribute(attr="join", value=ast.Name() | ast.Attribute())
            | ast.Name(id="join")
        ):
            parts = [_path(each, known) for each in node.args]
        case (
            ast.Attribute(attr=name, value=path)
            | ast.Call(func=ast.Attribute(attr=name, value=path), args=[])
            | ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[path])
        ) if name in _MOVES:
            parts = [_path(path, known), _MOVES[name]]
        case _:
            pass
    found = posixpath.normpath(posixpath.join(*parts)) if parts else ""
    if not 0 < len(found) <= MAX_PATH:
        raise ValueError("it is no path that is known")
    return found


_MOVES = {
    **dict.fromkeys(("parent", "dirname"), ".."),
    **dict.fromkeys(("Path", "str", "abspath", "realpath", "normpath", "resolve", "absolute"), "."),
}
"""Where functions and properties of paths lead, as far as they are known."""

MAX_PATH = 4_096
"""Characters of a path: names that stand for one might double it again and again."""


def _literal(node: ast.expr) -> object:
    """Return a literal value whose keys are text: numbers may be made to collide.

    Raises ValueError, TypeError or RecursionError.
    """
    for each in ast.walk(node):
        keys = each.keys if isinstance(each, ast.Dict) else ()
        if isinstance(each, ast.Set) or not all(map(_is_text, keys)):
            raise ValueError("a key is no text")
    return ast.literal_eval(node)


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


MAX_CODE = 524_288
"""Characters of Python that are read: their tree takes up to 700 times as many bytes."""


def read_text(file: Path, inside: str = "", limit: int = MAX_PAGE) -> str:
    """Return the text of a file in the folder `inside`. Raises OSError if it is elsewhere."""
    return _plain(read_file(file, limit, inside=inside))


def _plain(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def read_table(file: Path, inside: str = "") -> Table:
    """Return what settings in TOML, YAML, JSON or Python say. Raises OSError or ValueError."""
    text = read_text(file, inside, MAX_SETTINGS)
    if file.suffix == ".py":
        return values_in_python(text)
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
        found: object = self.table
        for part in name.split("."):
            found = as_table(found).get(part)
            if found is None:
                return default
        if isinstance(found, type(default)) or (is_table(found) and is_table(default)):
            return cast("_T", found)
        kinds = {"str": "text", "bool": "true or false", "list": "a list", "dict": "a table"}
        allowed = kinds[type(default).__name__]
        self._problems.append(f"{self._file}: {name!r} is {quoted(found)}; allowed is {allowed}")
        return default


def is_table(value: object) -> bool:
    """Return whether a value is a table of names and values."""
    return isinstance(value, Mapping)


def as_table(value: object) -> Table:
    """Return a value if it is a table, or else an empty one."""
    return cast("Table", value) if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[Any]:
    """Return a value if it is a list, or a tuple of Python, or else an empty one."""
    items: list[Any] = []
    return [*items, *value] if isinstance(value, list | tuple) else items  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def by_name(given: object) -> dict[str, Any]:
    """Return the settings of each plugin in a table, or in a list of names and tables."""
    tables = [as_table(each) or {str(each): {}} for each in as_list(given)]
    return {str(name): each for table in (*tables, as_table(given)) for name, each in table.items()}


class Script:
    """Settings that are code: only literal values in them are known."""

    def __init__(self, text: str) -> None:
        """Take the text of a JavaScript or TypeScript file."""
        self.text = _COMMENT.sub(_without_comment, text)

    def get(self, name: str, default: str = "") -> str:
        """Return the first literal value of a property, as text (`true`, `docs`)."""
        key = re.escape(name)
        for found in re.finditer(rf"(?<![\w$.]){key}['\"]?\s*+:\s*+", self.text):
            if value := _LITERAL.match(self.text, found.end()):
                return value["word"] or next(filter(None, value.group("a", "b", "c")), "")
        return default

    def argument(self, function: str) -> str:
        """Return the literal that is given to the first call of a function, or ""."""
        found = re.search(rf"\b{re.escape(function)}\(\s*+", self.text)
        value = found and _LITERAL.match(self.text, found.end())
        return next(filter(None, value.group("a", "b", "c")), "") if value else ""

    def object(self, name: str) -> Script:
        """Return what is in the braces of the first property of this name, or nothing."""
        inner = Script("")
        if found := re.search(rf"(?<![\w$.]){re.escape(name)}['\"]?\s*+:\s*+\{{", self.text):
            inner.text = self.text[found.end() : _closing(self.text, found.end())]
        return inner


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
    "(?P<a>[^"\\\n]*+)" | '(?P<b>[^'\\\n]*+)' | `(?P<c>[^`$\\]*+)`
    | (?P<word> true\b | false\b | null\b | undefined\b )
    """
)
_BRACE = re.compile(rf"(?sx) [{{}}] | {_STRING}")


def _without_comment(found: re.Match[str]) -> str:
    return found["string"] or " "


def _closing(text: str, start: int) -> int:
    """Return where the brace that is open at `start` is closed, or the end if it is not."""
    depth = 1
    for found in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return found.start()
    return len(text)


def front_matter(file: Path, inside: str = "") -> Table:
    """Return the front matter of a text, in YAML or TOML, or the fields of reStructuredText.

    Raises OSError, or ValueError if it is none or has more than `MAX_FRONT_MATTER` characters.
    """
    if file.suffix == ".rst":
        return stated_in(read_text(file, inside))
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
