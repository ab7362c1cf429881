"""Report: what a run did, and why; the one thing an adapter gets back and logs."""

from __future__ import annotations

import json
import logging
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from sitemapkit.entry import Entry
    from sitemapkit.options import DateSource

Severity = Literal["warning", "info"]


class Reason(StrEnum):
    """Why a page is not listed."""

    DRAFT = "draft"
    HIDDEN = "hidden"
    FUTURE = "not yet published"
    EXCLUDED_BY_PAGE = "its metadata says so"
    EXCLUDED_BY_OPTION = "an option excludes it"
    EXCLUDED_BY_HANDLER = "a handler of the site's own excludes it"
    NOINDEX = "noindex"
    REDIRECT = "redirects elsewhere"
    CANONICAL = "its canonical link points elsewhere"
    PAGINATION = "pagination beyond the first page"
    GENERATED = "generated page"
    STATIC = "static file"
    MISSING = "no file in the output"
    EMPTY = "an empty file"
    OTHER_HOST = "on another host"
    OUT_OF_SCOPE = "outside the base URL"
    BAD_URL = "its URL cannot stand in a sitemap"
    UNTRANSLATED = "a copy of another language's page, for want of a translation"


class Problem(Struct, frozen=True):
    """Something to mend: what is wrong, where, and how to mend it."""

    rule: str
    """Short stable id, such as `bad-priority`; users silence and look up problems by it."""

    where: str
    """The file, page or option it is about."""

    message: str
    """One sentence: what is wrong."""

    fix: str
    """One sentence: how to mend it."""

    severity: Severity = "warning"


class LeftOut(Struct, frozen=True, gc=False):
    """A page that is not in the sitemap, and why."""

    page: str
    url: str
    reason: Reason


class Lastmod(Struct, frozen=True, gc=False):
    """The date of a page, the source that gave it, and why the sources before it gave none."""

    value: date | None = None
    source: DateSource | None = None
    passed_over: tuple[tuple[DateSource, str], ...] = ()


class Report(Struct):
    """What a run did: listed, left out and why, problems, and the files it touched."""

    base_url: str = ""
    """What the relative URLs in it are below."""

    listed: list[Entry] = []
    left_out: list[LeftOut] = []
    problems: list[Problem] = []
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

    def warn(self, rule: str, where: str, message: str, fix: str) -> None:
        """Add a problem that strict modes should count."""
        self.problems.append(Problem(rule, where, message, fix))

    def inform(self, rule: str, where: str, message: str, fix: str) -> None:
        """Add a remark about the environment, which never fails a build."""
        self.problems.append(Problem(rule, where, message, fix, severity="info"))

    def messages(
        self, lowest: int = logging.DEBUG
    ) -> Iterator[tuple[int, str, tuple[object, ...]]]:
        """Yield (level, template, arguments) for `logger.log`: reasons, problems, summary.

        `lowest` is the level that is logged: the reasons, one for each page left out, are made
        only for those who want them.

        The template names the rule and holds no page's name, so that log filters which go by
        template can silence one rule.
        """
        for left in self.left_out if lowest <= logging.DEBUG else ():
            yield logging.DEBUG, "not listed: %s (%s)", (left.page, left.reason.value)
        for problem in self.problems:
            level = logging.WARNING if problem.severity == "warning" else logging.INFO
            yield (
                level,
                f"%s: %s %s [{problem.rule}]",
                (problem.where, problem.message, problem.fix),
            )
        yield logging.INFO, "%s", (self.summary(),)

    def to_json(self) -> bytes:
        """Return the whole report as indented JSON, as the option `report` writes it."""
        try:
            data = msgspec.json.encode(self, enc_hook=str)
        except UnicodeEncodeError:  # of a file whose name is not in UTF-8, say
            plain = msgspec.to_builtins(self, enc_hook=str)
            data = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.format(data, indent=2) + b"\n"

    def reasons(self) -> list[str]:
        """Say how many pages are not listed for each reason, the most frequent first."""
        counts = Counter(left.reason.value for left in self.left_out)
        return [f"{count:,} not listed: {why}" for why, count in counts.most_common()]

    def summary(self) -> str:
        """Say in one line how many pages are listed, left out and dated, and where."""
        where = f" in {self.entry_file}" if self.entry_file else ""
        counts = f"{len(self.listed)} pages listed, {len(self.left_out)} left out"
        return f"{counts}{where}; {self._dated()}"

    def _dated(self) -> str:
        sources = Counter(said.source for said in self.dates.values() if said.source)
        if not sources:
            return "no dates"
        return "dates: " + ", ".join(
            f"{count} from {name}" for name, count in sources.most_common()
        )
