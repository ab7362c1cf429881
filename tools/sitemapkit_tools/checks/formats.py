"""The result of a check, for people and for programs: text and JSON."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from sitemapkit.manual import page_of_rule
from sitemapkit_tools.console import counted, style
from sitemapkit_tools.issues import SEVERITIES, as_dict, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Issue, Rule, Severity
    from sitemapkit_tools.checks.check import CheckResult

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_INDENT = " " * 4
_WIDEST_SUBJECT = 48

FEW = 5
"""Issues of one rule that are printed for people who do not ask for all."""


def as_text(result: CheckResult, *, most: int | None = FEW, links: bool = False) -> str:
    """Return the result for people: by rule, the worst first, each with its fix.

    `most` is the number of issues printed for each rule; None: all. With `links` each rule has that
    of its place in the manual.
    """
    parts: list[str] = []
    for (severity, rule), found in groupby(
        result.issues, key=lambda each: (each.severity, each.rule)
    ):
        parts += _of_rule(severity, rule, list(found), result.site, most)
        link = page_of_rule(rule) if links else ""
        parts += [_INDENT + style(link, dim=True)] if link else []
        parts.append("")
    return "\n".join([*parts, summary(result)])


def summary(result: CheckResult) -> str:
    """Return one line: how many issues there are, and in what."""
    sitemaps = counted(result.sitemaps, "sitemap")
    listed = f"{counted(result.urls, 'URL')} in {sitemaps}" if result.sitemaps else "no sitemap"
    site = f"{listed}, {counted(result.pages, 'page')}{result.site and ' of '}{result.site}"
    counts = Counter(each.severity for each in result.issues)
    found = [
        style(counted(counts[each], each), colour=_COLOURS[each], bold=True)
        for each in SEVERITIES
        if counts[each]
    ]
    if not found:
        return style("Nothing to fix", colour="green", bold=True) + f": {site}"
    return f"{', '.join(found)}: {site}"


def _of_rule(
    severity: Severity, rule: Rule, found: Sequence[Issue], site: str, most: int | None
) -> Iterator[str]:
    styled = style(severity, colour=_COLOURS[severity], bold=True)
    yield f"{styled} {style(rule.id, bold=True)}: {rule.title}"
    printed = found[:most]
    subjects = [short(each.where, site) for each in printed]
    width = min(max(map(len, subjects)), _WIDEST_SUBJECT)
    for each, subject in zip(printed, subjects, strict=True):
        place = f"{each.file}:{each.line}" if each.line else each.file
        if _is_said(each, subject):
            place = ""
        parts = (f"{subject:{width}}", each.detail, style(place, dim=True) if place else "")
        yield f"{_INDENT}{'  '.join(filter(None, parts))}".rstrip()
    if len(found) > len(printed):
        yield f"{_INDENT}... and {len(found) - len(printed):,} more"
    yield f"{_INDENT}{style('Fix:', colour='green')} {rule.fix}"


def _is_said(found: Issue, subject: str) -> bool:
    """Return whether the file of an issue is named on its line already, and there is no more."""
    names = (found.where, subject.removeprefix("/"), found.detail.split(" ")[-1].rstrip("."))
    return found.file in names and not found.line


def as_json(result: CheckResult) -> str:
    """Return the result as JSON."""
    held: dict[str, object] = {
        "site": result.site,
        "sitemaps": result.sitemaps,
        "urls": result.urls,
        "pages": result.pages,
        "issues": [as_dict(each) for each in result.issues],
    }
    return json.dumps(held, indent=2)


def message(found: Issue) -> str:
    """Return an issue in one line, with its fix."""
    return f"{found.where}: {found.rule.title} {found.detail} {found.rule.fix}"
