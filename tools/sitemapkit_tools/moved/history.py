"""The history of a deployed branch: when each page came and went, and what it said.

The log is read once, newest commit first. Pages that never were on the line of first parents, such
as those of a merged branch of sources, were not deployed.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import cached_property
from subprocess import PIPE
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from sitemapkit.errors import SitemapError
from sitemapkit_tools.bounds import MAX_PAGE, Budget
from sitemapkit_tools.site.output_dir import is_page
from sitemapkit_tools.site.read_pages import no_progress
from sitemapkit_tools.sitemaps.first_deploy import NothingYetError
from textdates.git import GitError, GitProcess, Record, read_log, run_git, start_git

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemapkit_tools.site.read_pages import OnProgress

_LANDMARKS = (
    *("sitemap.xml", "searchindex.js", "objects.inv", "search/search_index.json"),
    "versions.json",
)
"""Files at the root of a site of its own: generators write them once for each build."""

_REPORTED = 100
"""Commits after which progress is reported."""


MOST_CHANGES = 1_000_000
"""Changes of pages that are kept, of some 150 bytes each; what is older is not read."""


class Version(NamedTuple):
    """What a commit made of a page."""

    number: int
    """The number of the commit."""

    text: bytes
    """The object id of the page's text; "" if the commit removed the page."""


class History(Struct):
    """All that happened to a page."""

    versions: list[Version]
    """The newest first."""

    @property
    def died(self) -> int:
        """The number of the commit that removed the page; -1: it is in the newest one."""
        newest = self.versions[0]
        return -1 if newest.text else newest.number

    @property
    def last_life(self) -> Sequence[Version]:
        """The versions since the page was last added, the newest first."""
        start = 0 if self.versions[0].text else 1
        ends = (n for n, each in enumerate(self.versions) if n > start and not each.text)
        return self.versions[start : next(ends, None)]

    def change(self, number: int) -> tuple[bytes, bytes]:
        """Return the object ids of the text before and after a commit that changed the page."""
        at = bisect_left(self.versions, number, key=lambda each: each.number)
        before = self.versions[at + 1].text if at + 1 < len(self.versions) else b""
        return before, self.versions[at].text


class Commit(Struct, frozen=True):
    """A commit of the branch; 0 is the newest."""

    id: str
    time: int
    """Committer date, seconds since 1970."""


class Branch(Struct, dict=True):
    """What a branch had, one commit after the other."""

    root: str
    """The repository."""

    name: str
    """The branch, as git finds it."""

    tip: bytes
    """The object id of its newest commit."""

    length: int
    """How many commits its line of first parents has."""

    budget: Budget
    """Asked before each text and each commit that is read."""

    prefix: bytes = b""
    """The site's folder in it, with a final slash."""

    commits: list[Commit] = []
    pages: dict[str, History] = {}
    """What happened to each page, by the path of its file below the site's root."""

    changed: list[list[str]] = []
    """The files of the pages that each commit changed."""

    builds: set[str] = set()
    """Folders, with final slashes, that held a build of its own: a version or a language."""

    def read(self, object_id: bytes) -> bytes | None:
        """Return the beginning of a text, as far as pages are read; None if git lacks it.

        Raises OverBudgetError if the time is over.
        """
        self.budget.check()
        answers, requests = self._git.process.stdout, self._git.process.stdin
        assert answers  # noqa: S101 - both are pipes
        assert requests  # noqa: S101
        os.write(requests.fileno(), object_id + b"\n")
        head = answers.readline().split()
        if len(head) < 3 or not head[2].isdigit():  # noqa: PLR2004 - "missing"
            if head[-1:] == [b"missing"]:
                return None
            raise SitemapError(f"{self.root}: git cannot read its texts: {self._git.error()}")
        size = int(head[2])
        text = answers.read(min(size, MAX_PAGE))
        for left in range(size + 1 - len(text), 0, -MAX_PAGE):
            answers.read(min(left, MAX_PAGE))
        return text

    def close(self) -> None:
        """End git, which may be reading texts; who reads another starts it anew."""
        if "_git" in self.__dict__:
            self._git.stop()
            del self._git

    @cached_property
    def _git(self) -> GitProcess:
        return start_git(self.root, "cat-file", "--batch", stdin=PIPE)

    def file_of(self, path: bytes) -> str:
        """Return the path of a file below the site's root; "" if it is elsewhere."""
        return os.fsdecode(path[len(self.prefix) :]) if path.startswith(self.prefix) else ""

    def changes(self, number: int) -> Iterator[tuple[str, bytes, bytes]]:
        """Yield the file of each page that a commit changed, and its texts before and after."""
        for file in self.changed[number]:
            yield file, *self.pages[file].change(number)


