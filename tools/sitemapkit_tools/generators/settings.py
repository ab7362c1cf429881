"""Settings, front matter and records of generators, read and never run.

Whatever cannot be read is a sentence in `problems`, and counts as if it were not there.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

import yaml

from sitemapkit_tools.bounds import MAX_PAGE, MAX_SMALL_FILE, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Table = Mapping[str, Any]

_T = TypeVar("_T")
_FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_FastLoader):  # type: ignore[misc]
    """Reads `!ENV`, `!!python/name` and other tags of generators as nothing."""


def _nothing(_loader: object, _tag: str, _node: object) -> None:
    """Stand for a value that only a generator knows."""


_Loader.add_multi_constructor("", _nothing)  # what has no constructor of its own


def read_yaml(text: str) -> object:
    """Return the value in YAML. Raises ValueError."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - it is a SafeLoader
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(" ".join(str(error).split())) from error


def read_text(file: Path) -> str:
    """Return the text of a settings file or a source. Raises OSError."""
    text = read_file(file, MAX_PAGE, cut=True).decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def read_table(file: Path) -> Table:
    """Return what settings in TOML, YAML or JSON say. Raises OSError or ValueError."""
    text = read_text(file)
    readers: Mapping[str, Any] = {".toml": tomllib.loads, ".json": json.loads}
    try:
        held = readers.get(file.suffix, read_yaml)(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
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
        self._problems.append(f"{self._file}: {name!r} is {found!r:.80}; allowed is {allowed}")
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

    def objects(self, name: str) -> Iterator[Script]:
        """Yield what is in the braces of each property of this name."""
        for found in re.finditer(rf"(?<![\w$.]){re.escape(name)}['\"]?\s*+:\s*+\{{", self.text):
            inner = Script("")
            inner.text = self.text[found.end() : _closing(self.text, found.end())]
            yield inner

    def object(self, name: str, *keys: str) -> Script:
        """Return the first object of this name that has one of the keys, or nothing."""
        found = (each for each in self.objects(name) if not keys or any(map(each.get, keys)))
        return next(found, Script(""))


_COMMENT = re.compile(
    r"""(?sx)
    (?P<string> "(?:[^"\\\n]++|\\.)*+" | '(?:[^'\\\n]++|\\.)*+' | `(?:[^`\\]++|\\.)*+` )
    | //[^\n]*+                             # to the end of the line
    | /\* [^*]*+ (?: \*(?!/) [^*]*+ )*+ (?: \*/ | \Z )
    """
)
_LITERAL = re.compile(
    r"""(?x)
    "(?P<a>[^"\\\n]*+)" | '(?P<b>[^'\\\n]*+)' | `(?P<c>[^`$\\]*+)`
    | (?P<word> true\b | false\b | null\b | undefined\b )
    """
)
_BRACE = re.compile(
    r"""(?s)[{}]|"(?:[^"\\\n]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`"""
)


def _without_comment(found: re.Match[str]) -> str:
    return found["string"] or " "


def _closing(text: str, start: int) -> int:
    """Return where the brace that is open at `start` is closed."""
    depth = 1
    for found in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return found.start()
    return len(text)


def front_matter(file: Path) -> Table:
    """Return the front matter of a text, in YAML, TOML or JSON. Raises OSError or ValueError."""
    text = _top_of_notebook(file) if file.suffix == ".ipynb" else read_text(file)
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
        held = (tomllib.loads if opening[1] == "+++" else read_yaml)(inner)
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
