"""`sitemapkit diff`: what changed between two sitemaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sitemapkit_tools.commands.compare import content_flags, differ
from sitemapkit_tools.commands.terminal import answer, answer_json, json_flag, percent, remark
from sitemapkit_tools.diff.compare import ENOUGH_DATES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit_tools.diff.compare import Change, Difference

_MARKS = {"added": ("+", "green"), "changed": ("~", "yellow"), "removed": ("-", "red")}
_MOST_MOVED = 90.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command's own flags."""

    old: str
    new: str
    fail_if_lost: float | None
    fail_if_moved: float | None
    content: bool
    main: tuple[str, ...]
    noise: tuple[str, ...]
    jobs: int | None
    as_json: bool


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--fail-if-lost",
    callback=percent,
    metavar="PERCENT",
    help="Exit with 1 if more of the old pages than this are gone, or nearly all dates moved.",
)
@click.option(
    "--fail-if-moved",
    callback=percent,
    metavar="PERCENT",
    help="Exit with 1 if more of the dates than this changed.",
)
@content_flags
@json_flag
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401 - the fields of _Asked
    """Show what changed between two sitemaps.

    OLD and NEW are sitemap files, directories of built sites, or URLs. What is shown are the pages
    that were added, changed and removed. Run it before a deploy, with
    --fail-if-lost 5%, against the site that is online: a build that lost pages does not get there.
    """
    asked = _Asked(**flags)
    difference = differ(asked.old, asked.new, asked)
    alarms = list(_alarms(difference, asked))
    if asked.as_json:
        changes = [change.as_dict() for change in difference.changes]
        answer_json({"changes": changes, "unchanged": difference.unchanged, "alarms": alarms})
    else:
        answer(_text(difference))
    for alarm in alarms:
        remark(f"{click.style('error', fg='red', bold=True)} {alarm}")
    ctx.exit(1 if alarms else 0)


def _alarms(difference: Difference, asked: _Asked) -> Iterator[str]:
    limit = asked.fail_if_lost
    if limit is not None and difference.lost > limit:
        gone = f"{len(difference.of_kind('removed')):,} of {difference.old_count:,} pages"
        yield f"{gone} are gone, {difference.lost:.1f} %; at most {limit:g} % may go."
    enough = difference.dated >= ENOUGH_DATES
    most = asked.fail_if_moved
    if most is None and limit is not None and enough:
        most = _MOST_MOVED
    if most is not None and difference.moved > most:
        yield (
            f"{difference.moved:.1f} % of {difference.dated:,} dates moved at once; at most"
            f" {most:g} % may. A build's or a shallow clone's date is none of a page's."
        )


def _text(difference: Difference) -> str:
    lines = [_line(change) for change in difference.changes]
    counts = [
        f"{len(difference.of_kind(kind)):,} {kind}" for kind in ("added", "changed", "removed")
    ]
    return "\n".join([*lines, f"{', '.join(counts)}; {difference.unchanged:,} as they were"])


def _line(change: Change) -> str:
    mark, colour = _MARKS[change.kind]
    line = click.style(f"{mark} {change.url}", fg=colour)
    if change.kind != "changed":
        return line
    if "lastmod" in change.fields:
        line += f"  {change.old_date or 'no date'} -> {change.new_date or 'no date'}"
    others = [name for name in change.fields if name != "lastmod"]
    return line + (f"  ({', '.join(others)})" if others else "")
