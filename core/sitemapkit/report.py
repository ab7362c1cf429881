"""Report: the result of a run, which the adapter logs."""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, structs

from sitemapkit import rules
from sitemapkit.model import Reason, printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapkit.model import Entry, Excluded, Issue, Lastmod, Severity

_DETAILS = re.compile(r" (?:by|to|beyond|of|in|elsewhere|page)\b.*")
"""What a summary leaves out of a reason."""

_ORIGINS = {"members": "listed pages", "generator": "the generator"}
"""What people call sources of dates, if it is not their name."""

ANY_REPORT = r'\A\{\s*"base_url": *"[^"]*",\s*"listed":'
"""A pattern of the beginning of every report in JSON."""


class Message(Struct, frozen=True):
    """One line for the generator's log: `logger.log(level, text, *arguments)`."""

    level: int
    text: str
    arguments: tuple[object, ...]
    id: str = ""
    """The id of the rule, if the line is about an issue."""


class Report(Struct):
    """The result of a run: pages listed, pages excluded and why, issues, and files changed."""

    base_url: str = ""
    """The base of the relative URLs in it."""

    listed: list[Entry] = []
    excluded: list[Excluded] = []
    issues: list[Issue] = []
    entry_file: Path | None = None
    """The sitemap to start from: the file of all entries, or the index."""

    written: list[Path] = []
    unchanged: list[Path] = []
    removed: list[Path] = []
    dates: dict[str, Lastmod] = {}
    """The `lastmod` of each listed page with its source, by URL."""

    names: dict[str, str] = {}
    """The name of each listed page in messages, by URL; only in a report in JSON."""

    origins: dict[str, dict[str, str]] = {}
    """The sources of other values of a listed page, by URL and name of the value."""

    older: dict[str, list[str]] = {}
    """The files of a listed page without a newer date than the one in `origins`, by URL."""

    def add(
        self, rule: str, where: str, detail: str = "", *, severity: Severity | None = None
    ) -> None:
        """Add an issue: the id of its rule, the page, file or option, and what is wrong there."""
        self.issues.append(rules.issue(rule, where, detail, severity=severity))

    def messages(
        self, lowest: int = logging.DEBUG, prefix: str = "", *, with_ids: bool = True
    ) -> Iterator[Message]:
        """Yield the lines to log: the reason for each page excluded, the issues, the summary.

        `lowest` is the lowest level that is logged, to skip the reasons if it is above DEBUG. The
        text begins with `prefix` and contains the rule and no page, so that log filters by text
        can silence a rule. Without `with_ids` it does not end with the rule, for loggers that add
        `Message.id` themselves.
        """
        if lowest <= logging.DEBUG:
            for page in self.excluded:
                excluded = (printable(page.page), printable(page.why))
                yield Message(logging.DEBUG, f"{prefix}not listed: %s (%s)", excluded)
        for issue in self.issues:
            rule = issue.rule
            level = logging.INFO if issue.severity == "note" else logging.WARNING
            arguments = (issue.where, issue.message, rule.fix)
            rule_id = f" [{rule.id}]" if with_ids else ""
            yield Message(level, f"{prefix}%s: %s %s{rule_id}", arguments, rule.id)
        if self.base_url:
            yield Message(logging.INFO, f"{prefix}%s", (printable(self.summary()),))

    def to_json(self) -> bytes:
        """Return the whole report as indented JSON, as the option `report` writes it."""
        report = structs.replace(self, issues=[issue.as_dict() for issue in self.issues])
        try:
            data = msgspec.json.encode(report, enc_hook=str)
        except UnicodeEncodeError:  # for example, a file name that is not UTF-8
            # It says "?" there; that takes longer, so only then.
            plain = msgspec.to_builtins(report, enc_hook=str)
            data = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.format(data, indent=2) + b"\n"

    def reasons(self) -> list[str]:
        """Return how many pages are not listed for each reason, the most frequent first."""
        counts = Counter(page.reason.value for page in self.excluded)
        return [f"{count:,} not listed: {why}" for why, count in counts.most_common()]

    def why_empty(self) -> str:
        """Return the reasons why no page is listed, and what decided it for one of the pages."""
        said = "No file is written or removed."
        if not self.excluded:
            return f"{said} There are no pages."
        [(most_frequent, _)] = Counter(page.reason for page in self.excluded).most_common(1)
        first = next(page for page in self.excluded if page.reason == most_frequent)
        return f"{said} {'; '.join(self.reasons())}. {first.page}: {first.why}."

    def summary(self) -> str:
        """Return one line: how many pages are listed, where, how many are not, why, and dates."""
        said = "1 page listed" if len(self.listed) == 1 else f"{len(self.listed):,} pages listed"
        if self.entry_file:
            said += f" in {self.entry_file}"
        if self.excluded:
            reasons = Counter(_DETAILS.sub("", page.reason) for page in self.excluded)
            counts = [f"{count:,} {reason}" for reason, count in reasons.most_common()]
            said += f", {len(self.excluded):,} not listed ({', '.join(counts)}"
            if any(page.reason == Reason.STATIC for page in self.excluded):
                said += "; `include` can list static files"
            said += ")"
        sources = Counter(each.source for each in self.dates.values() if each.source)
        if not sources:
            return f"{said}; no dates"
        dates: list[str] = []
        for source, count in sources.most_common():
            dates.append(f"{count:,} from {_ORIGINS.get(source, source)}")
        said += f"; dates: {', '.join(dates)}"
        undated = len(self.dates) - sources.total()
        if undated:
            said += f"; {undated:,} without a date"
        return said
