"""Ways to date files, each run in a process of its own by dates.py.

    python benchmarks/dating.py WAY CHECKOUT < names, each ended by NUL

Answers the seconds for which a build would wait.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textdates import Rules, TextDates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Dates = dict[str, int]


def main() -> None:
    """Do what the command line asks for."""
    way, checkout = sys.argv[1:]
    names = os.fsdecode(sys.stdin.buffer.read()).split("\0")[:-1]
    print(WAYS[way](Path(checkout), names))


def timed(date: Callable[[Path, Sequence[str]], Dates]) -> Callable[[Path, Sequence[str]], float]:
    """Return a function that times another one."""

    def run(root: Path, names: Sequence[str]) -> float:
        start = time.perf_counter()
        date(root, names)
        return time.perf_counter() - start

    return run


def ours(root: Path, names: Sequence[str]) -> Dates:
    """Ask TextDates, as its defaults are."""
    return ask(TextDates(Rules(ignore_revs=())), root, names)


def ours_without_bodies(root: Path, names: Sequence[str]) -> Dates:
    """Ask TextDates to let every change of content count."""
    return ask(TextDates(Rules(ignore_revs=(), bodies=False)), root, names)


def ours_early(root: Path, names: Sequence[str]) -> float:
    """Start git, wait as a build does that is longer than git's walk, and time the rest."""
    dates = TextDates(Rules(ignore_revs=(), bodies=False))
    dates.start(root / os.path.commonpath(names))
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    return timed(lambda root, names: ask(dates, root, names))(root, names)


def ask(dates: TextDates, root: Path, names: Sequence[str]) -> Dates:
    """Ask TextDates about files by name."""
    files = {name: root / name for name in names}
    found = dates.last_changed(files.values())
    return {name: int(found[file].timestamp()) for name, file in files.items() if file in found}


def nothing(_root: Path, _names: Sequence[str]) -> Dates:
    """Only start Python and import what all of them import."""
    return {}


def file_by_file(root: Path, names: Sequence[str]) -> Dates:
    """Ask git about each file: the least that a plugin can do which goes file by file."""
    return {name: ask_git(root, name) for name in names}


def ask_git(root: Path, name: str) -> int:
    """Return what `git log -1` says."""
    command = ["git", "-C", str(root), "log", "-1", "--format=%ct", "--", name]
    return int(subprocess.run(command, capture_output=True, check=True).stdout or 0)


def revision_date_localized(root: Path, names: Sequence[str]) -> Dates:
    """Ask mkdocs-git-revision-date-localized-plugin, as its defaults are."""
    peer = import_module("mkdocs_git_revision_date_localized_plugin.util")
    util = peer.Util({"enable_git_follow": True, "fallback_to_build_date": False}, str(root))
    return {name: util.get_git_commit_timestamp(str(root / name))[1] for name in names}


def last_updated_by_git(root: Path, names: Sequence[str]) -> Dates:
    """Ask sphinx-last-updated-by-git, one folder after the other as it does."""
    peer = import_module("sphinx_last_updated_by_git")
    folders: dict[str, dict[str, Any]] = defaultdict(dict)
    for name in names:
        folder, _, base = name.rpartition("/")
        folders[folder][base] = None
    for folder, found in folders.items():
        peer.update_file_dates(str(root / folder), set(), found)
    return {
        f"{folder}/{base}" if folder else base: int(date[0])
        for folder, found in folders.items()
        for base, date in found.items()
        if date
    }


WAYS: dict[str, Callable[[Path, Sequence[str]], float]] = {
    "start of Python": timed(nothing),
    "ours": timed(ours),
    "ours, without bodies": timed(ours_without_bodies),
    "ours, started early": ours_early,
    "git log -1 for each file": timed(file_by_file),
    "mkdocs-git-revision-date-localized": timed(revision_date_localized),
    "sphinx-last-updated-by-git": timed(last_updated_by_git),
}

if __name__ == "__main__":
    main()
