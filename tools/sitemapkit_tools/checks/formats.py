"""The result of a check, for people and for programs: text, JSON, SARIF."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import sitemapkit
from sitemapkit.manual import page_of_rule, project_link
from sitemapkit_tools.console import counted, style
from sitemapkit_tools.issues import SEVERITIES, all_rules, as_dict, fingerprint, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import Issue, Rule, Severity
    from sitemapkit_tools.checks.check import CheckResult
    from sitemapkit_tools.checks.places import Place, Places

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


def as_sarif(result: CheckResult, places: Places) -> str:
    """Return the result as SARIF 2.1.0 (OASIS), for code scanning."""
    driver: dict[str, Any] = {
        "name": "sitemapkit",
        "version": sitemapkit.__version__,
        "rules": [_sarif_rule(rule) for rule in all_rules().values()],
    }
    if home := project_link("Homepage"):  # SARIF wants an address or none
        driver["informationUri"] = home
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(each, places) for each in result.issues],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2)


def _sarif_rule(rule: Rule) -> dict[str, Any]:
    described = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"source": rule.source},
    }
    link = page_of_rule(rule)
    return described | {"helpUri": link} if link else described


def _sarif_result(found: Issue, places: Places) -> dict[str, Any]:
    place, built = places.of(found), places.built(found)
    result = {
        "ruleId": found.rule.id,
        "ruleIndex": [*all_rules()].index(found.rule.id),
        "level": found.severity,
        "message": {"text": message(found)},
        "locations": [_sarif_location(place)],
        "partialFingerprints": {"sitemapkit/v1": fingerprint(found)},
    }
    return result if place == built else result | {"relatedLocations": [_sarif_location(built)]}


def _sarif_location(place: Place) -> dict[str, Any]:
    uri = place.file if "://" in place.file else quote(place.file)
    region = {"startLine": place.line}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def message(found: Issue) -> str:
    """Return an issue in one line, with its fix."""
    return f"{found.where}: {found.rule.title} {found.detail} {found.rule.fix}"
