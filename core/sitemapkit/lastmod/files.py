"""The git date of a page: the newest date of its source files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapkit.model import UNDATED
from sitemapkit.patterns import PathPatterns
from textdates import Part, file_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from sitemapkit.model import Candidate
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
        self._extra = [(PathPatterns(rule.match), self._named(rule)) for rule in options.sources]

    def ask(self, pages: Sequence[Candidate]) -> None:
        """Get the dates from git of the files of these pages, where `lastmod` is still open."""
        if not self._git:
            return
        files: set[FileOrPart] = set()
        for page in pages:
            if page.lastmod is UNDATED:
                files.update(self._files_of(page))
        self._found = self._git.last_changed(files)
        lone = self._files_of_one_commit(pages, self._git)
        self._imported.update(lone)
        self.of_one_commit = sorted(map(file_of, lone))

    def diagnostics(self, dated: Iterable[Candidate]) -> Sequence[Diagnostic]:
        """Return what limits the dates from git, of these pages that have one."""
        if not self._git:
            return ()
        sweeps = self._git.sweeps(map(self._decisive, dated))
        return [*self._git.diagnostics, *sweeps]

    def date_of(self, candidate: Candidate) -> date | str:
        """Return the newest date of the page's files, or why it is unknown.

        Each source, and each file that the page includes, must have a date, since an undated one
        may be the newest. Dependencies without a date (an installed module) do not count.
        """
        sources = self._sources(candidate)
        if not sources:
            return "no source file is known"
        for file in sources:
            if file in self._imported:
                return f"{file_of(file)}: its history is one commit"
            if file not in self._found:
                why = self._git.why_unknown(file) if self._git else ""
                why = why or "git was not used"
                return why if file is sources[0] else f"{file_of(file)}: {why}"
        known = [self._found[file] for file in sources]
        for file in self._dependencies(candidate):
            if file in self._found:
                known.append(self._found[file])
        return max(known)

    def decided_by(self, candidate: Candidate) -> list[str]:
        """Return what set the page's date, a file or part with its commit, then its other files."""
        newest = self._decisive(candidate)
        commit = self._git.commit(newest) if self._git else ""
        part = f"{newest.cut!s:.100} of " if isinstance(newest, Part) else ""
        decided = [f"{part}{file_of(newest)}, commit {commit[:12]}"]
        others = [file_of(file) for file in self._files_of(candidate) if file != newest]
        decided += dict.fromkeys(others)
        return decided

    def _decisive(self, candidate: Candidate) -> FileOrPart:
        """Return the newest file or part of a page that has its date from git."""
        dated = [file for file in self._files_of(candidate) if file in self._found]
        return max(dated, key=self._found.__getitem__)

    def _files_of(self, candidate: Candidate) -> list[FileOrPart]:
        return [*self._sources(candidate), *self._dependencies(candidate)]

    def may_have_changed(self, candidate: Candidate) -> bool:
        """Return whether git has text of the page that may have changed on any day."""
        return bool(self._git and self._git.may_have_changed(self._sources(candidate)))

    def _files_of_one_commit(self, pages: Sequence[Candidate], git: TextDates) -> list[FileOrPart]:
        """Return the files of an only commit: its date is of an import, not of the pages."""
        if len(pages) < _MANY or not self._found:
            return []
        dates = Counter(map(self.date_of, pages))
        [(usual, count)] = dates.most_common(1)
        if count <= len(pages) / 2:
            return []
        lone = [file for file, date in self._found.items() if date == usual]
        if not lone or git.has_history(lone[0]):
            return []
        return lone

    def _sources(self, candidate: Candidate) -> Sequence[FileOrPart]:
        page = candidate.page
        options = self._options
        own: Sequence[FileOrPart] = page.sources
        if page.included and options.dependencies:
            own = [*own, *page.included]
        if not self._extra or not candidate.loc.startswith(options.base_url):
            return own
        path = options.path_of(candidate.loc)
        files = [*own]
        for match, added in self._extra:
            if match.match(path):
                files += added
        return files

    def _dependencies(self, candidate: Candidate) -> Sequence[FileOrPart]:
        files = candidate.page.dependencies
        wanted = self._options.dependencies
        if wanted is True or not files:
            return files
        if not wanted:
            return []
        return [each for each in files if isinstance(each, Part)]

    def _named(self, rule: SourceRule) -> Sequence[Path]:
        import glob  # noqa: PLC0415 - few sites have rules

        patterns = (rule.files,) if isinstance(rule.files, str) else rule.files
        files: set[Path] = set()
        for pattern in patterns:
            # Path.glob takes no absolute patterns.
            for name in glob.glob(pattern, recursive=True):  # noqa: PTH207
                path = Path(name)
                if path.is_file():
                    files.add(path)
        if not files:
            self.rules_without_file.append(rule)
        return sorted(files)
