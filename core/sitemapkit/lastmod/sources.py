"""The git date of a page: the newest of the files it was made from."""

from __future__ import annotations

import glob
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit import urls
from sitemapkit.patterns import PathPatterns
from sitemapkit.rules import and_more, issue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from sitemapkit.lastmod.git import GitDates
    from sitemapkit.model import Candidate, FilePath, Issue
    from sitemapkit.options import Options, SourceRule

_MANY = 20
"""From so many pages on, one date for more than half of them is suspicious."""


class SourceDates:
    """Dates of pages by the git dates of their sources; git is asked once for all of them."""

    def __init__(self, options: Options, history: GitDates | None) -> None:
        """Find the files that the option `sources` adds; git may be at work already."""
        self.issues: list[Issue] = []
        self._options = options
        self._counted = options.dependencies
        self._git = history
        self._found: Mapping[FilePath, datetime] = {}
        self._answers: dict[Candidate, date | str] = {}
        self._imported: set[FilePath] = set()
        self._extra = [(PathPatterns(rule.match), self._files(rule)) for rule in options.sources]

    def ask(self, pages: Sequence[Candidate]) -> None:
        """Ask git about all files of these pages."""
        if not self._git:
            return
        files = {file for found in pages for file in self._sources(found)}
        files.update(file for found in pages for file in self._dependencies(found))
        self._found = self._git.last_changed(files)
        self._answers = {found: self._answer(found) for found in pages}
        if lone := self._dated_by_an_only_commit(self._git):
            self._imported.update(lone)
            self.issues.append(issue("git-one-commit", os.fspath(lone[0]), and_more(len(lone))))
            self._answers = {found: self._answer(found) for found in pages}
        self.issues += self._git.diagnostics

    def date_of(self, found: Candidate) -> date | str:
        """Return the newest date of the page's files, or why it cannot be known.

        Each source, and each file whose text the page takes in, must have a date: an undated one
        may be the newest. Dependencies without one (an installed module) do not count.
        """
        return self._answers.get(found) or self._answer(found)

    def _answer(self, found: Candidate) -> date | str:
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

    def _sources(self, found: Candidate) -> Sequence[FilePath]:
        page = found.page
        counted = page.included and self._counted
        own = [*page.sources, *page.included] if counted else page.sources
        if not self._extra:
            return own
        options = self._options
        path = urls.below(options.base_url, found.loc, encoding=options.url_encoding)
        added = [file for match, files in self._extra if match.match(path) for file in files]
        return [*own, *added]

    def _dependencies(self, found: Candidate) -> Sequence[FilePath]:
        return found.page.dependencies if self._counted is True else ()

    def _files(self, rule: SourceRule) -> Sequence[Path]:
        patterns = (rule.files,) if isinstance(rule.files, str) else rule.files
        names: set[str] = set()
        for pattern in patterns:
            names.update(glob.glob(pattern, recursive=True))  # noqa: PTH207 - may be absolute
        files = sorted(path for name in names if (path := Path(name)).is_file())
        if not files:
            detail = f"The pattern is {', '.join(patterns)}."
            self.issues.append(issue("sources-without-file", f"sources: {rule.match}", detail))
        return files


def git_dates(options: Options) -> GitDates:
    """Return what asks git, as the option `git` wants it."""
    from sitemapkit.lastmod.git import GitDates  # noqa: PLC0415 - only builds with dates need it

    revs = options.git.ignore_revs
    return GitDates(
        dates=options.git.dates,
        bodies=options.git.bodies,
        ignore_revs=(revs,) if isinstance(revs, str) else revs,
        ignore_message=options.git.ignore_message or None,
    )
