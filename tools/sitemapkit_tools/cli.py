"""The command line: a group of commands, each imported only when it is called."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from typing import cast

import click

import sitemapkit
from sitemapkit.errors import SitemapError, UndatedError
from sitemapkit.manual import project_link
from sitemapkit_tools import removed
from sitemapkit_tools.console import echo, safe
from textdates.bounds import is_there

COMMANDS = ("build", "check", "diff", "explain", "merge", "submit")


_MISTAKE = 3
"""The exit code of a mistake of ours."""

_OUR_MISTAKE = (
    "This is a bug in sitemapkit, whatever your files contain. Please report it with the lines"
    " above: {address}"
)


class _UsageError(click.ClickException):
    """An error in what the command was given; exit code 2, as for click's own usage errors."""

    exit_code = 2


@click.command("help", add_help_option=False, hidden=True)
@click.argument("name", metavar="[COMMAND]", default="")
@click.pass_context
def _help(ctx: click.Context, name: str) -> None:
    """Show the help of the program, or of one of its commands."""
    group = ctx.find_root()
    if not name:
        click.echo(group.get_help())
        return
    _, command, _ = cast("_Commands", group.command).resolve_command(group, [name])
    if command:
        click.echo(command.get_help(click.Context(command, group, name)))


class _Commands(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called; a mistyped one is named with the nearest right one."""
        name = args[0]
        if name in (*COMMANDS, _help.name) or name.startswith("-"):
            return super().resolve_command(ctx, args)
        nearest = get_close_matches(name, [*COMMANDS, "help"], 1)
        if instead := removed.COMMANDS.get(name):
            raise click.UsageError(f"The command {name!r} is gone: {instead}.", ctx)
        if nearest:
            hint = f"Did you mean {nearest[0]!r}?"
        elif "://" in name or is_there(name):
            hint = f"To check it, run `sitemapkit check {name}`."
        else:
            hint = f"The commands are {', '.join(COMMANDS)}."
        raise click.UsageError(safe(f"No such command {name!r}. {hint}"), ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name == _help.name:
            return _help
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"sitemapkit_tools.commands.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except UndatedError as error:  # the site is at fault, not the use
            raise click.ClickException(safe(str(error))) from error
        except SitemapError as error:
            raise _UsageError(safe(error.explained)) from error
        except BrokenPipeError:  # the reader of stdout has closed it; click exits quietly
            raise
        except OSError as error:  # not of a page: a page that cannot be read is an issue
            _close_stdout_if_full()
            reason = error.strerror or str(error)
            fix = f"{error.filename}: {reason}; repair or remove it, or give permission to use it"
            raise _UsageError(safe(fix if error.filename else reason)) from error
        except click.NoSuchOption as error:
            command = error.ctx.info_name if error.ctx else None
            instead = removed.instead_of_flag(command or "", error.option_name)
            if not instead:
                raise
            message = f"The flag {error.option_name} is gone: {instead}."
            raise click.UsageError(safe(message), error.ctx) from error
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception:  # noqa: BLE001 - whatever it is, it is a mistake of ours
            our_mistake = _OUR_MISTAKE.format(address=project_link("Issues"))
            echo(f"{traceback.format_exc()}\n{our_mistake}", err=True)
            ctx.exit(_MISTAKE)


def _close_stdout_if_full() -> None:
    """Close stdout if it cannot be written: else Python tries again at exit, with code 120."""
    if not sys.stdout:  # it was closed
        return
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            sys.stdout.close()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(sitemapkit.__version__, "-V", "--version", prog_name="sitemapkit")
def cli() -> None:
    """Sitemaps that tell the truth, for any finished site.

    Exit codes: 0 no problem, 1 a problem was found, 2 wrong usage, 3 a bug in sitemapkit.
    """
    click.get_current_context().color = _colour()


def _colour() -> bool | None:
    """Return whether to use colours, as the environment says (no-color.org); None: on terminals."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return False if os.environ.get("TERM") == "dumb" else None
