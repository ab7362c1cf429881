"""Options of the schema, as flags and from a TOML file; a flag overrides the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from msgspec import inspect, structs

from sitemapkit.errors import OptionError, SitemapError
from sitemapkit.model import quoted
from sitemapkit.options import Options, OptionsSchema, descriptions, read_options
from sitemapkit_tools.console import as_flags
from sitemapkit_tools.generators.settings import as_table, is_table
from sitemapkit_tools.tables import MAX_SETTINGS, read_toml
from textdates.bounds import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sitemapkit_tools.generators.project import BaseProject
    from sitemapkit_tools.site.output_dir import OutputDir

    Decorator = Callable[[Any], Any]

_GIVEN = f"{__name__}.given"
"""Where click's context keeps the options of the schema that were given as flags."""

_CONFIG = f"{__name__}.config"


def schema_flags(*names: str) -> Decorator:
    """Give a command `--config`, and flags for these options of the schema, or for all if none.

    `given_options` returns what was given.
    """

    def decorate(command: Any) -> Any:  # noqa: ANN401 - as click's own decorators
        command = _config_flag(command)
        for flag in reversed([*_flags(names)]):
            command = flag(command)
        return command

    return decorate


def given_options(ctx: click.Context, project: BaseProject | None = None) -> Options:
    """Return the options that flags and file set. Raises OptionError for a wrong one.

    Without a file, the settings of a `project` count, or else the nearest sitemapkit.toml or
    pyproject.toml. Relative paths start from the current folder in flags, and from the file's
    folder in the file.
    """
    given: dict[str, object] = ctx.meta.get(_GIVEN, {})
    config: Path | None = ctx.meta.get(_CONFIG)
    try:
        flags = read_options(given, where="command line", prefix="--", root=Path.cwd())
    except OptionError as error:
        raise OptionError(as_flags(str(error)), error.link) from error
    file: Path | None
    prefix = ""
    if project and not config and (stated := project.stated_options()):
        file, prefix = project.file, project.option_prefix
    elif file := config or _found_config():
        stated = _table(file)
    else:
        return flags
    held = read_options(stated, where=str(file), prefix=prefix, root=file.parent.absolute())
    where = f"{file} or command line" if given else str(file)
    spelling = structs.replace(held.spelling, where=where)
    given_flags = {name: getattr(flags, name) for name in given}
    return structs.replace(held, **given_flags, spelling=spelling)


def with_base(
    tree: OutputDir, options: Options, project: BaseProject | None = None
) -> tuple[OutputDir, Options]:
    """Return a site and its options with the base URL given, or else with the one it states.

    After the site itself the settings of its project count. Raises SitemapError if none states it.
    """
    if options.base_url:
        return tree.served_at(options.base_url), options
    from sitemapkit_tools.site.base_url import find_base  # noqa: PLC0415 - 15 ms

    try:
        base_url = find_base(tree, project.base_url() if project else None)
    except SitemapError as error:
        why = f" ({project.problems[0]})" if project and project.problems else ""
        raise SitemapError(f"{error}{why}") from error
    return tree.served_at(base_url), structs.replace(options, base_url=base_url)


