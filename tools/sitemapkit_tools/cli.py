"""The command line: one group, and commands that are imported only when they are called."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module

import click

import sitemapkit
from sitemapkit.errors import SitemapError

COMMANDS = ("build", "check", "diff", "explain", "merge", "submit")


class _WrongUse(click.ClickException):
    """What cannot be done as it was asked for; exit code 2, as for click's own usage errors."""

    exit_code = 2


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"sitemapkit_tools.commands.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except SitemapError as error:
            raise _WrongUse(str(error)) from error
        except BrokenPipeError:  # whoever read the answer has had enough; click ends quietly
            raise
        except OSError as error:  # no page: what cannot be read of a site's pages is a finding
            _give_up_stdout_if_full()
            reason = error.strerror or str(error)
            raise _WrongUse(f"{error.filename}: {reason}" if error.filename else reason) from error


def _give_up_stdout_if_full() -> None:
    """Close stdout if it takes no more: else Python tries again at its end, and exits with 120."""
    if not sys.stdout:  # it was closed
        return
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            sys.stdout.close()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(sitemapkit.__version__, prog_name="sitemapkit")
def cli() -> None:
    """Sitemaps that tell the truth, for any finished site.

    Exit codes: 0 all is fine, 1 something was found, 2 it was used wrongly.
    """
