"""The git date of a page: the newest of the files it was made from."""

from __future__ import annotations

import glob
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import urls
from sitemapkit.patterns import PathPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from sitemapkit.lastmod.git import GitDates
    from sitemapkit.options import Options, SourceRule
    from sitemapkit.page import FilePath
    from sitemapkit.report import Report
    from sitemapkit.select import Listed

_MANY = 20
"""From so many pages on, one date for more than half of them is suspicious."""


class SourceDates:
    """Dates of pages by the git dates of their sources; git is asked once for all of them."""

    def __init__(self, options: Options, report: Report, git: GitDates | None) -> None:
        """Find the files that the option `sources` adds; `git` may be at work already."""
        self._options = options
        self._counted = options.dependencies
        self._report = report
        self._git = git
        self._found: Mapping[FilePath, datetime] = {}
        self._answers: dict[Listed, date | str] = {}
        self._imported: set[FilePath] = set()
        self._extra = [(PathPatterns(rule.match), _files(rule, report)) for rule in options.sources]

    def ask(self, listed: Sequence[Listed]) -> None:
        """Ask git about all files of these pages."""
        git = self._git = self._git or git_dates(self._options)
        files = {file for found in listed for file in self._sources(found)}
        files.update(file for found in listed for file in self._dependencies(found))
        self._found = git.last_changed(files)
        self._answers = {found: self._answer(found) for found in listed}
        if lone := self._dated_by_an_only_commit(git):
            self._imported.update(lone)
            self._report_only_commit(lone)
            self._answers = {found: self._answer(found) for found in listed}
        self._report.problems.extend(git.diagnostics)

    def date_of(self, found: Listed) -> date | str:
        """Return the newest date of the page's files, or why it cannot be known.

        Each source, and each file whose text the page takes in, must have a date: an undated one
        may be the newest. Dependencies without one (an installed module) do not count.
        """
        return self._answers.get(found) or self._answer(found)

    def _answer(self, found: Listed) -> date | str:
        sources = self._sources(found)
        if not sources:
            return "no source file is known"
        for file in sources:
            if file in self._imported:
                return f"{file}: its history is one commit"
            if file not in self._found:
                why = self._git.why_unknown(file) if self._git else ""
                return f"{file}: {why or 'git was not asked'}"
        known = [self._found[file] for file in sources]
        known += [self._found[file] for file in self._dependencies(found) if file in self._found]
        return max(known)

    def _dated_by_an_only_commit(self, git: GitDates) -> list[FilePath]:
        """Return the files of a lone commit: its date is that of an import, not of the pages."""
        count = len(self._answers)
        dates = Counter(answer for answer in self._answers.values() if not isinstance(answer, str))
        suspects = [date for date, pages in dates.items() if pages > count / 2]
        if count < _MANY or not suspects:
            return []
        lone = [file for file, date in self._found.items() if date in suspects]
        return [] if git.has_history(lone[0]) else lone

    def _report_only_commit(self, lone: Sequence[FilePath]) -> None:
        self._report.inform(
            "git-one-commit",
            os.fspath(lone[0]),
            f"It and {len(lone) - 1} more files have the date of the only commit, which says when"
            " they were put there and not when they changed; it is left out.",
            "Keep the history of the files, or give the pages a `lastmod` of their own.",
        )

    def _sources(self, found: Listed) -> Sequence[FilePath]:
        page = found.page
        counted = page.included and self._counted
        own = [*page.sources, *page.included] if counted else page.sources
        if not self._extra:
            return own
        options = self._options
        path = urls.below(options.base_url, found.loc, encoding=options.url_encoding)
        added = [file for match, files in self._extra if match.match(path) for file in files]
        return [*own, *added]

    def _dependencies(self, found: Listed) -> Sequence[FilePath]:
        return found.page.dependencies if self._counted is True else ()


def git_dates(options: Options) -> GitDates:
    """Return what asks git, as the option `git` wants it."""
    from sitemapkit.lastmod.git import GitDates  # noqa: PLC0415 - without dates nobody needs it

    revs = options.git.ignore_revs
    return GitDates(
        dates=options.git.dates,
        bodies=options.git.bodies,
        ignore_revs=(revs,) if isinstance(revs, str) else revs,
        ignore_message=options.git.ignore_message or None,
    )


def _files(rule: SourceRule, report: Report) -> Sequence[Path]:
    patterns = (rule.files,) if isinstance(rule.files, str) else rule.files
    names: set[str] = set()
    for pattern in patterns:
        names.update(glob.glob(pattern, recursive=True))  # noqa: PTH207 - may be absolute
    files = sorted(path for name in names if (path := Path(name)).is_file())
    if not files:
        report.warn(
            "sources-without-file",
            f"sources: {rule.match}",
            f"No file matches {', '.join(patterns)}.",
            "Mend the pattern; it is relative to the folder of the settings.",
        )
    return files
