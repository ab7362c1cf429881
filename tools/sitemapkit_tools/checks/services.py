"""The result of a check as CI services show it: a job's summary, GitLab's code quality report.

And the issues that become annotations, because a service shows few of them.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sitemapkit_tools.checks.formats import FEW, message, summary
from sitemapkit_tools.console import cell, counted, plain
from sitemapkit_tools.issues import fingerprint, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.checks.check import CheckResult
    from sitemapkit_tools.checks.places import Place, Places

MOST_ANNOTATIONS = 10
"""GitHub shows no more than ten annotations of one step and drops the rest without a word."""

_GITLAB_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def as_github(result: CheckResult, places: Places) -> str:
    """Return workflow commands of GitHub, which become annotations of the files.

    They are those of the ten worst issues, one for each rule and file. If there are more issues,
    the last annotation says how many.
    """
    first: dict[tuple[str, str], Issue] = {}
    for each in result.issues:
        first.setdefault((each.rule.id, places.of(each).file), each)
    is_all = len(first) == len(result.issues) <= MOST_ANNOTATIONS
    some = list(first.values())[: MOST_ANNOTATIONS - (not is_all)]
    lines = [_annotation(each, places) for each in some]
    if left := len(result.issues) - len(some):
        more = f"And {left:,} more; the job's summary lists them by rule."
        lines.append(f"::notice title=sitemapkit::{more}")
    return "\n".join(lines)


def _annotation(found: Issue, places: Places) -> str:
    command = "notice" if found.severity == "note" else found.severity
    place, built = places.of(found), places.built(found)
    properties = {"title": found.rule.id, "file": place.file, "line": place.line}
    given = ",".join(f"{name}={_escaped(str(each), ':,')}" for name, each in properties.items())
    beside = "" if place == built else f" ({built.file}:{built.line})"
    return f"::{command} {given}::{_escaped(message(found) + beside)}"


def _escaped(text: str, more: str = "") -> str:
    """Escape what ends a workflow command, and `more`, which ends a property."""
    for letter in f"%\r\n{more}":
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


def as_gitlab(result: CheckResult, places: Places) -> str:
    """Return the result as GitLab's code quality report, which merge requests show."""
    seen: Counter[str] = Counter()
    issues = [_gitlab_issue(each, places.of(each), seen) for each in result.issues]
    return json.dumps(issues, indent=2)


def _gitlab_issue(found: Issue, place: Place, seen: Counter[str]) -> dict[str, Any]:
    mark = fingerprint(found)
    seen[mark] += 1  # GitLab takes two issues with one fingerprint for one
    file, line = place
    return {
        "description": message(found),
        "check_name": found.rule.id,
        "fingerprint": mark if seen[mark] == 1 else f"{mark}-{seen[mark]}",
        "severity": _GITLAB_SEVERITIES[found.severity],
        "location": {"path": file, "lines": {"begin": line}},
    }


def as_markdown(result: CheckResult) -> str:
    """Return the result as the summary of a job: figures, a table of the issues, and fixes.

    Of each rule a few issues are named, so that it stays far below the size that services take.
    """
    heading = plain(summary(replace(result, site="")).partition(":")[0])
    figures = (result.urls, result.sitemaps, result.pages)
    lines = [
        *(f"## Sitemap: {heading}", ""),
        "| site | URLs listed | sitemaps | pages |",
        "|---|--:|--:|--:|",
        " | ".join([f"| {cell(result.site)}", *(f"{each:,}" for each in figures)]) + " |",
    ]
    by_rule = [list(found) for _, found in groupby(result.issues, key=lambda each: each.rule)]
    if by_rule:
        lines += ["", "| | rule | where | what is wrong |", "|---|---|---|---|"]
        lines += [row for found in by_rule for row in _rows(found, result.site)]
        lines += ["", "### How to fix it", ""]
        lines += [f"- `{found[0].rule.id}`: {cell(found[0].rule.fix)}" for found in by_rule]
    return "\n".join(lines) + "\n"


def _rows(found: Sequence[Issue], site: str) -> Iterator[str]:
    rule = found[0].rule
    for each in found[:FEW]:
        where = short(each.where, site)
        problem = cell(f"{rule.title} {each.detail}".strip())
        yield f"| {each.severity} | `{rule.id}` | {cell(where)} | {problem} |"
    if len(found) > FEW:
        more = f"and {counted(len(found) - FEW, 'more issue')} of this rule"
        yield f"| {rule.severity} | `{rule.id}` | | {more} |"
