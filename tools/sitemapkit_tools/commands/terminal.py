"""What all commands share: answers on stdout, everything else on stderr, progress for people."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from sitemapkit.html import parse_html

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from sitemapkit.report import Report

    Tick = Callable[[int], object]

json_flag = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Processes that read; as many as there are cores if not given.",
)


def answer(text: str) -> None:
    """Write the answer to stdout; styles are dropped where it is no terminal."""
    click.echo(text)


def answer_json(value: object) -> None:
    """Write the answer to stdout as JSON, in ASCII, so that it suits any terminal."""
    click.echo(json.dumps(value, indent=2))


def remark(text: str) -> None:
    """Write a remark to stderr."""
    click.echo(text, err=True)


def show_issues(report: Report, *, least: int = logging.INFO) -> None:
    """Write the issues of a build to stderr, and with `least` at DEBUG each page left out."""
    for level, text, arguments, _ in list(report.messages())[:-1]:
        if level >= least:
            warning = click.style("warning", fg="yellow", bold=True) + " "
            remark((warning if level > logging.INFO else "") + text % arguments)


@contextmanager
def progress(label: str, length: int) -> Generator[Tick]:
    """Show a bar on stderr if that is a terminal; yields what is to be told of progress."""
    if not (sys.stderr and sys.stderr.isatty()):  # None: it was closed
        yield lambda _: None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update


def selector_option(flag: str, text: str) -> Callable[[Any], Any]:
    """Return a flag that takes CSS selectors, one each time it is given."""
    return click.option(flag, multiple=True, callback=_selectors, metavar="SELECTOR", help=text)


def _selectors(
    _: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse what is no CSS selector."""
    if values:
        from selectolax.lexbor import SelectolaxError  # noqa: PLC0415 - 10 ms

        for value in values:
            try:
                parse_html("").css(value)
            except SelectolaxError as error:
                message = f"{value!r} is no CSS selector such as main or .content."
                raise click.BadParameter(message, param=parameter) from error
    return values


def percent(_: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """Read `5%` or `5` as 5.0, for a click option."""
    if value is None:
        return None
    try:
        number = float(value.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:  # noqa: PLR2004 - a percentage
        raise click.BadParameter(f"{value!r} is no percentage such as 5%.", param=parameter)
    return number
