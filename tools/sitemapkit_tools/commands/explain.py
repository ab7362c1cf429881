"""`sitemapkit explain`: why a URL is in the sitemap or not, and where each value is from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemapkit_tools.commands.terminal import answer, answer_json, json_flag
from sitemapkit_tools.explain import explain, read_report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit_tools.explain import BuildReport, Explanation

_VALUES = ("changefreq", "priority", "title", "published")
_LISTS = ("alternates", "images", "videos")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command's own flags."""

    url: str
    report: Path
    as_json: bool


@click.command("explain")
@click.argument("url")
@click.option(
    "--report",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="JSON report of a build; the option `report` writes it.",
)
@json_flag
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401 - the fields of _Asked
    """Explain what a build did with a page.

    URL is the whole URL of the page, or its path below the base URL. Exit code 1 says that the
    report knows no such page.
    """
    asked = _Asked(**flags)
    report = read_report(asked.report)
    told = explain(asked.url, report)
    if asked.as_json:
        answer_json(asdict(told) | {"known": told.known})
    else:
        answer("\n".join(_lines(told, report)))
    ctx.exit(0 if told.known else 1)


def _lines(told: Explanation, report: BuildReport) -> Iterator[str]:
    url = click.style(told.url, bold=True)
    if told.listed:
        yield f"{url} is {click.style('listed', fg='green')}."
        yield from [_row("page", told.page)] if told.page else []
        yield from _values(told)
    elif told.known:
        yield f"{url} is {click.style('not listed', fg='yellow')}: {told.reason}."
        yield _row("page", told.page)
    else:
        yield f"The report knows no page {url}.{_nearest(told.url, report)}"
    yield from (_row("issue", click.style(each, fg="yellow")) for each in told.issues)


def _values(told: Explanation) -> Iterator[str]:
    date, source = told.values.get("lastmod"), told.date_source
    yield _row("lastmod", f"{date}, from {source}" if date else "none")
    for name, why in told.skipped:
        yield _row("", click.style(f"not from {name}: {why}", dim=True))
    for name in _VALUES:
        if name in told.values:
            yield _row(name, str(told.values[name]), told.origins.get(name))
    for name in _LISTS:
        for item in told.values.get(name, ()):
            yield _row(name, _item(item), told.origins.get(name))


def _row(name: str, value: str, origin: str | None = None) -> str:
    return f"    {name:<10}  {value}" + (f", from {origin}" if origin else "")


def _item(item: object) -> str:
    """Return an image's URL, an alternate's code and URL, or all that is said of a video."""
    return " ".join(map(str, item)) if isinstance(item, list) else str(item)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _nearest(url: str, report: BuildReport) -> str:
    near = get_close_matches(url, [*report.listed, *report.excluded], n=1, cutoff=0.7)
    return f" Did you mean {near[0]}?" if near else ""
