"""The history of a deployed branch: when each page came and went, and what it said.

The log is streamed, newest commit first, and of each page only its last life is kept. Pages that
never were on the line of first parents, such as those of a merged branch of sources, were not
deployed.
"""

from __future__ import annotations

import os
from functools import cached_property
from subprocess import PIPE
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from sitemapkit.errors import SitemapError
from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.site.output_dir import is_page
from sitemapkit_tools.site.read_pages import no_progress
from textdates.git import GitError, GitProcess, read_log, run_git, start_git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapkit_tools.site.read_pages import OnProgress
    from textdates.git import Record

_LANDMARKS = (
    *("sitemap.xml", "searchindex.js", "objects.inv", "search/search_index.json"),
    "versions.json",
)
"""Files at the root of a site of its own: generators write them once for each build."""

_REPORTED = 100
"""Commits after which progress is reported."""


class Life(Struct):
    """The last time that a page was there."""

    last: bytes
    """The object id of its last text."""

    died: int = -1
    """The number of the commit that removed it; -1: it is in the newest one."""

    born: int = -1
    """The number of the commit that added it."""


class Arrival(NamedTuple):
    """A page that a commit added."""

    file: str
    blob: bytes
    """The object id of its text."""


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

    prefix: bytes = b""
    """The site's folder in it, with a final slash."""

    commits: list[Commit] = []
    lives: dict[str, Life] = {}
    """The last life of each page, by the path of its file below the site's root."""

    arrivals: dict[int, list[Arrival]] = {}
    """The pages that each commit added, by its number."""

    builds: set[str] = set()
    """Folders, with final slashes, that held a build of its own: a version or a language."""

    @cached_property
    def blobs(self) -> Blobs:
        """Texts of pages."""
        return Blobs(self)

    def close(self) -> None:
        """End git, which may be reading texts."""
        if "blobs" in self.__dict__:
            self.blobs.close()
            del self.blobs  # another reader starts its own

    def file_of(self, path: bytes) -> str:
        """Return the path of a file below the site's root; "" if it is elsewhere."""
        return os.fsdecode(path[len(self.prefix) :]) if path.startswith(self.prefix) else ""


def find_branch(repository: Path, name: str, folder: str = "") -> Branch:
    """Return a branch, of which nothing is read yet; the site is in `folder`, or at the top.

    Raises SitemapError if there is no such branch.
    """
    root, tip, found = _resolve(repository, name)
    try:
        length = int(run_git(root, "rev-list", "--count", "--first-parent", tip.decode()))
    except GitError as error:
        raise _unreadable(found, error) from error
    folder = folder.strip("/")
    return Branch(root, found, tip, length, os.fsencode(f"{folder}/") if folder else b"")


def read_branch(
    branch: Branch, *, newest: bool = False, on_progress: OnProgress = no_progress
) -> None:
    """Read the history of a branch; `newest`: its newest commit is enough.

    Raises SitemapError if commits are missing, or there never was a page.
    """
    try:
        for record in read_log(branch.root, branch.tip):
            _add(branch, record)
            if len(branch.commits) % _REPORTED == 0:
                on_progress(_REPORTED)
        is_cut = not newest and _is_cut(branch)
    except GitError as error:
        raise _unreadable(branch.name, error) from error
    on_progress(len(branch.commits) % _REPORTED)
    if not branch.lives:
        where = f" in its folder {os.fsdecode(branch.prefix)}" if branch.prefix else ""
        raise SitemapError(
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
    raise SitemapError(
        f"{repository} has no branch {name!r}; it has {known}. Fetch it with `git fetch origin"
        f" {name}:refs/remotes/origin/{name}`, or name another with --branch"
    )


_FEW = 10


def _is_cut(branch: Branch) -> bool:
    """Return whether the last commit that was read has a parent that the clone lacks."""
    raw = run_git(branch.root, "cat-file", "commit", branch.commits[-1].id)
    return b"\nparent " in raw.partition(b"\n\n")[0]


def _add(branch: Branch, record: Record) -> None:
    """Take in what an older commit did; of each page the newest life counts."""
    commit = record.commit.decode()
    if not branch.commits or branch.commits[-1].id != commit:  # a long record comes in pieces
        branch.commits.append(Commit(commit, record.date.timestamp))
    number = len(branch.commits) - 1
    for path in record.paths:
        file = branch.file_of(path)
        if not is_page(file):
            if root := build_root(file):
                branch.builds.add(root)
            continue
        change = record.change(path)
        is_added = change.status == b"A"
        if is_added:
            branch.arrivals.setdefault(number, []).append(Arrival(file, change.new))
        life = branch.lives.get(file)
        if not life:
            is_gone = change.status == b"D"
            life = Life(change.old, number) if is_gone else Life(change.new)
            branch.lives[file] = life
        if is_added and life.born < 0:
            life.born = number


def build_root(file: str) -> str:
    """Return the folder, with a final slash, of the build that a file marks; "" if it marks none.

    The top of the site is none.
    """
    for landmark in _LANDMARKS:
        if file.endswith(f"/{landmark}"):
            return file.removesuffix(landmark)
    return ""


class Blobs:
    """Texts in a repository, one at a time."""

    def __init__(self, branch: Branch) -> None:
        """Start nothing yet."""
        self._root = branch.root
        self._prefix = os.fsdecode(branch.prefix)

    def read(self, object_id: bytes) -> bytes | None:
        """Return the beginning of a text, as far as pages are read; None if git lacks it."""
        answers, requests = self._git.process.stdout, self._git.process.stdin
        assert answers  # noqa: S101 - both are pipes
        assert requests  # noqa: S101
        os.write(requests.fileno(), object_id + b"\n")
        head = answers.readline().split()
        if len(head) < 3 or not head[2].isdigit():  # noqa: PLR2004 - "missing"
            if head[-1:] == [b"missing"]:
                return None
            raise SitemapError(f"{self._root}: git cannot read its texts: {self._git.error()}")
        size = int(head[2])
        text = answers.read(min(size, MAX_PAGE))
        for left in range(size + 1 - len(text), 0, -MAX_PAGE):
            answers.read(min(left, MAX_PAGE))
        return text

    def earlier(self, file: str, commit: str) -> Iterator[bytes]:
        """Yield the object ids of a file's texts before a commit removed it, the newest first."""
        for record in read_log(self._root, commit.encode(), self._prefix + file):
            for path in record.paths:
                change = record.change(path)
                if change.status == b"D":
                    continue
                yield change.new
                if change.status == b"A":
                    return

    def close(self) -> None:
        """End git."""
        if "_git" in self.__dict__:
            self._git.stop()

    @cached_property
    def _git(self) -> GitProcess:
        return start_git(self._root, "cat-file", "--batch", stdin=PIPE)
