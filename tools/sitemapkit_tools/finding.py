"""Finding: one thing that is wrong, and where; and the baseline of those that are known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from sitemapkit.errors import SitemapError
from sitemapkit_tools.rules import RULES, SEVERITIES, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Set
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person goes to see it."""

    file: str
    """Path below the checked directory, with slashes, or a URL."""

    line: int | None = None
    """Counted from 1; None: the whole file."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach of a rule."""

    rule: Rule
    subject: str
    """The URL, file or setting it is about; with the rule it tells one finding from another."""

    detail: str
    """What is wrong just here: a few words that complete the rule's title."""

    place: Place

    @property
    def severity(self) -> Severity:
        """The severity of its rule."""
        return self.rule.severity

    @property
    def fingerprint(self) -> str:
        """What stays the same while the finding does: its rule and subject, not its line."""
        key = f"{self.rule.id}\n{self.subject}".encode("utf-8", "backslashreplace")
        return blake2b(key, digest_size=8).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as JSON wants it."""
        return {
            "rule": self.rule.id,
            "severity": self.severity,
            "subject": self.subject,
            "detail": self.detail,
            "title": self.rule.title,
            "fix": self.rule.fix,
            "file": self.place.file,
            "line": self.place.line,
            "fingerprint": self.fingerprint,
        }


def finding(rule: str, subject: str, detail: str, file: str, line: int | None = None) -> Finding:
    """Make a finding; `rule` is the id of a rule in the table."""
    return Finding(RULES[rule], subject, detail, Place(file, line))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings once each: the worst first, then in the order of the rules, files, lines.

    The order depends on nothing but the findings, so that two runs give the same bytes.
    """
    order = {rule: number for number, rule in enumerate(RULES)}
    return sorted(
        set(findings),
        key=lambda each: (
            SEVERITIES.index(each.severity),
            order[each.rule.id],
            each.place.file,
            each.place.line or 0,
            each.subject,
            each.detail,
        ),
    )


def worst(findings: Iterable[Finding]) -> Severity | None:
    """Return the worst severity among the findings, or None if there are none."""
    found = {each.severity for each in findings}
    return next((severity for severity in SEVERITIES if severity in found), None)


def read_baseline(file: Path) -> Set[str]:
    """Return the fingerprints of known findings. Raises SitemapError if it is no baseline."""
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        return {str(each["fingerprint"]) for each in held["findings"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SitemapError(
            f"{file} is no baseline ({error}); write one with --write-baseline."
        ) from error


def baseline(findings: Iterable[Finding]) -> str:
    """Return the text of a baseline file: the findings that are known and no longer reported."""
    known = [
        {"fingerprint": each.fingerprint, "rule": each.rule.id, "subject": each.subject}
        for each in in_order(findings)
    ]
    return json.dumps({"findings": known}, indent=1) + "\n"