def _found_config() -> Path | None:
    """Return the nearest settings, in the current folder or above it in the same repository."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        own, shared = folder / "sitemapkit.toml", folder / "pyproject.toml"
        if own.is_file():
            return own
        if shared.is_file() and _names_us(shared):
            return shared
        if (folder / ".git").exists():
            return None
    return None


def _names_us(file: Path) -> bool:
    try:
        return b"[tool.sitemapkit" in read_file(file, MAX_SETTINGS)
    except OSError as error:
        raise OptionError(f"{file} cannot be read: {error}") from error


def _table(file: Path) -> Mapping[str, Any]:
    try:
        held = read_toml(read_file(file, MAX_SETTINGS).decode())
    except (OSError, ValueError) as error:
        raise OptionError(f"{file} cannot be read as TOML: {error}") from error
    if file.name == "pyproject.toml":
        held = as_table(held.get("tool")).get("sitemapkit", {})
        if not is_table(held):
            raise OptionError(
                f"{file}: 'tool.sitemapkit' is {quoted(held)}; allowed is a table of options"
            )
    return held


def _keep_config(ctx: click.Context, _: click.Parameter, value: Path | None) -> None:
    ctx.meta[_CONFIG] = value


_config_flag = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="TOML file with options; by default the nearest sitemapkit.toml, or pyproject.toml with"
    " [tool.sitemapkit], here or above.",
    expose_value=False,
    callback=_keep_config,
)


def _flags(names: tuple[str, ...]) -> Iterator[Decorator]:
    """Yield a click option for each option of the schema, of the kind that suits its type."""
    info = inspect.type_info(OptionsSchema)
    help_texts = descriptions(OptionsSchema)
    for field in info.fields if isinstance(info, inspect.StructType) else ():
        if not names or field.name in names:
            yield _flag(field.name, field.type, help_texts[field.name])


def _flag(name: str, kind: inspect.Type, help_text: str) -> Decorator:
    flag = "--" + name.replace("_", "-")
    kind = _bare(kind)
    types = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    many = any(isinstance(each, inspect.VarTupleType) for each in types)
    words = _words(types)
    spelling: dict[str, Any] = {"metavar": "TEXT"}

    table = any(_is_table(each) for each in types)
    names = name in _LISTS_OF_NAMES

    def keep(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
        if value not in (None, ()):
            given = _split(value) if names else value
            read = _from_toml(given, parameter) if table else _plain(given, words)
            ctx.meta.setdefault(_GIVEN, {})[name] = read

    if isinstance(kind, inspect.BoolType):
        flag, spelling = f"{flag}/--no-{flag[2:]}", {"default": None}
    elif isinstance(kind, inspect.IntType):
        spelling = {"type": int, "metavar": "N"}
    elif table:
        spelling = {"metavar": "TOML"}
    return click.option(
        flag,
        name,
        help=f"{help_text}; may be repeated" if many else help_text,
        multiple=many,
        expose_value=False,
        callback=keep,
        **spelling,
    )


_LISTS_OF_NAMES = ("formats", "lastmod")
"""Options whose values may also be separated by commas: names have none, as patterns may have."""


def _split(value: object) -> object:
    """Return the names in `xml,html`."""
    if not isinstance(value, tuple):
        return value
    parts = (each.strip() for text in cast("tuple[str, ...]", value) for each in text.split(","))
    return tuple(part for part in parts if part)


def _bare(kind: inspect.Type) -> inspect.Type:
    """Return a type without what is said about it."""
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _words(types: tuple[inspect.Type, ...]) -> Mapping[str, object]:
    """Return the words that may be given in place of a list, and what they mean."""
    words: dict[str, object] = {}
    for kind in types:
        if isinstance(kind, inspect.BoolType):
            words |= {"true": True, "false": False}
        elif isinstance(kind, inspect.LiteralType):
            words |= {str(value): value for value in kind.values}
    return words


def _is_table(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.VarTupleType):
        return _is_table(_bare(kind.item_type))
    return isinstance(kind, inspect.StructType | inspect.DictType)


def _plain(value: object, words: Mapping[str, object]) -> object:
    alone = _alone(value)
    return value if alone is None else words.get(alone, value)


def _alone(value: object) -> str | None:
    values = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
    return values[0] if len(values) == 1 and isinstance(values[0], str) else None


def _from_toml(value: object, parameter: click.Parameter) -> object:
    """Read `{match = "blog/*", priority = 0.8}`, or a list of such values."""
    if isinstance(value, tuple):
        read: list[object] = []
        for each in cast("tuple[object, ...]", value):
            one = _from_toml(each, parameter)
            read += cast("list[object]", one) if isinstance(one, list) else [one]
        return read
    try:
        return read_toml(f"value = {value}")["value"]
    except ValueError as error:
        allowed = cast("click.Option", parameter).help
        message = f"{value!r:.200} is not a TOML value. Allowed: {allowed}"
        raise click.BadParameter(message, param=parameter) from error
