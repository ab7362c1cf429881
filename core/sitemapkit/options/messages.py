"""What users are told about wrong settings: all that are wrong, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, cast, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, structs

from sitemapkit import installed
from sitemapkit.errors import OptionError
from sitemapkit.manual import page_of_options
from sitemapkit.model import nearest, own_name, quoted
from sitemapkit.options.schema import (
    FieldError,
    Names,
    OptionsSchema,
    by_schema,
    descriptions,
    schema_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sitemapkit.options.schema import Check

_BY_PAGE = ("priority", "changefreq")
"""What rules and pages state, and no option for the whole site."""

_Kind = Any
"""A type, as an annotation has it."""

_UNIONS: tuple[object, ...] = (Union, UnionType)


def refusal(  # noqa: PLR0913 - half of them keyword-only
    given: Mapping[str, Any],
    misplaced: Mapping[str, str],
    where: str,
    prefix: str,
    *,
    misnamed: Collection[str] = (),
    written: str = "",
) -> OptionError:
    """Return the error about wrong options: a line for each, and where the manual explains them.

    `misnamed` are settings that nothing reads; `written` is how an OPTION is set instead.
    """
    documented = _documented()
    lines: list[str] = []
    named: set[str] = set()
    for line in _wrong_options(given, misplaced, prefix):
        lines.append(f"{where}: {line}")
        name = re.match(rf"(?:unknown )?option '{re.escape(prefix)}(\w+)", line)
        if name and name[1] in documented:
            named.add(name[1])
    for setting in misnamed:
        option = nearest(own_name(setting) or "", _known()) or "OPTION"
        right = written.replace("OPTION", option)
        lines.append(f"{where}: nothing reads the setting {setting!r}; write `{right}`.")
    return OptionError("\n".join(lines), page_of_options(*named))


def _known() -> list[str]:
    """Return the names of all options."""
    return [*OptionsSchema.__struct_fields__, *installed.options()]


def _documented() -> set[str]:
    """Return the options that our manual explains."""
    names = {*OptionsSchema.__struct_fields__}
    for name, package in installed.names(installed.OPTIONS).items():
        if package == installed.OURS:
            names.update(installed.load(installed.OPTIONS, name).__struct_fields__)
    return names


def _wrong_options(
    given: Mapping[str, Any], misplaced: Mapping[str, str], prefix: str
) -> Iterator[str]:
    """Yield a sentence or two about each wrong option.

    `misplaced` are options that name a wrong path, and why; `prefix` precedes the name of an option
    in the user's settings.
    """
    for name, reason in misplaced.items():
        meaning = descriptions(schema_of(name) or OptionsSchema)[name]
        yield _refused(prefix + name, given[name], reason, _allowed(meaning))
    for schema, values in by_schema(given).items():
        yield from _wrong_fields(values, schema, prefix)


def _wrong_fields(given: Mapping[Any, Any], schema: type[Struct], start: str) -> Iterator[str]:
    """Yield what is wrong with the values for a schema; `start` precedes their names."""
    fields = {field.name: field for field in structs.fields(schema)}
    checks: Mapping[str, Check] = getattr(schema, "checks", {})
    meanings = descriptions(schema)
    found: list[str] = []
    for name, value in given.items():
        if name in fields:
            kind = fields[name].type
            found += _wrong_values(value, kind, start + name, meanings[name], checks.get(name))
        else:
            found.append(_unknown(str(name), schema, start))
    for name, field in fields.items():
        if field.required and name not in given:
            found.append(f"option {start + name!r} is missing{_allowed(meanings[name])}")
    # A value that is wrong in itself would be said twice.
    yield from found or _wrong_together(given, schema, start)


def _wrong_together(given: Mapping[Any, Any], schema: type[Struct], start: str) -> Iterator[str]:
    """Yield what is wrong with a value, each of which is right alone, because of another one."""
    values: dict[str, Any] = {}
    for field in structs.fields(schema):
        if field.name in given:
            values[field.name] = msgspec.convert(given[field.name], field.type)
    try:
        schema(**values)
    except FieldError as error:
        name = error.field
        meaning = descriptions(schema)[name]
        yield _refused(start + name, given[name], error.reason, _allowed(meaning))


def _unknown(name: str, schema: type[Struct], start: str) -> str:
    is_option = schema is OptionsSchema
    known = _known() if is_option else [*schema.__struct_fields__]
    prefix = start if is_option else ""
    near = nearest(name, [*known, *_BY_PAGE] if is_option else known)
    if is_option and near in _BY_PAGE:
        hint = f'Write it in {prefix + "rules"!r}, as in [{{match: "*", {near}: …}}].'
    elif near:
        hint = f"Did you mean {prefix + near!r}?"
    else:
        names = ", ".join(prefix + each for each in sorted(known))
        hint = f"Known options: {names}."
    return f"unknown option {start + name!r}. {hint}"


def _wrong_values(
    value: object,
    kind: _Kind,
    path: str,
    meaning: str,
    check: Check | None = None,
) -> Iterator[str]:
    """Yield what is wrong with a value, or else with the values in it."""
    reason = ""
    try:
        converted = msgspec.convert(value, kind)
        if check:
            check(converted)
    except msgspec.ValidationError:
        reason = ""  # the library's words are of the first mistake alone; ours are found below
    except ValueError as error:
        reason = str(error)
    else:
        if all(converted in names for names in _names(kind)):
            return
    inner = [*_wrong_inside(value, kind, path, meaning)]
    if inner:
        yield from inner
        return
    advice = _must_be(kind) or _allowed(meaning + _also(kind) + _one_of_list(value, meaning))
    if isinstance(value, str):
        near = nearest(value, _words(kind))
        if near:
            advice = f". Did you mean {near!r}?{advice[1:]}"
    yield _refused(path, value, reason, advice)


def _wrong_inside(value: object, kind: _Kind, path: str, meaning: str) -> Iterator[str]:
    """Yield what is wrong with the values in a mapping or list, if it may be one."""
    for each in _unfolded(kind)[0]:
        origin: object = get_origin(each)
        arguments = get_args(each)
        if isinstance(value, Mapping):
            inner = cast("Mapping[object, object]", value)
            if isinstance(each, type) and issubclass(each, Struct):
                yield from _wrong_fields(inner, each, f"{path}.")
            elif origin is dict and all(isinstance(key, str) for key in inner):
                for key, item in inner.items():
                    yield from _wrong_values(item, arguments[1], f"{path}.{key}", meaning)
        elif isinstance(value, Sequence | Set) and not isinstance(value, str) and origin is tuple:
            for number, item in enumerate(cast("Iterable[object]", value)):
                yield from _wrong_values(item, arguments[0], f"{path}[{number}]", meaning)


def _refused(path: str, value: object, reason: str, advice: str) -> str:
    """Return the sentences about a wrong value; a reason may begin with the value itself."""
    given = quoted(value)
    if reason.startswith(given):
        return f"option {path!r}: {reason}{advice}"
    why = f": {reason}" if reason else ""
    return f"option {path!r} is {given}{why}{advice}"


def _allowed(meaning: str) -> str:
    return f". Allowed: {meaning}." if meaning else "."


def _one_of_list(value: object, meaning: str) -> str:
    """Return what to do if the value is what should be in a list; "" if it is something else."""
    if not (value and isinstance(value, Mapping) and meaning.startswith("a list of {")):
        return ""
    first = next(iter(cast("Mapping[object, object]", value)))
    return f": put it into a list (in YAML, a dash before `{first}`)"


def _must_be(kind: _Kind) -> str:
    """Return what a number or a truth value must be; "" for what its description says better."""
    types, notes = _unfolded(kind)
    if NoneType in types:
        types.remove(NoneType)
    if types == [bool]:
        return "; it must be true or false."
    if types == [int]:
        number = "a whole number"
    elif types == [float]:
        number = "a number"
    else:
        return ""
    for note in notes:
        if isinstance(note, Meta) and note.ge is not None and note.le is not None:
            return f"; it must be {number} from {note.ge:,} to {note.le:,}."
    return f"; it must be {number}."


def _unfolded(kind: _Kind) -> tuple[list[_Kind], list[object]]:
    """Return the types that a value may have, and what annotations say about them."""
    origin: object = get_origin(kind)
    if origin is Annotated:
        inner, *said = get_args(kind)
        types, notes = _unfolded(inner)
        return types, [*said, *notes]
    if origin not in _UNIONS:
        return [kind], []
    all_types: list[_Kind] = []
    all_notes: list[object] = []
    for each in get_args(kind):
        types, notes = _unfolded(each)
        all_types += types
        all_notes += notes
    return all_types, all_notes


def _words(kind: _Kind) -> list[str]:
    """Return the words that a value may be."""
    words: list[str] = []
    for each in _unfolded(kind)[0]:
        origin: object = get_origin(each)
        if origin is Literal:
            words += get_args(each)
    for names in _names(kind):
        words += [*names.built_in, *names.added()]
    return words


def _names(kind: _Kind) -> list[Names]:
    """Return the names that a value may be."""
    return [note for note in _unfolded(kind)[1] if isinstance(note, Names)]


def _also(kind: _Kind) -> str:
    """Return which names installed packages add to those that a description has."""
    ours, others = "", ""
    for names in _names(kind):
        for name, package in names.added().items():
            if package == installed.OURS:
                ours += f", {name}"
            else:
                others += f"; {name}, of the package {package}"
    return ours + others
