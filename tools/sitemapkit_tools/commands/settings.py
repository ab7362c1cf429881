"""Options of the schema: flags, `--set NAME=VALUE` and a TOML file, which the others override."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from sitemapkit.errors import OptionError, SitemapError
from sitemapkit.model import quoted
from sitemapkit.options import Options, OptionsSchema, descriptions, read_options, schema_of
from sitemapkit_tools.sources.settings import as_table, is_table
from sitemapkit_tools.tables import MAX_SETTINGS, read_toml
from textdates.bounds import is_file, is_there, read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project

    Decorator = Callable[[Any], Any]

_GIVEN = f"{__name__}.given"
"""Where click's context keeps the options that the command line sets, by their names."""

_CONFIG = f"{__name__}.config"


def schema_flags(*names: str) -> Decorator:
    """Give a command `--config`, `--set`, and flags of their own for these options of the schema.

    `given_options` returns what was given.
    """

    def decorate(command: Any) -> Any:  # noqa: ANN401 - as click's own decorators
        command = _set_option(_config_option(command))
        for name in reversed(names):
            command = _flag(name)(command)
        return command

    return decorate


def given_options(ctx: click.Context, *published: Path) -> Options:
    """Return the options that command line and file set. Raises OptionError for a wrong one.

    Without a file, the nearest sitemapkit.toml or pyproject.toml counts. Relative paths start from
    the current folder on the command line, and from the file's folder in the file. In folders that
    are `published` no record may stand.
    """
    given: dict[str, object] = ctx.meta.get(_GIVEN, {})
    config: Path | None = ctx.meta.get(_CONFIG)
    own = read_options(given, where="command line", root=Path.cwd(), published=published)
    file = config or _found_config()
    if not file:
        return own
    root = file.parent.absolute()
    held = read_options(_table(file), where=str(file), root=root, published=published)
    where = f"{file} or command line" if given else str(file)
    spelling = structs.replace(held.spelling, where=where)
    set_here: dict[str, Any] = {}
    for name in given:
        if name not in own.added:
            set_here[name] = getattr(own, name)
    return structs.replace(held, **set_here, added={**held.added, **own.added}, spelling=spelling)


def with_base(
    tree: OutputDir, options: Options, project: Project | None = None
) -> tuple[OutputDir, Options]:
    """Return a site and its options with the base URL given, or else with the one it states.

    After the site itself the settings of its project count. Raises SitemapError if none states it.
    """
    if options.base_url:
        return tree.served_at(options.base_url), options
    from sitemapkit_tools.site.base_url import find_base  # noqa: PLC0415 - 15 ms

    try:
        base_url = find_base(tree, project.base_url if project else None)
    except SitemapError as error:
        why = f" ({project.problems[0]})" if project and project.problems else ""
        raise SitemapError(f"{error}{why}") from error
    return tree.served_at(base_url), structs.replace(options, base_url=base_url)


def _found_config() -> Path | None:
    """Return the nearest settings, in the current folder or above it in the same repository."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        own, shared = folder / "sitemapkit.toml", folder / "pyproject.toml"
        if is_file(own):
            return own
        if is_file(shared) and _names_us(shared):
            return shared
        if is_there(folder / ".git"):
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


_config_option = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="TOML file with options; by default the nearest sitemapkit.toml, or pyproject.toml with"
    " [tool.sitemapkit].",
    expose_value=False,
    callback=_keep_config,
)


def _keep_set(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    """Keep what `--set images=true` sets."""
    for text in values:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not (name and equals):
            message = f"{quoted(text)} is not NAME=VALUE, as in --set images=true."
            raise click.BadParameter(message, param=parameter)
        _keep(ctx, parameter, name, _read_value(name, value))


_set_option = click.option(
    "--set",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option, over the file. VALUE is TOML, or else text; may be repeated.",
    expose_value=False,
    callback=_keep_set,
)

_REPEATED = ("exclude", "include", "formats")
"""Options whose flags may be repeated."""


def _flag(name: str) -> Decorator:
    """Return a flag for an option of the schema."""
    is_repeated = name in _REPEATED
    meaning = descriptions(OptionsSchema)[name]

    def keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:  # noqa: ANN401
        if value is None or value == ():
            return
        if name == "formats":  # no name has a comma, as a pattern may have
            value = ",".join(value).replace(" ", "").split(",")
        elif name == "robots":
            value = _read_value(name, value)
        _keep(ctx, parameter, name, value)

    return click.option(
        "--" + name.replace("_", "-"),
        name,
        help=f"{meaning}; may be repeated" if is_repeated else meaning,
        multiple=is_repeated,
        metavar="TEXT",
        expose_value=False,
        callback=keep,
    )


def _keep(ctx: click.Context, parameter: click.Parameter, name: str, value: object) -> None:
    """Keep the value of an option. Raises BadParameter if it has one already."""
    given: dict[str, object] = ctx.meta.setdefault(_GIVEN, {})
    if name in given:
        message = (
            f"the option {quoted(name)} is set twice; set it once. A list is one value, as in"
            """ --set 'exclude=["drafts/", "*.pdf"]'."""
        )
        raise click.BadParameter(message, param=parameter)
    given[name] = value


def _read_value(name: str, text: str) -> object:
    """Return the value in TOML, such as `true`, `2`, `["a"]` or `{count = 5}`, or else the text.

    A number or a day is text for an option that takes none: a shell leaves no quotes around it.
    """
    try:
        held = read_toml(f"value = {text}")
    except ValueError:
        return text
    if len(held) > 1:
        return text
    value: object = held["value"]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    takes_numbers = isinstance(_default(name), int)
    return text if (is_number or isinstance(value, date)) and not takes_numbers else value


def _default(name: str) -> object:
    """Return the default of an option; 0 if there is no such option."""
    schema = schema_of(name)
    for field in structs.fields(schema) if schema else ():
        if field.name == name:
            return field.default
    return 0
