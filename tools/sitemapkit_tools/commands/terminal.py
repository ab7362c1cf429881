"""What all commands share: common flags, output, and progress on a terminal."""

from __future__ import annotations

import logging
import math
import os
import sys
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import TYPE_CHECKING, Any, TextIO

import click

from sitemapkit.manual import page_of_rule
from sitemapkit_tools.bounds import MAX_KEPT, MAX_SECONDS, MIB, Budget
from sitemapkit_tools.console import echo, style
from sitemapkit_tools.issues import OURS
from sitemapkit_tools.site.versions import LATEST

if TYPE_CHECKING:
    from collections.abc import Generator

    from sitemapkit.report import Report
    from sitemapkit_tools.site.read_pages import OnProgress


class Number(click.FloatRange):
    """A number in a range, and not `nan`, which would pass for one of any range."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click's
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Return the number in a text."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


json_flag = click.option("--json", "as_json", is_flag=True, help="Write JSON.")
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Processes that read files; by default one per core.",
)
first_option = click.option(
    "--first",
    "is_first",
    is_flag=True,
    help="OLD may be missing, as at the first deploy.",
)
versions_option = click.option(
    "--version-folder",
    "versions",
    multiple=True,
    metavar="PATH",
    help="Folder of a version below DIR; by default those in mike's versions.json.",
)
latest_option = click.option(
    "--latest",
    default=LATEST,
    show_default=True,
    metavar="NAME",
    help="Version to be found: its folder, or its alias in mike's versions.json.",
)


def show_issues(report: Report, *, least: int = logging.INFO) -> None:
    """Write the issues of a build to stderr, and with DEBUG why each other page is not listed."""
    for message in report.messages(least):
        if message.id or message.level == logging.DEBUG:  # the summary is neither
            warning = style("warning", colour="yellow", bold=True) + " "
            start = warning if message.level > logging.INFO else ""
            echo(start + message.text % message.arguments, err=True)
            rule = OURS.get(message.id)
            if rule and on_terminal(sys.stderr) and (link := page_of_rule(rule)):
                echo(style(f"    {link}", dim=True), err=True)


def on_terminal(stream: TextIO | None) -> bool:
    """Return whether people see at once what is written to a stream."""
    return bool(stream and stream.isatty())


@contextmanager
def progress(label: str, length: int, budget: Budget | None = None) -> Generator[OnProgress]:
    """Show a bar on stderr if it can move there; yields the function that moves it.

    The function raises OverBudgetError if the time is over.
    """
    with (
        click.progressbar(length=length, label=label, file=sys.stderr)
        if _shows_bars()
        else nullcontext()
    ) as bar:

        def move(steps: int) -> None:
            if bar:
                bar.update(steps)
            if budget:
                budget.check()

        yield move


def budget_flags(command: Any, *, seconds: float = MAX_SECONDS) -> Any:  # noqa: ANN401 - as click's
    """Give a command flags for its time and memory; its parameter `budget` is made of them."""

    @wraps(command)
    def with_budget(*args: Any, max_time: float, max_memory: int, **flags: Any) -> Any:  # noqa: ANN401
        memory = max_memory * MIB
        budget = Budget(seconds=max_time, memory=memory, say=lambda text: echo(text, err=True))
        return command(*args, budget=budget, **flags)

    time_flag = click.option(
        "--max-time",
        type=Number(0, MOST_SECONDS, min_open=True),
        default=seconds,
        show_default=True,
        metavar="SECONDS",
        help="Time limit of the command.",
    )
    memory_flag = click.option(
        "--max-memory",
        type=click.IntRange(1),
        default=MAX_KEPT // MIB,
        show_default=True,
        metavar="MIB",
        help="Memory limit for the contents of sitemaps.",
    )
    return time_flag(memory_flag(with_budget))


MOST_SECONDS = 7 * 86_400


def _shows_bars() -> bool:
    """Return whether stderr is a terminal whose cursor can move; the log of a CI job has none."""
    if not sys.stderr or not sys.stderr.isatty():  # None: it was closed
        return False
    return os.environ.get("TERM") != "dumb" and not os.environ.get("CI")


def percent(_: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """Read `5%` or `5` as 5.0, for a click option."""
    if value is None:
        return None
    try:
        number = float(value.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:  # noqa: PLR2004 - a percentage
        raise click.BadParameter(f"{value!r} is not a percentage such as 5%.", param=parameter)
    return number
