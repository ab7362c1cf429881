"""The git date of a page: the newest date of its source files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.patterns import PathPatterns
from textdates import Part, file_of
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from sitemapkit.model import Listed
    from sitemapkit.options import Options, SourceRule
    from textdates import Diagnostic, FileOrPart, TextDates

_MANY = 20
"""From this many pages on, one date for more than half is suspicious."""


class FileDates:
    """The git dates of pages; git is run once for all of them."""

    def __init__(self, options: Options, history: TextDates | None) -> None:
        """Find the files of the option `sources`; git may be running already."""
        self.rules_without_file: list[SourceRule] = []
        self.of_one_commit: list[str] = []
        """Files of an only commit, which is not when they changed, so that they are not dated."""

        self._options = options
        self._git = history
        self._found: Mapping[FileOrPart, datetime] = {}
        self._imported: set[FileOrPart] = set()
        self._extra: list[tuple[PathPatterns, Sequence[Path]]] = []
        """The patterns of the option `sources`, and the files that they add."""

        for rule in options.sources:
            files = _files_named(rule)
            if not files:
                self.rules_without_file.append(rule)
            self._extra.append((PathPatterns(rule.match), files))

    def ask(self, pages: Sequence[Listed]) -> None:
        """Get the dates from git of the files of these pages, where `lastmod` is still open."""
        if not self._git:
            return
        files: set[FileOrPart] = set()
        for each in pages:
            files.update(self._files_of(each))
        self._found = self._git.last_changed(files)
        lone = self._files_of_one_commit(pages, self._git)
        self._imported.update(lone)
        self.of_one_commit = sorted(map(file_of, lone))

    def diagnostics(self, dated: Iterable[Listed]) -> Sequence[Diagnostic]:
        """Return what limits the dates from git, of these pages that have one."""
        if not self._git:
            return ()
        decisive = map(self._decisive, dated)
        return [*self._git.diagnostics, *self._git.sweeps([*decisive])]

    def date_of(self, listed: Listed) -> date | str:
        """Return the newest date of the page's files, or why it is unknown.

        Each source, and each file that the page includes, must have a date, since an undated one
        may be the newest, unless a shallow clone shows that it is older. Dependencies without a
        date (an installed module) do not count.
        """
        sources = self._sources(listed)
        if not sources:
            return "no source file is known"
        newest = max(self._dated(listed).values(), default=None)
        for file in sources:
            if file in self._imported:
                return f"{file_of(file)}: its history is one commit"
            if file in self._found:
                continue
            why = "git was not used"
            if self._git:
                if newest and self._git.is_older(file, newest):
                    continue
                why = self._git.why_unknown(file) or why
            return why if file is sources[0] else f"{file_of(file)}: {why}"
        return newest or ""

    def decided_by(self, listed: Listed) -> list[str]:
        """Return what set the page's date, a file or part with its commit, then its other files."""
        newest = self._decisive(listed)
        commit = self._git.commit(newest) if self._git else ""
        part = f"{newest.cut!s:.100} of " if isinstance(newest, Part) else ""
        decided = [f"{part}{file_of(newest)}, commit {commit[:12]}"]
        for file in self._files_of(listed):
            name = file_of(file)
            if file != newest and name not in decided:
                decided.append(name)
        return decided

    def _decisive(self, listed: Listed) -> FileOrPart:
        """Return the newest file or part of a page that has its date from git."""
        dated = self._dated(listed)
        return max(dated, key=dated.__getitem__)

    def _dated(self, listed: Listed) -> Mapping[FileOrPart, datetime]:
        dated: dict[FileOrPart, datetime] = {}
        for file in self._files_of(listed):
            if file in self._found:
                dated[file] = self._found[file]
        return dated

    def _files_of(self, listed: Listed) -> list[FileOrPart]:
        return [*self._sources(listed), *self._dependencies(listed)]

    def may_have_changed(self, listed: Listed) -> bool:
        """Return whether git has text of the page that may have changed on any day."""
        return self._git is not None and self._git.may_have_changed(self._sources(listed))

    def _files_of_one_commit(self, pages: Sequence[Listed], git: TextDates) -> list[FileOrPart]:
        """Return the files of an only commit: its date is of an import, not of the pages."""
        if len(pages) < _MANY or not self._found:
            return []
        [(usual, count)] = Counter(map(self.date_of, pages)).most_common(1)
        if count <= len(pages) / 2:
            return []
        lone = [file for file, date in self._found.items() if date == usual]
        if lone and git.has_history(lone[0]):  # then that commit changed most pages at once
            return []
        return lone

    def _sources(self, listed: Listed) -> Sequence[FileOrPart]:
        page, options = listed.page, self._options
        files = page.sources
        if page.included and options.dependencies:
            files = [*files, *page.included]
        if self._extra and listed.loc.startswith(options.base_url):
            path = options.path_of(listed.loc)
            for patterns, added in self._extra:
                if patterns.match(path):
                    files = [*files, *added]
        return files

    def _dependencies(self, listed: Listed) -> Sequence[FileOrPart]:
        files, wanted = listed.page.dependencies, self._options.dependencies
        if wanted is True:
            return files
        if not (wanted and files):
            return ()
        return [each for each in files if isinstance(each, Part)]


def _files_named(rule: SourceRule) -> Sequence[Path]:
    """Return the files that a rule of the option `sources` names."""
    import glob  # noqa: PLC0415 - few sites have rules

    patterns = (rule.files,) if isinstance(rule.files, str) else rule.files
    found: set[str] = set()
    for pattern in patterns:
        names = glob.glob(pattern, recursive=True)  # noqa: PTH207 - it takes absolute patterns
        found.update(filter(is_file, names))
    return sorted(map(Path, found))
