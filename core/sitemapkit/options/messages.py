"""What users are told about wrong settings."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from sitemapkit.languages.builds import OtherBuild
from sitemapkit.options.schema import (
    Feed,
    Git,
    News,
    OptionsSchema,
    PageRule,
    SourceRule,
    Spelling,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_DESCRIBED = r'(?m)^    (\w+): .*\n    """(.+)"""$'
_PATH = r"(?s)^(.*?)(?: - at (?:`key` in )?`\$\.?(.*)`)?$"
_CHOSEN = "[...]"
"""What msgspec writes for a key that the user chose, such as a language."""

_JARGON = r"Invalid enum value .*|Expected `str(?:ing)?` matching regex .*"
"""What says no more than the value and the text on what is allowed."""

_UNKNOWN = r"unknown field `(?P<name>.*?)`"


def explained(message: str, given: Mapping[str, Any], where: str, prefix: str) -> str:
    """Return what is wrong with the settings, by what msgspec says."""
    [(what, path)] = re.findall(_PATH, message)
    if unknown := re.search(_UNKNOWN, what):
        option = f"{path}.{unknown['name']}" if path else unknown["name"]
        near = _nearest(unknown["name"], _schema(option), "" if path else prefix)
        return f"{where}: unknown option {prefix + option!r}. {near}"
    known = path.replace(_CHOSEN, "")
    name = known.rpartition(".")[2].partition("[")[0] or _mentioned(what)
    allowed = descriptions(_schema(known)).get(name, "")
    value = f"{_value_at(path, given)!r} was given" if path else ""
    what = re.sub(_TYPES, lambda kind: _TYPE_WORDS[kind[0]], re.sub(_JARGON, "", what))
    # With a path, the names in a message are those of fields below it, not of options.
    said = "; ".join(filter(None, (value, what if path else Spelling(prefix=prefix).applied(what))))
    return f"{where}: option {prefix + (path or name)!r}: {said}. Allowed: {allowed}."


_TYPE_WORDS = {
    "array": "list",
    "object": "mapping",
    "str": "string",
    "int": "integer",
    "bool": "true or false",
    "null": "nothing",
}
_TYPES = rf"\b(?:{'|'.join(_TYPE_WORDS)})\b(?=[` ])"
"""What msgspec calls types, in JSON's words."""


def _nearest(name: str, schema: type[Struct], prefix: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only used in an error

    known = schema.__struct_fields__
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {prefix + near[0]!r}?"
    return f"Known options: {', '.join(prefix + name for name in sorted(known))}."


def _schema(path: str) -> type[Struct]:
    """Return the struct with the value at `path`."""
    parent, dot, _ = path.partition(".")
    if not dot:
        return OptionsSchema
    schemas = dict[str, type[Struct]](
        feed=Feed, git=Git, news=News, rules=PageRule, sources=SourceRule, languages=OtherBuild
    )
    return schemas[parent.partition("[")[0]]


def descriptions(schema: type[Struct]) -> Mapping[str, str]:
    """Return the allowed values of each field of a schema: the string below it in its file.

    Used by messages, the manual, the schema for editors and the help of the command line.
    """
    source = Path(sys.modules[schema.__module__].__file__ or "").read_text(encoding="utf-8")
    found = re.split(r"^class (\w+)", source, flags=re.MULTILINE)
    return dict(re.findall(_DESCRIBED, found[found.index(schema.__name__) + 1]))


def _mentioned(what: str) -> str:
    """Return the option that a message names in backquotes; other messages are about `base_url`."""
    named = re.search(r"`(\w+)`", what)
    return named[1] if named else "base_url"


def _value_at(path: str, given: Mapping[str, Any]) -> object:
    value: Any = given
    for step in re.findall(r"\w+", path.partition(_CHOSEN)[0]):
        value = [*value][int(step)] if step.isdigit() else value[step]  # it may be a set
    return value
