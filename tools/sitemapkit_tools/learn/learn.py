"""Fill a ledger with the dates on which the content of pages last changed.

This builds as few old commits as possible. The ledger's digests stay those of the site's own build;
only dates are replaced.
"""

from __future__ import annotations

import time
from datetime import date, datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit import dates
from sitemapkit.errors import SitemapError
from sitemapkit.lastmod.digest import VERSION
from sitemapkit.lastmod.ledger import (
    ANY_LEDGER,
    Ledger,
    LedgerLine,
    joined,
    read_ledger,
    write_ledger,
)
from sitemapkit.model import OutputFile
from sitemapkit.options import Options
from sitemapkit.output.files import write_file
from sitemapkit.report import Report
from sitemapkit_tools.learn.builder import Builder
from sitemapkit_tools.learn.head import HeadBuild, build_head, ledgers_in
from sitemapkit_tools.learn.history import History, cloned, read_history
from sitemapkit_tools.learn.state import State, keep_state, read_state
from sitemapkit_tools.learn.walk import Walk
from sitemapkit_tools.site.read_pages import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from sitemapkit_tools.learn.walk import Digests
    from sitemapkit_tools.site.read_pages import OnProgress

    Progress = Callable[[int], AbstractContextManager[OnProgress]]
    """Shows how many of this many pages are settled."""

_SHORTEST_LIMIT = 60.0
_SLOWER = 5
"""How many times as long as the newest commit a build may take."""


class LearnSettings(Struct, frozen=True):
    """What to learn, from which commits and for how long."""

    folder: Path = Path()
    """The project; the command runs there."""

    command: str | None = None
    """Builds into `{out}`; None: the generator's own."""

    ledger: Path | None = None
    """None: the build's own."""

    options: Options = Options()
    """For a build without a ledger."""

    read: ReadOptions = ReadOptions(digest=True)
    paths: tuple[str, ...] = ()
    since: date | None = None
    commits: int | None = None
    minutes: float = 10.0
    state: Path | None = None
    jobs: int | None = None
    passed: tuple[str, ...] = ()
    """Names of variables that builds get, besides those that programs need to start."""


class DateChange(Struct, frozen=True):
    """A page with a different date than in a build without a ledger."""

    path: str
    without: date | None
    learned: date | None

    @property
    def days(self) -> int:
        """How far they are apart; 0 if one of them is unknown."""
        if not (self.without and self.learned):
            return 0
        return (_day(self.learned) - _day(self.without)).days


class Learned(Struct):
    """The result, and what it cost."""

    ledger: Path
    pages: int
    commits: int
    settled: int = 0
    unsteady: int = 0
    """Pages that differ between two builds of one commit."""

    builds: int = 0
    seconds: float = 0.0
    failures: int = 0
    failure: str = ""
    """Why the first of these commits cannot be built."""

    ended: str = ""
    """Why not all pages are settled."""

    notes: list[str] = []
    changes: list[DateChange] = []
    """Dates that differ, the largest difference first."""


def learn(settings: LearnSettings, progress: Progress) -> Learned:
    """Find the dates, and write the ledger. Raises SitemapError if that is impossible."""
    start = time.monotonic()
    until = start + 60 * settings.minutes
    since, most = settings.since, settings.commits
    history = read_history(settings.folder, settings.paths, since=since, most=most)
    named = [settings.ledger.resolve()] if settings.ledger and settings.ledger.exists() else []
    before = {file: read_ledger(file) for file in (*ledgers_in(history.root), *named)}
    with cloned(history) as clone:
        builder = Builder(
            clone,
            settings.command,
            settings.read,
            until,
            jobs=settings.jobs,
            passed=settings.passed,
        )
        head = build_head(builder, history.commits[0].id, settings.options)
        run = _Run(settings, history, builder, head, before)
        with progress(len(head.files)) as on_progress:
            run.walk_back(on_progress)
    learned = run.write()
    learned.seconds = time.monotonic() - start
    return learned


_OLD = "older commits cannot be built"


