"""The table of rules, and the issues that a check finds: made, sorted, compared with a baseline."""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast, get_args

import msgspec
from msgspec import structs

from sitemapkit import installed
from sitemapkit.errors import SitemapError
from sitemapkit.model import Issue, OutputFile, Rule, Severity
from sitemapkit.output.files import write_file
from sitemapkit.report import Report
from sitemapkit.rules import read_rules
from sitemapkit_tools import removed
from sitemapkit_tools.bounds import read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set
    from pathlib import Path


_BASELINE = r'\A\{\s*"issues":\s*\[\s*(?:\]|\{\s*"fingerprint":)'

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The severities, the worst first."""

_SHARED = {rule.id: rule for rule in read_rules("sitemapkit").values() if rule.checked}
RULES = {**_SHARED, **read_rules("sitemapkit_tools")}
"""All rules of a check that are built in, by their ids, in the order of the tables."""


OURS = {**read_rules("sitemapkit"), **RULES}
"""All rules in the manual, those of builds too."""


def short(subject: str, site: str) -> str:
    """Return a URL of the site as its path, `/` for the home page."""
    return "/" + subject.removeprefix(site) if site and subject.startswith(site) else subject


def issue(rule: str, where: str, detail: str, file: str, line: int | None = None) -> Issue:
    """Return an issue that a check finds; `rule` is the id of a rule in the table."""
    found = RULES.get(rule) or all_rules()[rule]
    return Issue(found, where, detail, found.severity, file, line)


@cache
def all_rules() -> Mapping[str, Rule]:
    """Return all rules of a check, with those that other packages add after ours, by their ids.

    Raises SitemapError if a package adds a rule with an id that another has.
    """
    rules = dict(RULES)
    for name, package in installed.names(installed.CHECKS).items():
        for rule in cast("Sequence[Rule]", installed.load(installed.CHECKS, name).RULES):
            if rule.id in rules:
                raise SitemapError(
                    f"the package {package} adds a rule {rule.id!r}, of which there is one already;"
                    " rename it there, or uninstall that package."
                )
            rules[rule.id] = rule
    return rules


def as_note(found: Issue) -> Issue:
    """Return the same issue, where it is only good to know."""
    return structs.replace(found, severity="note")


def fingerprint(issue: Issue) -> str:
    """Return what stays the same while the issue does: its rule and `where`, not its line."""
    key = f"{issue.rule.id}\n{issue.where}".encode("utf-8", "backslashreplace")
    return blake2b(key, digest_size=8).hexdigest()


def as_dict(issue: Issue) -> dict[str, Any]:
    """Return the issue as JSON shows it, with its fingerprint."""
    return {**issue.as_dict(), "fingerprint": fingerprint(issue)}


def in_order(issues: Iterable[Issue]) -> list[Issue]:
    """Return the issues once each: the worst first, then by rule, file and line.

    The order depends on nothing but the issues, so that two runs give the same bytes.
    """
    order = {rule: number for number, rule in enumerate(all_rules())}
    return sorted(
        set(issues),
        key=lambda each: (
            SEVERITIES.index(each.severity),
            order[each.rule.id],
            each.file,
            each.line or 0,
            each.where,
            each.detail,
        ),
    )


def worst(issues: Iterable[Issue]) -> Severity | None:
    """Return the worst severity among the issues, or None if there are none."""
    found = {each.severity for each in issues}
    return next((severity for severity in SEVERITIES if severity in found), None)


class _KnownIssue(msgspec.Struct):
    fingerprint: str
    id: str = ""
    """The rule."""


class _Baseline(msgspec.Struct):
    issues: list[_KnownIssue]


def read_baseline(file: Path) -> Set[str]:
    """Return the fingerprints of known issues.

    Raises SitemapError if it is not a baseline, or names a rule that is gone.
    """
    try:
        known = read_json(file, _Baseline).issues
    except (OSError, ValueError) as error:
        raise SitemapError(
            f"{file} is not a baseline ({error}); write one with --write-baseline."
        ) from error
    for each in known:
        if instead := removed.RULES.get(each.id):
            raise SitemapError(f"{file} names the rule {each.id!r}, which is gone: {instead}.")
    return {each.fingerprint for each in known}


def write_baseline(file: Path, issues: Iterable[Issue]) -> None:
    """Write a baseline file: the known issues, which checks no longer report.

    Raises OutputError if it cannot be written, or the file is something else.
    """
    known = [
        {"fingerprint": fingerprint(each), "id": each.rule.id, "where": each.where}
        for each in in_order(issues)
    ]
    data = json.dumps({"issues": known}, indent=1).encode() + b"\n"
    write_file(OutputFile(file, [data], known=_BASELINE), Report())
