"""What all commands share: common flags, output, and progress on a terminal."""

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
    from sitemapkit_tools.site.read_pages import OnProgress

json_flag = click.option("--json", "as_json", is_flag=True, help="Write JSON.")
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Number of processes that read files; by default one for each core.",
)


def echo_json(value: object) -> None:
    """Write JSON to stdout, in ASCII, so that it suits any terminal."""
    click.echo(json.dumps(value, indent=2))


def styled(word: str, colour: str) -> str:
    """Return a word that stands out on a terminal."""
    return click.style(word, fg=colour, bold=True)


def show_issues(report: Report, *, least: int = logging.INFO) -> None:
    """Write the issues of a build to stderr, and if `least` is DEBUG each page left out."""
    for level, text, arguments, _ in list(report.messages())[:-1]:
        if level >= least:
            warning = styled("warning", "yellow") + " " if level > logging.INFO else ""
            click.echo(warning + text % arguments, err=True)


@contextmanager
def progress(label: str, length: int) -> Generator[OnProgress]:
    """Show a bar on stderr if that is a terminal; yields the function that moves it."""
    if not (sys.stderr and sys.stderr.isatty()):  # None: it was closed
        yield lambda _: None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update


def selector_option(flag: str, text: str) -> Callable[[Any], Any]:
    """Return a flag that takes a CSS selector, and may be repeated."""
    return click.option(flag, multiple=True, callback=_selectors, metavar="SELECTOR", help=text)


def _selectors(
    _: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse what is not a CSS selector."""
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
        raise click.BadParameter(f"{value!r} is not a percentage such as 5%.", param=parameter)
    return number
