"""What an audit finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """A difference between what the sitemap says and what it should say."""

    kind: str
    where: str
    issue: str


@dataclass
class Verdict:
    """The differences, and the counts that show what was looked at."""

    listed: int = 0
    excluded: Counter[str] = field(default_factory=Counter[str])
    """Files that are not pages to be found, by reason."""

    dates: Counter[str] = field(default_factory=Counter[str])
    """Listed pages by what dates them."""

    findings: list[Finding] = field(default_factory=list[Finding])

    def add(self, kind: str, where: str, issue: str) -> None:
        """Remember a difference."""
        self.findings.append(Finding(kind, where, issue))

    @property
    def summary(self) -> str:
        """The counts in one line."""
        return (
            f"{self.listed} listed (dates: {_counts(self.dates)}); "
            f"{self.excluded.total()} left out ({_counts(self.excluded)}); "
            f"{len(self.findings)} findings"
        )


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{number} {what}" for what, number in counter.most_common()) or "none"
