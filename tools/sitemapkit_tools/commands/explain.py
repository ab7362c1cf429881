"""`sitemapkit explain`: why a URL is in the sitemap or not, and the source of each value."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import structs

from sitemapkit.model import printable
from sitemapkit_tools.commands.terminal import json_flag
from sitemapkit_tools.console import echo, echo_json, style
from sitemapkit_tools.explain import (
    LISTS,
    BuildReport,
    Explanation,
    explain,
    read_report,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


_VALUES = ("changefreq", "priority", "title", "published")


@click.command("explain")
@click.argument("url")
@click.option(
    "--report",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON report of a build; the option `report` writes it.",
)
@json_flag
@click.pass_context
def command(ctx: click.Context, /, url: str, *, report: Path, as_json: bool) -> None:
    """Explain what a build did with a page.

    URL is the full URL of the page, or its path below the base URL. Exit code 1 means that the
    build did not know the page.
    """
    held = read_report(report)
    explanation = explain(url, held)
    if as_json:
        echo_json(structs.asdict(explanation) | {"known": explanation.known})
    else:
        echo("\n".join(_lines(explanation, held)))
    ctx.exit(0 if explanation.known else 1)


def _lines(page: Explanation, report: BuildReport) -> Iterator[str]:
    url = style(page.url, bold=True)
    if page.listed:
        yield f"{url} is {style('listed', colour='green')}."
        yield from [_row("page", page.page)] if page.page else []
        yield from _values(page)
    elif page.known:
        yield f"{url} is {style('not listed', colour='yellow')}: {printable(page.reason)}."
        yield from [_row("page", page.page)] if page.page else []
        if page.target:
            yield _row("points to", page.target)
        elif page.decided_by:
            yield _row("decided by", page.decided_by)
        yield from [_row("", page.decided_at)] if page.decided_at else []
    else:
        yield f"There is no page {url}.{_nearest(page.url, report)}"
    yield from (_row("issue", style(each, colour="yellow")) for each in page.issues)


def _values(page: Explanation) -> Iterator[str]:
    date, source = page.values.get("lastmod"), page.date_source
    stated = f"{date}, from {source}" if date else "none"
    decided_by = page.origins.get("lastmod")
    yield _row("lastmod", f"{stated}: {decided_by}" if decided_by else stated)
    if page.commit:
        yield _row("", page.commit)
    for file in page.asked:
        yield _row("", style(f"also checked: {file}", dim=True))
    for name, why in page.skipped:
        yield _row("", style(f"not from {name}: {why}", dim=True))
    for name in _VALUES:
        if name in page.values:
            yield _row(name, str(page.values[name]), page.origins.get(name))
    for name in LISTS:
        for item in page.values.get(name, ()):
            yield _row(name, _item(item), page.origins.get(name))


def _row(name: str, value: str, origin: str | None = None) -> str:
    return printable(f"    {name:<10}  {value}" + (f", from {origin}" if origin else ""))


def _item(item: object) -> str:
    """Return an image's URL, an alternate's code and URL, or the fields of a video."""
    return " ".join(map(str, item)) if isinstance(item, list) else str(item)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _nearest(url: str, report: BuildReport) -> str:
    near = get_close_matches(url, [*report.listed, *report.excluded], n=1, cutoff=0.7)
    return f" Did you mean {near[0]}?" if near else ""