class _Run:
    """One run, after the checked-out commit is built."""

    def __init__(
        self,
        settings: LearnSettings,
        history: History,
        builder: Builder,
        head: HeadBuild,
        before: Mapping[Path, Ledger],
    ) -> None:
        """`before` are the ledgers as they were when the run began."""
        self.settings, self.history, self.builder, self.head = settings, history, builder, head
        self.ledger = _ledger(settings, history, head)
        self.known = before.get(self.ledger, Ledger())
        self._present = {line.path: line.digest for line in head.lines}
        self.state = read_state(settings.state, _how(settings, history))
        self.count = 2
        self.ended = ""
        if not self._builds_the_same():
            self.state = State(self.state.learned)
        self.state.builds[history.commits[0].id] = dict(head.shown)
        self.walk = self._begin()

    def _builds_the_same(self) -> bool:
        """Return whether builds are as in earlier runs, not by other versions of the tools."""
        newest, builds = self.history.commits[0].id, self.state.builds
        known = next((each.id for each in self.history.commits if builds.get(each.id)), newest)
        shown = self.head.shown
        if known != newest:
            self.count += 1
            shown = {} if self.builder.build(known) else self.builder.digests()
        earlier = builds.get(known, shown)
        return all(earlier.get(file) == shown.get(file) for file in self.head.files.values())

    def _begin(self) -> Walk:
        """Return the walk with the builds of earlier runs."""
        commits, files = self.history.commits, self.head.files
        seconds = [int(each.time.timestamp()) for each in commits]
        by_second = {second: n for n, second in reversed([*enumerate(seconds)])}
        hints: dict[str, int] = {}
        for line in self.head.lines:
            if line.path in files and isinstance(line.changed, datetime):
                second = int(line.changed.timestamp())
                if second in by_second:
                    hints[files[line.path]] = by_second[second]
                elif self.history.cut and second < seconds[-1]:
                    hints[files[line.path]] = len(commits)
        known = self.state.builds
        built: dict[int, Digests] = {n: known[c.id] for n, c in enumerate(commits) if c.id in known}
        pages = sorted({*files.values()})
        return Walk(len(commits), pages, hints, not self.history.cut, built)

    def walk_back(self, on_progress: OnProgress) -> None:
        """Build commits until all pages are settled, or time is up."""
        limit = max(_SHORTEST_LIMIT, _SLOWER * self.head.seconds)
        settled = 0
        while True:
            now = sum(map(self.walk.is_settled, self.walk.pages))
            on_progress(max(0, now - settled))
            settled = max(now, settled)
            commit = self.walk.next()
            if commit is None:
                break
            if not self._build(commit, limit):
                self.ended = f"the {self.settings.minutes:g} minutes are up"
                break

    def _build(self, number: int, seconds: float) -> bool:
        """Build a commit; return whether there was time for it."""
        commit = self.history.commits[number].id
        why = self.builder.build(commit, seconds)
        if why and not self.builder.seconds_left:
            return False
        shown = {} if why else self.builder.digests()
        if not shown:
            self.state.failures[commit] = why or "it has no pages"
        self.state.builds[commit] = shown
        self.walk.add(number, shown)
        keep_state(self.settings.state, self.state)
        self.count += 1
        return True

    def write(self) -> Learned:
        """Write the ledger, and return what is in it."""
        head, walk = self.head, self.walk
        lines = [LedgerLine(each.path, self._date(each), each.digest) for each in head.lines]
        write_file(OutputFile(self.ledger, self._updated(lines), ANY_LEDGER), Report())
        pairs = zip(head.lines, lines, strict=True)
        changes = [DateChange(new.path, old.changed, new.changed) for old, new in pairs]
        failures = [
            self.state.failures[c.id] for c in self.history.commits if c.id in self.state.failures
        ]
        settled = sum(walk.is_settled(file) for file in head.files.values())
        whole = settled == len(head.files)
        return Learned(
            ledger=self.ledger,
            pages=len(lines),
            settled=settled,
            unsteady=head.unsteady,
            commits=len(self.history.commits),
            builds=self.count,
            failures=len(failures),
            failure=next(iter(failures), ""),
            ended="" if whole else self.ended or self.history.cut or _OLD,
            notes=self.builder.clone.notes,
            changes=sorted(
                filter(_differs, changes), key=lambda each: (-abs(each.days), each.path)
            ),
        )

    def _updated(self, lines: Sequence[LedgerLine]) -> Iterator[bytes]:
        """Yield the ledger with these lines, and what a build has written meanwhile."""
        built = read_ledger(self.ledger).lines
        yield write_ledger(joined(self.known.lines, built=built, learned=lines))

    def _date(self, line: LedgerLine) -> date | None:
        """Return the date of a page: the learned one, or else the known one if not too new."""
        known = self.known.recorded(line.path, line.digest, self._present)
        kept = (known.changed if known.unchanged else None) or line.changed
        file = self.head.files.get(line.path)
        if file is None:
            return kept
        changed = self.history.commits[self.walk.changed(file)].time
        if self.walk.is_settled(file):
            return changed
        return min(kept, changed, key=dates.sortable) if kept else None


def _ledger(settings: LearnSettings, history: History, head: HeadBuild) -> Path:
    """Return the file to write. Raises SitemapError if the site's build keeps another."""
    named = settings.ledger.resolve() if settings.ledger else None
    if head.ledger is None:
        if named is None:
            raise SitemapError(
                "the build keeps no ledger: set the site's option `ledger`, or give a file with"
                " --ledger"
            )
        return named
    own = history.root / head.ledger
    if named not in (None, own):
        raise SitemapError(f"the build keeps its ledger in {own}: omit --ledger")
    return own


def _how(settings: LearnSettings, history: History) -> str:
    """Return a digest of how commits are built and read."""
    folder = history.folder.relative_to(history.root).as_posix()
    read = (settings.read.main, settings.read.noise)
    told = (VERSION, folder, settings.command, settings.options.base_url, *read)
    return blake2b(repr(told).encode(), digest_size=8).hexdigest()


def _differs(change: DateChange) -> bool:
    if change.without and change.learned:
        return change.days != 0
    return change.without != change.learned


def _day(value: date) -> date:
    """Return the day in UTC."""
    return date.fromisoformat(dates.sortable(value)[0])