def find_branch(repository: Path, name: str, budget: Budget, folder: str = "") -> Branch:
    """Return a branch, of which nothing is read yet; the site is in `folder`, or at the top.

    Raises SitemapError if there is no such branch.
    """
    root, tip, found = _resolve(repository, name)
    try:
        length = int(run_git(root, "rev-list", "--count", "--first-parent", tip.decode()))
    except GitError as error:
        raise _unreadable(found, error) from error
    folder = folder.strip("/")
    prefix = os.fsencode(f"{folder}/") if folder else b""
    return Branch(root, found, tip, length, budget, prefix)


def read_branch(
    branch: Branch, *, newest: bool = False, on_progress: OnProgress = no_progress
) -> None:
    """Read the history of a branch; `newest`: its newest commit is enough.

    Raises SitemapError if commits are missing, or there never was a page.
    """
    left = MOST_CHANGES
    try:
        for record in read_log(branch.root, branch.tip):
            branch.budget.check()
            left -= _add(branch, record)
            if left < 0:
                break
            if len(branch.commits) % _REPORTED == 0:
                on_progress(_REPORTED)
        is_cut = not newest and left >= 0 and _is_cut(branch)
    except GitError as error:
        raise _unreadable(branch.name, error) from error
    on_progress(len(branch.commits) % _REPORTED)
    if not branch.pages:
        where = f" in its folder {os.fsdecode(branch.prefix)}" if branch.prefix else ""
        raise NothingYetError(
            f"the branch {branch.name} has never had an HTML page{where}; name the branch that is"
            " deployed with --branch, and the site's folder in it with --branch-folder"
        )
    if is_cut:
        remote, _, short = branch.name.rpartition("/")
        raise SitemapError(
            f"the clone has only the last {len(branch.commits):,} commits of {branch.name}: run"
            f" `git fetch --unshallow {remote or 'origin'} {short}`, or in CI check out with"
            " fetch-depth: 0; with --new, the newest commit is enough"
        )


def _unreadable(name: str, error: GitError) -> SitemapError:
    return SitemapError(f"git cannot read the branch {name}: {error}")


def _resolve(repository: Path, name: str) -> tuple[str, bytes, str]:
    """Return the repository, the commit at the end of a branch and the name that git knows."""
    try:
        root = os.fsdecode(
            run_git(str(repository), "rev-parse", "--absolute-git-dir").rstrip(b"\n")
        )
    except GitError as error:
        raise SitemapError(
            f"{repository} is no git repository ({error}); name the one that has the branch with"
            " --repository"
        ) from error
    for each in (name, f"origin/{name}"):
        try:
            found = run_git(root, "rev-parse", "--verify", "--quiet", f"{each}^{{commit}}")
        except GitError:
            continue
        return root, found.strip(), each
    heads = run_git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes")
    known = ", ".join(sorted(heads.decode("utf-8", "replace").split())[:_FEW]) or "none"
    raise NothingYetError(
        f"{repository} has no branch {name!r}; it has {known}. Fetch it with `git fetch origin"
        f" {name}:refs/remotes/origin/{name}`, or name another with --branch"
    )


_FEW = 10


def _is_cut(branch: Branch) -> bool:
    """Return whether the last commit that was read has a parent that the clone lacks."""
    raw = run_git(branch.root, "cat-file", "commit", branch.commits[-1].id)
    return b"\nparent " in raw.partition(b"\n\n")[0]


def _add(branch: Branch, record: Record) -> int:
    """Take in what an older commit did, and return how many pages it changed."""
    commit = record.commit.decode()
    if not branch.commits or branch.commits[-1].id != commit:  # a long record comes in pieces
        branch.commits.append(Commit(commit, record.date.timestamp))
        branch.changed.append([])
    number, changed = len(branch.commits) - 1, branch.changed[-1]
    before = len(changed)
    for path in record.paths:
        file = branch.file_of(path)
        if is_page(file):
            change = record.change(path)
            version = Version(number, b"" if change.status == b"D" else change.new)
            branch.pages.setdefault(file, History([])).versions.append(version)
            changed.append(file)
        elif root := build_root(file):
            branch.builds.add(root)
    return len(changed) - before


def build_root(file: str) -> str:
    """Return the folder, with a final slash, of the build that a file marks; "" if it marks none.

    The top of the site is none.
    """
    for landmark in _LANDMARKS:
        if file.endswith(f"/{landmark}"):
            return file.removesuffix(landmark)
    return ""
