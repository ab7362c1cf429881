"""The commits of a site, and a temporary clone to check them out in.

Only objects of the user's repository are read. The clone has copies, so a build cannot change them,
and does not know where they come from. Everything else is next to it in one temporary folder.
Nothing is fetched: git may read files, and no other protocol.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit import dates
from sitemapkit.errors import SitemapError
from sitemapkit_tools.learn.processes import children, end
from textdates.git import GitError, open_repository, run_git

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

if sys.platform != "win32":
    import fcntl

_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH")
"""Git's own variables that git gets; the others may point to the user's repository."""

_NO_NETWORK = {
    "GIT_ALLOW_PROTOCOL": "file",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
}

MOST_SECONDS = 600.0
"""Seconds that one command of git may take in `learn`."""

_LAST_SECOND = 253_402_300_799
"""The end of the year 9999, after which Python knows no date."""


class Commit(Struct, frozen=True):
    """A commit of the checked-out branch."""

    id: str
    time: datetime
    """When it was committed, in UTC."""


class History(Struct, frozen=True):
    """The commits on the line of first parents, newest first, the last one of each second.

    A rebased branch landed at once, and its commits give a page the same date.
    """

    root: Path
    """The user's work tree."""

    folder: Path
    """The folder of the site's project below it."""

    commits: Sequence[Commit]
    cut: str = ""
    """Why there may be older commits; "" if there are none."""


def read_history(
    folder: Path, paths: Sequence[str] = (), *, since: date | None = None, most: int | None = None
) -> History:
    """Return the history of the repository that holds `folder`, of these paths or of all.

    Raises SitemapError if it is in no repository, or git cannot read it.
    """
    folder = folder.resolve()
    try:
        root = os.fsdecode(run_git(str(folder), "rev-parse", "--show-toplevel").rstrip(b"\n"))
        repository = open_repository(root)
        how = ("--first-parent", "--format=%H %ct", repository.head.decode())
        log = run_git(str(folder), "log", *how, "--", *paths).decode().splitlines()
    except GitError as error:
        raise SitemapError(
            f"{folder}: git cannot read its history ({error}); name the folder of the site's"
            " project in its repository"
        ) from error
    commits = [(name, _utc(seconds)) for name, _, seconds in (line.partition(" ") for line in log)]
    if not commits:
        raise SitemapError(f"{folder}: no commit touches {', '.join(paths)}")
    if commits[0][1] is None:
        raise SitemapError(
            f"{folder}: commit {commits[0][0][:12]} has no date that can be used; make a new commit"
            " of its content, with a date from 1970 to 9999"
        )
    found = [Commit(name, moment) for name, moment in commits if moment]
    found[0] = Commit(repository.head.decode(), found[0].time)  # its content is the same
    kept = found[:most]
    if since:
        kept = [each for each in kept if dates.sortable(each.time) >= dates.sortable(since)]
    cut = "the clone is shallow" if repository.boundary else ""
    if len(kept) < len(found):
        cut = "--since or --commits limits the history"
    kept = kept or found[:1]
    apart = [each for newer, each in pairwise(kept) if newer.time != each.time]
    return History(Path(root).resolve(), folder, [kept[0], *apart], cut)


def _utc(seconds: str) -> datetime | None:
    """Return the time of a commit, or None if it has none: then its changes came with the next."""
    text = seconds.strip()
    is_known = text.isdecimal() and 0 < int(text[:20]) <= _LAST_SECOND
    return datetime.fromtimestamp(int(text), UTC) if is_known else None


class Clone(Struct):
    """A clone to check out commits in, and the output folder of their builds."""

    root: Path
    out: Path
    project: Path
    """The project's folder in it, if the commit has it."""

    submodules: Path
    """The folder of the user's copies of submodules."""

    notes: list[str] = []
    """Limits of the builds, each reported once."""

    def checkout(self, commit: str) -> None:
        """Check out a commit and remove everything else. Raises SitemapError if it is missing."""
        git(self.root, "checkout", "--quiet", "--force", "--detach", commit)
        git(self.root, "clean", "-ffdqx")
        try:
            _check_out_submodules(self.root, self.submodules)
        except SitemapError as error:
            note = f"Submodules are not all available: {error}"
            self.notes += [note] if not self.notes else []


