"""The dates of the files of one repository."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from textdates.bounds import is_link, is_there
from textdates.compare.same import Comparer
from textdates.git import ignored
from textdates.git.blobs import Texts
from textdates.git.command import GitError, GitMissingError, TooLargeError, run_git
from textdates.git.first_parent import FirstParentSearch
from textdates.git.history import CommitDate, Log, Target, start_walk
from textdates.git.repository import Repository, open_repository, scope_of
from textdates.model import Diagnostic, DiagnosticId

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from textdates.budget import Budget
    from textdates.git.history import Known
    from textdates.model import Rules


_MANY = 20
"""From this many files on, it is suspicious if one commit changed a large share of them."""

_LARGE_SHARE = 1 / 3


class Unknown:
    """Reasons for a missing date that code compares; other reasons are only for messages."""

    UNTRACKED = "untracked"
    MODIFIED = "changed since the last commit"
    SHALLOW = "the shallow clone does not reach its last change"
    BEYOND = "a commit that changes too many files hides its last change"
    OUTSIDE = "outside any repository"


_KNOWN_FAILURES: tuple[tuple[DiagnosticId, str], ...] = (
    ("git-ownership", "dubious ownership"),
    ("git-ownership", "unsafe repository"),
    ("git-none", "not a git repository"),  # a file `.git` leads nowhere
    ("git-empty", "unknown revision"),
    ("git-old", "unrecognized argument"),
)
"""The id for what git says when it fails."""

_FAILED: Mapping[DiagnosticId, str] = {
    "git-missing": "git is not installed",
    "git-empty": Unknown.UNTRACKED,
}
"""Why a file has no date after a failure; others than these need no words of their own."""

_NOT_COMMITTED: Mapping[str, DiagnosticId] = {
    Unknown.UNTRACKED: "git-untracked",
    Unknown.MODIFIED: "git-modified",
}


class RepositoryDates:
    """Dates files of one repository; runs git only when there is something to look up."""

    def __init__(self, root: str, rules: Rules, budget: Budget, known: Known | None = None) -> None:
        """`root` is the absolute path of the work tree, free of symbolic links.

        What is `known` of its texts is not looked for again, and what is found is noted there.
        """
        self.diagnostics: dict[DiagnosticId, Diagnostic] = {}
        """What limits the dates, by its id."""
        self.oldest: datetime | str = ""
        """When the oldest commit of a shallow clone was, if that hides the date of a target."""
        self._root = root
        self._rules = rules
        self._comparer = Comparer(budget, rules.base, is_myst=rules.is_myst)
        self._known: Known = {} if known is None else known
        self._early_log: Log | None = None
        self._found: dict[Target, CommitDate] = {}
        self._edited: set[Target] = set()
        self._beyond: Collection[Target] = ()

    @cached_property
    def repository(self) -> Repository:
        """The repository; raises GitError if git cannot read it."""
        return open_repository(self._root)

    def start(self, folder: bytes) -> None:
        """Let git read the history of the files below `folder` while the build does other work."""
        scope = os.fsdecode(folder)
        with suppress(GitError):  # it will occur again, and be reported, when dates are looked up
            if not self._kept:
                self._early_log = start_walk(self._root, self.repository.head, scope)

    def dates(self, targets: set[Target]) -> Mapping[Target, datetime | str]:
        """Return the date of each target, or why it has none; issues with git do not raise."""
        try:
            return self._dates(targets)
        except GitError as error:
            self._early_log = None  # it may have ended too early
            failure = _failed(self._root, error)
            self._add(failure)
            why = _FAILED.get(failure.id, "git failed")
            return dict.fromkeys(targets, why)

    def _dates(self, targets: set[Target]) -> Mapping[Target, datetime | str]:
        names = {target.name for target in targets}
        tracked = self._tracked(names)
        spellings = self.repository.spellings(names - tracked.keys(), tracked)
        known: dict[Target, Target] = {}
        for target in targets:
            name = spellings.get(target.name, target.name)
            known[target] = Target(name, target.cut)
        wanted = {target for target in known.values() if target.name in tracked}
        if wanted and self._rules.bodies and self.repository.is_partial:
            self._add(Diagnostic("git-partial", self._root))
        texts = Texts(self._root, tracked, self._comparer)
        modified = texts.edited(wanted)
        kept = self._kept
        self._search(wanted - modified - kept.keys(), texts)
        dates: dict[Target, datetime | str] = {}
        for target, key in known.items():
            if key in modified:
                dates[target] = Unknown.MODIFIED
            elif key in kept:
                self._found[target], is_edited = kept[key]
                if is_edited:
                    self._edited.add(target)
                dates[target] = self._date(self._found[target])
            elif key in self._beyond:
                dates[target] = Unknown.BEYOND
            else:
                dates[target] = Unknown.UNTRACKED
        self._diagnose(dates)
        if self._comparer.budget.refused:  # the next build is to say so, too
            self._known.pop(self._root, None)
        return dates

    def ignored(self, names: Collection[bytes]) -> set[bytes]:
        """Return the files that git ignores, as `.gitignore` says; none if git fails."""
        asked = [b"./" + name for name in names]  # a name may look like a pattern
        command = ("--no-literal-pathspecs", "check-ignore", "--stdin")
        try:
            said = run_git(self._root, *command, lines=asked, accepted=(0, 1))
        except GitError:  # it will fail for the dates too, and they report it
            return set()
        found = {row.removeprefix(b"./") for row in said.split(b"\n")}
        return found.intersection(names)

    def commit(self, target: Target) -> str:
        """Return the object id of the commit that a target has its date from; "" if it has none."""
        found = self._found.get(target)
        return found.commit.decode() if found else ""

    def has_history(self, target: Target) -> bool:
        """Return whether the commit that a target has its date from is not the only one."""
        found = self._found.get(target)
        return not found or found.has_parent or found.commit != self.repository.head

    def sweep(self, decisive: Sequence[Target]) -> Diagnostic | None:
        """Return the commit that changed so many files that it decides a large share of the dates.

        `decisive` has for each date what it comes from.
        """
        changed: dict[CommitDate, list[bytes]] = defaultdict(list)
        for target in decisive:
            if target in self._edited:
                changed[self._found[target]].append(target.name)
        sweep = max(changed, key=lambda commit: len(set(changed[commit])), default=None)
        if not sweep or len(set(changed[sweep])) < _MANY:
            return None
        count = len(changed[sweep])
        if count < _LARGE_SHARE * len(decisive):
            return None
        day = datetime.fromtimestamp(sweep.timestamp, UTC)
        name = sweep.commit.decode()[:12]
        detail = f"{name} of {day:%Y-%m-%d} decides {count:,} of {len(decisive):,} dates."
        return Diagnostic("git-sweep", self._root, detail)

    def _tracked(self, names: set[bytes]) -> Mapping[bytes, bytes]:
        """Return the object ids of these files in the checked-out commit."""
        if scope := scope_of(names):
            found = self.repository.tracked(names, scope)
            if names <= found.keys():
                return found
        # One that is missing may be there in another spelling, perhaps of its folder.
        return self.repository.tracked(names)

    @cached_property
    def _kept(self) -> dict[Target, tuple[CommitDate, bool]]:
        """What is known under the same commit, as much history, and the same rules."""
        here = self.repository
        history = (here.head, sorted(here.boundary), here.is_partial)
        under = repr((history, self._rules, sorted(self._ignored_ids)))
        last, kept = self._known.get(self._root, ("", {}))
        if last != under:
            kept = {}
            self._known[self._root] = under, kept
        return kept

    def _search(self, targets: set[Target], texts: Texts) -> None:
        """Find the commit of each target, which is in a tracked file."""
        if not targets:
            return
        compared: Texts | None = None
        if self._rules.bodies and not self.repository.is_partial:
            compared = texts
        search = FirstParentSearch(self.repository, self._ignored_ids, compared)
        search.search(self._walks(targets))
        self._beyond = search.beyond
        if search.beyond:
            last = min(search.beyond.values()).decode()
            detail = f"It comes before {last[:12]}." if last else "It is the checked-out commit."
            self._add(Diagnostic("git-too-large", self._root, detail))
        for target, commit in search.found.items():
            self._kept[target] = commit, target in search.edited

    def _walks(self, targets: set[Target]) -> Iterator[tuple[Log, Collection[Target]]]:
        """Yield the log that was started early, and one for what it lacks, with their targets."""
        log, self._early_log = self._early_log, None
        if log:
            covered = {target for target in targets if log.covers(target.name)}
            yield log, covered
            targets = targets - covered
        if targets:
            names = {target.name for target in targets}
            yield start_walk(self._root, self.repository.head, scope_of(names)), targets

    @cached_property
    def _ignored_ids(self) -> frozenset[bytes]:
        return frozenset(self._read_ignored_ids())

    def _read_ignored_ids(self) -> Iterator[bytes]:
        paths = self._rules.ignore_revs
        inside = ""
        if paths is None:
            default = Path(self._root, ignored.DEFAULT_LIST)
            if not (is_there(default) or is_link(default)):  # a dead link is said below
                return
            paths = ignored.DEFAULT_LIST
            inside = self._root
        if isinstance(paths, str):
            paths = [paths]
        for path in paths:
            file = Path(self._root, path)
            try:
                yield from ignored.read_list(file, inside=inside)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or error
                self._add(Diagnostic("git-ignore-revs", self._root, f"{file}: {why}."))

    def _date(self, found: CommitDate) -> datetime | str:
        date: datetime | str = "its commit has no readable date"
        if found.timestamp:
            with suppress(ValueError, OverflowError, OSError):
                date = datetime.fromtimestamp(found.timestamp, UTC)
        if found.commit in self.repository.boundary:
            self.oldest = date
            return Unknown.SHALLOW
        return date

    def _diagnose(self, dates: Mapping[Target, datetime | str]) -> None:
        for why, limit in _NOT_COMMITTED.items():
            files: set[str] = set()
            for target, date in dates.items():
                if date != why:
                    continue
                name = os.fsdecode(target.name)
                # What a link leads to has a date, or a reason of its own.
                if not is_link(os.path.join(self._root, name)):  # noqa: PTH118
                    files.add(name)
            if files:
                self._add(Diagnostic(limit, self._root, f"It is {min(files)}.", len(files)))
        if Unknown.SHALLOW in dates.values():
            self._add(Diagnostic("git-shallow", self._root))

    def _add(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.setdefault(diagnostic.id, diagnostic)


def _failed(root: str, error: GitError) -> Diagnostic:
    """Git could not answer, so nothing in its repository has a date."""
    said = str(error).rstrip(".")
    if isinstance(error, GitMissingError):
        return Diagnostic("git-missing", root, f"{said}.")
    limit = _limit_of(error, said)
    if limit == "git-empty":
        return Diagnostic(limit, root)
    detail = f"It says: {said}."
    if limit == "git-ownership":
        folder = Path(root).as_posix()  # as git spells it on Windows, where `'` does not quote
        detail += f' To trust it, run `git config --global --add safe.directory "{folder}"`.'
    return Diagnostic(limit, root, detail)


def _limit_of(error: GitError, said: str) -> DiagnosticId:
    for known, sign in _KNOWN_FAILURES:
        if sign in said:
            return known
    return "git-too-large" if isinstance(error, TooLargeError) else "git-failed"
