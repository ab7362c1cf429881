"""Settings and front matter in YAML and TOML: data alone, up to a size, a depth and a count.

PyYAML only splits YAML into events. Its constructors, in every release, work without end on a few
hundred bytes of merges; and they know tags of programs, and numbers that are slow to compare.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_SETTINGS = 1_048_576
"""Characters of a file of settings, and also where each alias in it is what it stands for."""

MAX_FRONT_MATTER = 65_536
"""Characters of the front matter of a text, its aliases likewise."""

MAX_LEVELS = 100
"""Levels of tables and lists in each other, and parts of a key in TOML."""

_LONGEST_NUMBER = 100
"""Digits: in base 60, longer numbers take quadratic time."""

_FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_COLLECTIONS = (None, "!", *(f"{_TAG}{name}" for name in ("map", "omap", "pairs", "seq", "set")))
_MERGE = object()
"""The key `<<`."""


class TableError(ValueError):
    """What is wrong with a text, and on which line of it, from 1; 0 if that is not known."""

    def __init__(self, problem: str, line: int = 0) -> None:
        """Say what and where."""
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.problem, self.line = problem, line


class TooMuchError(TableError):
    """A text is beyond a limit, which the generator may not have."""


def read_yaml(text: str, limit: int = MAX_SETTINGS) -> object:
    """Return the value in YAML, whose keys are text.

    What only a program knows (`!ENV`, `!!python/name`) is None, and so is a number of more than a
    hundred digits.

    Raises TableError.
    """
    _refuse_longer(text, limit)
    loader = _FastLoader(text)
    try:
        return _Yaml(loader, limit).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join(str(getattr(error, "problem", None) or error).split())
        raise TableError(problem, mark.line + 1 if mark else 0) from error
    finally:
        loader.dispose()


def read_toml(text: str, limit: int = MAX_SETTINGS) -> Mapping[str, Any]:
    """Return the table in TOML. Raises ValueError."""
    _refuse_longer(text, limit)
    if _LONG_KEY.search(text):
        raise TooMuchError(f"a key has more than {MAX_LEVELS} parts")
    import tomllib  # noqa: PLC0415 - builds read none

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise TooMuchError("it is nested too deeply") from None


_LONG_KEY = re.compile(
    rf"""(?x) (?<![\w\\-])  # nor inside a text
    (?:
        (?: [\w-]++ | "(?: [^"\\\n]++ | \\. )*+" | '[^'\n]*+' )  # a part, bare or quoted
        [ \t]*+ \. [ \t]*+
    ){{{MAX_LEVELS}}}"""
)
"""A dotted key for which a reader of TOML takes quadratic time."""


def _refuse_longer(text: str, limit: int) -> None:
    if len(text) > limit:
        raise TooMuchError(f"it has more than {limit:,} characters")


class _Anchored(NamedTuple):
    """What an alias stands for."""

    value: object
    size: int
    """Characters of it."""


class _Yaml:
    """Reads the events of one document; what is written once is read once."""

    def __init__(self, loader: Any, limit: int) -> None:  # noqa: ANN401 - has no type
        """Take what splits a text into events."""
        self._loader = loader
        self._limit = limit
        self._size = 0
        """Characters so far, each alias written out."""
        self._anchored: dict[str, _Anchored | None] = {}
        """None for what is not read to its end."""

    def document(self) -> object:
        """Return the value of the only document, None if there is none."""
        self._loader.get_event()
        if self._loader.check_event(yaml.StreamEndEvent):
            return None
        self._loader.get_event()
        value = self._value(self._loader.get_event(), 0)
        self._loader.get_event()
        if not self._loader.check_event(yaml.StreamEndEvent):
            raise TableError("there is a second document", _line(self._loader.get_event()))
        return value

    def _value(self, event: Any, level: int) -> object:  # noqa: ANN401 - one of several
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if level > MAX_LEVELS:
            raise TooMuchError("it is nested too deeply", _line(event))
        start = self._size
        if event.anchor:
            self._anchored[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            value = self._scalar(event)
        else:
            read = self._table if isinstance(event, yaml.MappingStartEvent) else self._list
            held = read(level)
            value = held if event.tag in _COLLECTIONS else None
        if event.anchor:
            self._anchored[event.anchor] = _Anchored(value, self._size - start)
        return value

    def _alias(self, event: Any) -> object:  # noqa: ANN401 - as above
        known = self._anchored.get(event.anchor)
        if not known:
            problem = "is in itself" if event.anchor in self._anchored else "stands for nothing"
            raise TableError(f"the alias *{event.anchor:.100} {problem}", _line(event))
        self._count(known.size)
        return known.value

    def _count(self, size: int) -> None:
        """Count characters; what else is done with them takes time in proportion."""
        self._size += size
        if self._size > self._limit:
            limit = f"{self._limit:,} characters"
            raise TooMuchError(f"with each alias written out it has more than {limit}")

    def _table(self, level: int) -> Mapping[object, object]:
        self._count(1)
        own: dict[object, object] = {}
        merged: list[object] = []
        while not isinstance(event := self._loader.get_event(), yaml.MappingEndEvent):
            key = self._key(event)
            value = self._value(self._loader.get_event(), level + 1)
            if key is not _MERGE:
                own[key] = value
            else:  # of several tables, the first counts
                tables = cast("list[object]", value) if isinstance(value, list) else [value]
                merged += reversed(tables)
        inherited: dict[object, object] = {}
        for each in merged:
            inherited.update(
                cast("Mapping[object, object]", each) if isinstance(each, dict) else {}
            )
        return inherited | own if inherited else own

    def _key(self, event: Any) -> object:  # noqa: ANN401 - as above
        if not isinstance(event, yaml.ScalarEvent):
            raise TableError("a key is no text", _line(event))
        self._count(len(event.value) or 1)
        return _MERGE if event.value == "<<" and event.implicit[0] else event.value

    def _list(self, level: int) -> list[object]:
        self._count(1)
        items: list[object] = []
        while not isinstance(event := self._loader.get_event(), yaml.SequenceEndEvent):
            items.append(self._value(event, level + 1))
        return items

    def _scalar(self, event: Any) -> object:  # noqa: ANN401 - as above
        text: str = event.value
        self._count(len(text) or 1)
        given = event.tag if event.tag != "!" else f"{_TAG}str"
        tag: str = given or self._loader.resolve(yaml.ScalarNode, text, event.implicit)
        kind = tag.removeprefix(_TAG)
        if kind in ("int", "float") and len(text) > _LONGEST_NUMBER:
            return None
        read = _SCALARS.get(kind)
        if not read:
            return None if given else text
        try:
            return read(self._loader, yaml.ScalarNode(tag, text))
        except (ArithmeticError, AttributeError, LookupError, ValueError) as error:
            # a day that does not exist, or a value that is none of its tag's, as in `!!int x`
            raise TableError(str(error), _line(event)) from error


_SCALARS: Mapping[str, Callable[[Any, yaml.ScalarNode], object]] = {
    kind: yaml.SafeLoader.yaml_constructors[_TAG + kind]
    for kind in ("bool", "float", "int", "null", "str", "timestamp")
}


def _line(event: Any) -> int:  # noqa: ANN401 - as above
    line: int = event.start_mark.line
    return line + 1