@contextmanager
def cloned(history: History) -> Generator[Clone]:
    """Make a clone with copies of the user's objects; remove it and its builds at the end."""
    with _temporary_folder() as top:
        how = ("--quiet", "--no-hardlinks", "--dissociate", "--no-checkout", "--template=")
        git(top, "clone", *how, str(history.root), "clone")
        root = top / "clone"
        git(root, "remote", "remove", "origin")
        git(root, "config", "gc.auto", "0")  # it would remove commits that no branch has
        shared = os.fsdecode(git(history.root, "rev-parse", "--git-common-dir").rstrip(b"\n"))
        submodules = history.root / shared / "modules"
        project = root / history.folder.relative_to(history.root)
        yield Clone(root, top / "out", project, submodules)


@contextmanager
def _temporary_folder() -> Generator[Path]:
    """Make a folder, and remove those of processes that were killed: their locks are gone."""
    for left in Path(gettempdir()).glob(f"{_PREFIX}*/lock") if sys.platform != "win32" else ():
        with suppress(OSError), _locked(left):  # another user's, in use, or being removed
            if not left.parent.is_symlink():
                shutil.rmtree(left.parent, ignore_errors=True)
    with TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        (folder / "lock").touch()
        with _locked(folder / "lock"):
            yield folder


@contextmanager
def _locked(file: Path) -> Generator[None]:
    """Lock a file of ours until the end. Raises OSError if it is another's, or locked."""
    with os.fdopen(os.open(file, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)), "rb") as opened:
        if sys.platform != "win32":
            if os.fstat(opened.fileno()).st_uid != os.geteuid():
                raise PermissionError
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


_PREFIX = "sitemapkit-learn-"


def _check_out_submodules(folder: Path, copies: Path) -> None:
    """Check out the submodules of a work tree, and theirs, from the user's copies and nowhere else.

    Raises SitemapError for the first that the user has no copy of, once all others are there.
    """
    if not (folder / ".gitmodules").is_file():
        return
    files = git(folder, "ls-files", "--stage", "-z").split(b"\0")
    used = {file.partition(b"\t")[2] for file in files if file.startswith(_SUBMODULE)}
    asked = ("config", "--null", "--file", ".gitmodules", "--get-regexp", r"^submodule\..*\.path$")
    missing: list[str] = []
    for stated in git(folder, *asked).split(b"\0")[:-1] if used else ():
        key, _, path = stated.partition(b"\n")
        name = os.fsdecode(key.removeprefix(b"submodule.").removesuffix(b".path"))
        if path in used:
            try:
                _check_out_submodule(folder, os.fsdecode(path), name, copies / name)
            except SitemapError as error:
                missing.append(str(error))
    if missing:
        raise SitemapError(missing[0])


_SUBMODULE = b"160000 "
"""The mode of a submodule among files."""


def _check_out_submodule(folder: Path, path: str, name: str, copy: Path) -> None:
    if not (copy / "objects").is_dir():
        raise SitemapError(f"there is no copy of {path}; run `git submodule update --init`")
    git(folder, "config", f"submodule.{name}.url", str(copy))
    update = ("submodule", "--quiet", "update", "--init", "--force", "--", path)
    git(folder, "-c", "protocol.file.allow=always", *update)
    _check_out_submodules(folder / path, copy / "modules")


def git(folder: Path, *arguments: str) -> bytes:
    """Run git without hooks; return its output. Raises SitemapError with its last line."""
    command = ["git", "-C", str(folder), "-c", f"core.hooksPath={os.devnull}", *arguments]
    earlier = children()
    try:
        process = subprocess.Popen(
            command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise SitemapError(f"git cannot be run ({error.strerror})") from error
    with process:
        try:
            output, errors = process.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired as error:
            limit = f"{MOST_SECONDS:,g} seconds"
            raise SitemapError(f"git {arguments[0]} takes longer than {limit}") from error
        finally:
            end(process, earlier)
    if process.returncode:
        said = errors.decode("utf-8", "replace").strip().splitlines()
        raise SitemapError(said[-1] if said else "git failed without a message")
    return output


def environment() -> dict[str, str]:
    """Return the user's environment for git, without what points it elsewhere or to a network."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return kept | _NO_NETWORK
