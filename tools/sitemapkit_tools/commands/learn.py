"""`sitemapkit learn`: exact dates from the history of a site."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from sitemapkit.dates import lastmod_text
from sitemapkit_tools.commands.settings import given_options, schema_flags
from sitemapkit_tools.commands.terminal import (
    Number,
    jobs_option,
    json_flag,
    main_option,
    noise_option,
    progress,
)
from sitemapkit_tools.console import counted, echo, echo_json
from sitemapkit_tools.learn.learn import Learned, LearnSettings, learn
from sitemapkit_tools.learn.processes import adopt_orphans
from sitemapkit_tools.site.read_pages import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime


_FEW = 5
_MOST_MINUTES = 7 * 24 * 60
_LONG = 90
"""Above this many seconds, minutes are shown."""

_ENDINGS = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)
]
"""Windows has no SIGHUP, which a terminal sends when it is closed."""


def _end_once(number: int, _: object) -> None:
    """End the command, which cleans up; a second signal does not interrupt that."""
    for ending in _ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


_NEW_FILE = click.Path(dir_okay=False, path_type=Path)


def _with_out(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and "{out}" not in value:
        message = "it has no {out}, the output folder."
        raise click.BadParameter(message, param=parameter)
    return value


def _day(_: click.Context, __: click.Parameter, value: datetime | None) -> date | None:
    return value.date() if value else None


@click.command("learn")
@click.argument(
    "folder",
    metavar="[DIR]",
    default=".",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--build",
    "command",
    callback=_with_out,
    metavar="COMMAND",
    help="Command, run in DIR, to build into {out}; default: that of MkDocs, ProperDocs, Pelican,"
    " Sphinx, Hugo, Jekyll or mdBook.",
)
@click.option(
    "--ledger",
    type=_NEW_FILE,
    metavar="FILE",
    help="Ledger to fill; by default the one that the build keeps.",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="PATH",
    help="Source file or folder; skips commits that touch none of them; may be repeated.",
)
@click.option(
    "--minutes",
    type=Number(0, _MOST_MINUTES, min_open=True),
    default=10.0,
    show_default=True,
    metavar="N",
    help="Time limit; pages not settled by then keep their dates.",
)
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    callback=_day,
    metavar="DATE",
    help="Skip commits before this day.",
)
@click.option("--commits", type=click.IntRange(1), metavar="N", help="Look at the last N commits.")
@click.option(
    "--pass-env",
    "passed",
    multiple=True,
    metavar="NAME",
    help="Variable of the environment that builds get too; may be repeated.",
)
@click.option(
    "--state",
    type=_NEW_FILE,
    metavar="FILE",
    help="Keeps the results of builds, to continue after an interruption.",
)
@schema_flags("base_url", "exclude", "include")
@main_option
@noise_option
@jobs_option
@json_flag
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    main: tuple[str, ...],
    noise: tuple[str, ...],
    as_json: bool,
    **flags: Any,  # noqa: ANN401 - fields of LearnSettings
) -> None:
    """Find out from the history when each page changed.

    Builds a few old commits of the site in DIR in a temporary clone, and writes the date on which
    each page's content last changed to the ledger. Later builds continue from there. This runs the
    code of those commits, as a checkout and a build would.
    """
    for ending in _ENDINGS:
        if signal.getsignal(ending) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(ending, _end_once)
    adopt_orphans()
    read = ReadOptions(digest=True, main=main, noise=noise)
    settings = LearnSettings(options=given_options(ctx), read=read, **flags)
    echo("Building the checked-out commit.", err=True)
    learned = learn(settings, lambda pages: progress("Settling pages", pages))
    if as_json:
        echo_json(_as_dict(learned))
    else:
        echo("\n".join(_lines(learned)))


def _lines(learned: Learned) -> Iterator[str]:
    pages, builds = counted(learned.pages, "page"), counted(learned.builds, "build")
    commits, seconds = counted(learned.commits, "commit"), learned.seconds
    time = f"{seconds / 60:.1f} minutes" if seconds > _LONG else f"{seconds:.0f} seconds"
    yield f"{learned.ledger}: {learned.settled:,} of {pages} settled"
    yield f"{builds} of {commits} in {time}"
    if learned.ended:
        yield f"The other pages keep their dates: {learned.ended}."
    if learned.unsteady:
        yield f"{counted(learned.unsteady, 'page')} not settled: two builds of one commit differ."
    if learned.failures:
        yield f"{counted(learned.failures, 'commit')} not built; the newest: {learned.failure}"
    yield from learned.notes
    if learned.changes:
        dates = counted(len(learned.changes), "date")
        yield f"{dates} changed from a build without a ledger:"
    for each in learned.changes[:_FEW]:
        days = f"  ({each.days:+,} days)" if each.days else ""
        yield f"    {each.path}  {_date(each.without)} -> {_date(each.learned)}{days}"
    if len(learned.changes) > _FEW:
        yield f"    ... and {len(learned.changes) - _FEW:,} more"


def _date(value: date | None) -> str:
    return lastmod_text(value) or "no date"


def _as_dict(learned: Learned) -> dict[str, Any]:
    changes = [
        {
            "path": each.path,
            "without": lastmod_text(each.without) or None,
            "learned": lastmod_text(each.learned) or None,
        }
        for each in learned.changes
    ]
    return structs.asdict(learned) | {"ledger": str(learned.ledger), "changes": changes}
