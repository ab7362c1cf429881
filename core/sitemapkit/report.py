"""Report: what a run did, and why; the one thing an adapter gets back and logs."""

from __future__ import annotations

import json
import logging
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct, structs

from sitemapkit import rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapkit.model import Entry, Excluded, Issue, Lastmod, Severity


class Message(NamedTuple):
    """One line for the generator's log: `logger.log(level, text, *arguments)`."""

    level: int
    text: str
    arguments: tuple[object, ...]
    id: str = ""
    """The rule that it is about, if it is about one."""


class Report(Struct):
    """What a run did: listed, left out and why, issues, and the files it touched."""

    base_url: str = ""
    """What the relative URLs in it are below."""

    listed: list[Entry] = []
    excluded: list[Excluded] = []
    issues: list[Issue] = []
    entry_file: Path | None = None
    """The sitemap to start from: the file that holds everything, or the index."""

    written: list[Path] = []
    unchanged: list[Path] = []
    removed: list[Path] = []
    dates: dict[str, Lastmod] = {}
    """Where the `lastmod` of each listed page comes from, by its URL."""

    names: dict[str, str] = {}
    """What messages call a listed page, by its URL; filled only for a report in JSON."""

    origins: dict[str, dict[str, str]] = {}
    """Where other values of a listed page come from, by its URL and the value's name."""

    def add(
        self, rule: str, where: str, detail: str = "", *, severity: Severity | None = None
    ) -> None:
        """Add an issue: the id of its rule, the page, file or option, and what is wrong there."""
        self.issues.append(rules.issue(rule, where, detail, severity=severity))

    def messages(self, lowest: int = logging.DEBUG, prefix: str = "") -> Iterator[Message]:
        """Yield what to log: the reason for each page left out, the issues, the summary.

        `lowest` is the level that is logged: reasons are made only where they are wanted. Each text
        begins with `prefix`, which shows whose lines these are. It names the rule and no page, so
        that log filters that compare texts can silence one rule.
        """
        for left in self.excluded if lowest <= logging.DEBUG else ():
            yield Message(logging.DEBUG, f"{prefix}not listed: %s (%s)", (left.page, left.why))
        for issue in self.issues:
            rule = issue.rule
            level = logging.INFO if issue.severity == "note" else logging.WARNING
            words = (issue.where, issue.message, rule.fix)
            yield Message(level, f"{prefix}%s: %s %s [{rule.id}]", words, rule.id)
        if self.base_url:
            yield Message(logging.INFO, f"{prefix}%s", (self.summary(),))

    def to_json(self) -> bytes:
        """Return the whole report as indented JSON, as the option `report` writes it."""
        report = structs.replace(self, issues=[issue.as_dict() for issue in self.issues])
        try:
            data = msgspec.json.encode(report, enc_hook=str)
        except UnicodeEncodeError:  # of a file whose name is not in UTF-8, say
            plain = msgspec.to_builtins(report, enc_hook=str)
            data = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.format(data, indent=2) + b"\n"

    def reasons(self) -> list[str]:
        """Say how many pages are not listed for each reason, the most frequent first."""
        counts = Counter(left.reason.value for left in self.excluded)
        return [f"{count:,} not listed: {why}" for why, count in counts.most_common()]

    def why_empty(self) -> str:
        """Say why no page is listed, as far as one reason explains it."""
        for reason, count in Counter(left.reason for left in self.excluded).most_common(1):
            return f"No file is written. {count:,} pages are left out: {reason.value}."
        return "No file is written: there are no pages."

    def summary(self) -> str:
        """Say in one line how many pages are listed, left out and dated, and where."""
        where = f" in {self.entry_file}" if self.entry_file else ""
        counts = f"{len(self.listed)} pages listed, {len(self.excluded)} left out"
        return f"{counts}{where}; {self._dated()}"

    def _dated(self) -> str:
        sources = Counter(said.source for said in self.dates.values() if said.source)
        if not sources:
            return "no dates"
        return "dates: " + ", ".join(
            f"{count} from {name}" for name, count in sources.most_common()
        )
