"""Settings, front matter and records of generators, read and never run.

Whatever cannot be read is a sentence in `problems`, and counts as if it were not there.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast

import yaml

from sitemapkit.model import quoted
from sitemapkit_tools.bounds import MAX_PAGE, MAX_SMALL_FILE
from textdates.bounds import read_file
from textdates.parts import stated_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    Table = Mapping[str, Any]

_T = TypeVar("_T")
_FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_FastLoader):  # type: ignore[misc]
    """Reads `!ENV`, `!!python/name` and other tags of generators as nothing."""


def _nothing(_loader: object, _tag: str, _node: object) -> None:
    """Stand for a value that only a generator knows."""


def _number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> object:
    """Return a number, or nothing for a long one: in base 60, such takes quadratic time."""
    is_whole = node.tag.endswith(":int")
    read = loader.construct_yaml_int if is_whole else loader.construct_yaml_float
    return read(node) if len(node.value) <= _LONGEST_NUMBER else None


_LONGEST_NUMBER = 100
_Loader.add_multi_constructor("", _nothing)  # what has no constructor of its own
for _kind in ("int", "float"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_kind}", _number)


def _of_yaml(text: str) -> object:
    return yaml.load(text, _Loader)  # noqa: S506 - it is a SafeLoader


def _of_toml(text: str) -> object:
    if _LONG_KEY.search(text):
        raise ValueError("a key has too many parts")
    return tomllib.loads(text)


_LONG_KEY = re.compile(r"(?:\.[ \t]*+[^.\s=\]]{1,100}+[ \t]*+){100}")
"""The parts of a dotted key; a reader of TOML takes quadratic time for them."""


def read_yaml(text: str) -> object:
    """Return the value in YAML. Raises ValueError."""
    return _decoded(text, _of_yaml)


def _decoded(text: str, read: Callable[[str], object]) -> object:
    """Return what a reader finds in a text. Raises ValueError.

    A value that is written once may stand for thousands in YAML, and each of these for thousands
    more, of which one word in a message would be too much.
    """
    try:
        held = read(text)
        size = _written_out(held, {})
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except (yaml.YAMLError, ArithmeticError, AttributeError, LookupError, TypeError) as error:
        # besides mistakes in YAML, a value that is none of its tag's, as in `!!int x`
        raise ValueError(" ".join(str(error).split())) from error
    if size > MOST_WRITTEN_OUT:
        raise ValueError("its aliases stand for too much text")
    return held


MOST_WRITTEN_OUT = 4 * MAX_PAGE
"""Characters of all values of a file where each alias is what it stands for."""


def _written_out(value: object, known: dict[int, int]) -> int:
    """Return about how many characters a value has where each alias is what it stands for."""
    if isinstance(value, str):
        return len(value)
    if id(value) not in known:
        known[id(value)] = MOST_WRITTEN_OUT  # if it is in itself
        known[id(value)] = 1 + sum(_written_out(each, known) for each in _values_in(value))
    return known[id(value)]


def _values_in(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return chain(cast("Table", value), cast("Table", value).values())
    return cast("Iterable[object]", value) if isinstance(value, list | tuple | set) else ()


def read_python(text: str) -> ast.Module:
    """Return the tree of Python, which is not run. Raises ValueError."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of old code
            return ast.parse(text)
    except SyntaxError as error:
        raise ValueError(str(error)) from error
    except (MemoryError, RecursionError):  # the former is the parser's own
        raise ValueError("it is nested too deeply") from None


def values_in_python(text: str) -> dict[str, Any]:
    """Return the literal values of names in Python, which is not run. Raises ValueError.

    Of several values of a name the last counts.
    """
    values: dict[str, Any] = {}
    for node in read_python(text).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            with suppress(ValueError, TypeError, RecursionError):
                value = ast.literal_eval(node.value)
                values.update({each.id: value for each in targets if isinstance(each, ast.Name)})
    return values


def read_text(file: Path) -> str:
    """Return the text of a settings file or a source. Raises OSError."""
    text = read_file(file, MAX_PAGE, cut=True).decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def read_table(file: Path) -> Table:
    """Return what settings in TOML, YAML or JSON say. Raises OSError or ValueError."""
    text = read_text(file)
    readers: Mapping[str, Any] = {".toml": _of_toml, ".json": json.loads}
    held = _decoded(text, readers.get(file.suffix, _of_yaml))
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
    """Return a value if it is a list, or else an empty one."""
    items: list[Any] = []
    return [*items, *value] if isinstance(value, list) else items  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


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
            end = found.end() + MAX_SMALL_FILE
            inner.text = self.text[found.end() : _closing(self.text, found.end(), end)]
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


def _closing(text: str, start: int, end: int) -> int:
    """Return where the brace that is open at `start` is closed, or `end` if it is not before."""
    depth = 1
    for found in _BRACE.finditer(text, start, end):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return found.start()
    return end


def front_matter(file: Path) -> Table:
    """Return the metadata at the top of a text. Raises OSError or ValueError."""
    text = _top_of_notebook(file) if file.suffix == ".ipynb" else read_text(file)
    if file.suffix == ".rst":
        return stated_in(text)
    if text.startswith("{"):
        try:
            held, _ = json.JSONDecoder().raw_decode(text[:MAX_SMALL_FILE])
        except (ValueError, RecursionError):  # a text may begin with a brace
            return {}
    else:
        opening = _OPENING.match(text)
        closing = opening and _CLOSING[opening[1]].search(text, opening.end(), MAX_SMALL_FILE)
        if not (opening and closing):
            return {}
        inner = text[opening.end() : closing.start()]
        held = _decoded(inner, _of_toml if opening[1] == "+++" else _of_yaml)
    return cast("Table", held) if isinstance(held, Mapping) else {}


_OPENING = re.compile(r"\s*(---|\+\+\+)[ \t]*\n")
_CLOSING = {
    "---": re.compile(r"(?m)^(?:---|\.\.\.)[ \t]*$"),
    "+++": re.compile(r"(?m)^\+\+\+[ \t]*$"),
}


def _top_of_notebook(file: Path) -> str:
    """Return the text of the first cell of a notebook. Raises OSError or ValueError."""
    try:
        held = json.loads(read_file(file, MAX_NOTEBOOK))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    cells = as_list(as_table(held).get("cells"))
    source = as_table(cells[0]).get("source", "") if cells else ""
    return "".join(map(str, as_list(source))) or str(source)


MAX_NOTEBOOK = 64 * 1_048_576
"""Bytes that are read of a notebook, whose outputs may be pictures."""
