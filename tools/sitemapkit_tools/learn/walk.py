"""Which commits to build to find the last change of each page in few builds.

Commits are numbered from 0, the newest. The one before git's commit for a page is built first: if
it shows the page as today, the page has not changed since, whatever its sources say. If it differs,
git's commit is built too, which settles the page if git is right. Other pages are found by
bisection, and if git has no commit by growing jumps. A text that changes and changes back between
two built commits goes unnoticed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Digests = Mapping[str, str]
    """The digest of each page of a build by its file; empty if the commit cannot be built."""

_FIRST_JUMP = 8
_PATIENCE = 5
"""Stop after this many commits in a row that cannot be built."""

_FEW_PAGES = 5
_NEARLY_ALL = 0.9


@dataclass(frozen=True, slots=True)
class Trace:
    """A page, followed from the newest commit back to its last change."""

    newer: int
    """The oldest built commit with the page as it is now."""

    file: str
    """The name of the page's file there."""

    older: int | None = None
    """The newest built commit with another text, or without the page; None: not found."""


@dataclass
class Walk:
    """What is known about the pages, and which commit to build next."""

    count: int
    """The number of commits."""

    pages: Sequence[str]
    hints: Mapping[str, int]
    """Git's commit for a page; the number of commits if that is an older one."""

    is_whole: bool = True
    """Whether there is nothing before the oldest commit."""

    built: dict[int, Digests] = field(default_factory=dict[int, "Digests"])

    def __post_init__(self) -> None:
        """Follow the pages through the built commits."""
        self._good = self._comparable()
        self._traces: dict[str, Trace] = {}
        self._moves: dict[tuple[int, int], Mapping[str, str]] = {}
        self._themes: dict[tuple[int, int], bool] = {}
        self._follow(self.pages)

    def add(self, commit: int, shown: Digests) -> None:
        """Add the content of a commit; empty if it cannot be built."""
        self.built[commit] = shown
        self._good = self._comparable()
        self._follow(
            page
            for page in self.pages
            if (older := self._traces[page].older) is None or commit < older
        )

    def next(self) -> int | None:
        """Return the commit to build next: the newest that helps, or None."""
        wanted = [n for page in self.pages if (n := self._wanted(page)) is not None]
        return min(wanted, default=None)

    def is_settled(self, page: str) -> bool:
        """Return whether the commit of the page's last change is known."""
        trace = self._traces[page]
        is_first = self.is_whole and trace.newer == self.count - 1
        return (is_first or trace.older is not None) and self._wanted(page) is None

    def changed(self, page: str) -> int:
        """Return the commit that changed the page, or the oldest known with its current text."""
        trace = self._traces[page]
        hint = self.hints.get(page, -1)
        return hint if trace.newer < hint < (trace.older or 0) else trace.newer

    def _wanted(self, page: str) -> int | None:
        trace, hint = self._traces[page], self.hints.get(page)
        end = self.count if trace.older is None else trace.older
        if hint is not None:
            before = min(hint + 1, self.count - 1)
            if before < end and before not in self.built and not self._is_barren(before):
                return before
        if trace.older is None and (target := self._jump()) is not None:
            return target
        free = self._free(trace.newer, end)  # or where it had few pages yet
        return hint if hint in free else free[len(free) // 2] if free else None

    def _jump(self) -> int | None:
        last = max(self.built)
        target = min(last + max(_FIRST_JUMP, last // 4), self.count - 1)
        return None if last == self.count - 1 or self._is_barren(target) else target

    def _is_barren(self, commit: int) -> bool:
        """Return whether a commit is older than several in a row that cannot be built."""
        last = sorted(self.built)[-_PATIENCE:]
        return commit > last[-1] and len(last) == _PATIENCE and not {*last} & {*self._good}

    def _free(self, newer: int, older: int) -> Sequence[int]:
        """Return the commits between two that have not been tried."""
        tried = sum(newer < commit < older for commit in self.built)
        if tried >= _PATIENCE:  # none of them could be built
            return ()
        return [commit for commit in range(newer + 1, older) if commit not in self.built]

    def _comparable(self) -> list[int]:
        """Return the builds to compare: not those without most pages of a newer one."""
        good: list[int] = []
        for commit in sorted(self.built):
            shown = self.built[commit]
            if shown and (not good or 2 * len(shown) >= len(self.built[good[-1]])):
                good.append(commit)
        return good

    def _follow(self, pages: Iterable[str]) -> None:
        for page in pages:
            self._traces[page] = self._trace(page)

    def _trace(self, page: str) -> Trace:
        file, newer = page, self._good[0]
        for older in self._good[1:]:
            before = self._before(file, newer, older)
            if before is None or not self._is_same(page, file, before, newer, older):
                return Trace(newer, file, older)
            file, newer = before, older
        return Trace(newer, file)

    def _before(self, file: str, newer: int, older: int) -> str | None:
        """Return the name of a page in an older build: the same, or that of one with its text."""
        if file in self.built[older]:
            return file
        if (newer, older) not in self._moves:
            old, new = self.built[older], self.built[newer]
            self._moves[newer, older] = {old[name]: name for name in old if name not in new}
        return self._moves[newer, older].get(self.built[newer][file])

    def _is_same(self, page: str, file: str, before: str, newer: int, older: int) -> bool:
        """Return whether two builds show a page the same, except for the theme.

        It is the theme if nearly all pages differ, and git's commit for this one is elsewhere.
        """
        if self.built[newer][file] == self.built[older][before]:
            return True
        if self._free(newer, older) or newer <= self.hints.get(page, -1) < older:
            return False
        if (newer, older) not in self._themes:
            self._themes[newer, older] = _differ_nearly_all(self.built[newer], self.built[older])
        return self._themes[newer, older]


def _differ_nearly_all(new: Digests, old: Digests) -> bool:
    common = new.keys() & old.keys()
    changed = sum(new[file] != old[file] for file in common)
    return len(common) >= _FEW_PAGES and changed >= _NEARLY_ALL * len(common)
