"""Asks git about one file at a time: slow, and for that reason a second opinion.

The date of a file is that of the newest commit on the line of first parents that changed it. Unless
`every_commit` is wanted, a commit counts only if it changed the file's words: not its mode, its
name, its front matter or its white space alone, and not if `.git-blame-ignore-revs` lists it.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from moments import Moment, from_seconds
from sources import split_head

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class _Change:
    """What one commit did to one file, seen from its first parent."""

    name: str
    commit: str
    seconds: int
    status: str
    old: str
    new: str


def landed(file: Path, *, every_commit: bool = False) -> Moment | None:
    """Return when the content of a file reached the checked-out branch, if git knows.

    The oldest commit of a shallow clone seems to change everything: what it says is not known.
    """
    root = _root(file.parent)
    if not root:
        return None
    name = file.resolve().relative_to(root).as_posix()
    for change in _changes(root, name, "HEAD"):
        if not (_same_blob(change) if every_commit else _is_idle(root, change)):
            known = change.commit not in _lines(root, _git_path(root, "shallow"))
            return from_seconds(change.seconds) if known else None
    return None


def _changes(root: str, name: str, start: str) -> Iterator[_Change]:
    """Yield the changes of a file, the newest first, also those under its former names."""
    how = ("--first-parent", "-m", "--no-renames", "--raw", "--no-abbrev", "--root")
    for limit in (("-1",), ("--skip=1",)):
        shown = _ask(root, "log", *how, *limit, "--format=%x00%H %ct", start, "--", name)
        for record in shown.split("\0")[1:]:
            head, *raw = record.strip().splitlines()
            commit, seconds = head.split()
            if not raw:
                continue
            _, _, old, new, status, _ = raw[-1].split(maxsplit=5)
            change = _Change(name, commit, int(seconds), status, old, new)
            yield change
            if former := _former_name(root, change):
                yield from _changes(root, former, f"{commit}^1")
                return


def _is_idle(root: str, change: _Change) -> bool:
    """Tell whether a change left the words of the file as they were."""
    if change.status == "A":
        return bool(_former_name(root, change))
    if _same_blob(change) or _is_ignored(root, change):
        return True
    old, new = (_words(root, blob, change.name) for blob in (change.old, change.new))
    return change.status == "M" and old == new


def _same_blob(change: _Change) -> bool:
    return change.old == change.new and change.status != "T"


def _former_name(root: str, change: _Change) -> str:
    """Return the name under which the same commit deleted the same content, if it did."""
    if change.status != "A":
        return ""
    how = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev")
    shown = _ask(root, "diff-tree", *how, f"{change.commit}^1", change.commit)
    fields = shown.split("\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    gone = [name for raw, name in pairs if raw.endswith(" D") and raw.split()[2] == change.new]
    alike = [name for name in gone if Path(name).name == Path(change.name).name]
    return next(iter([*alike, *gone]), "")


def _is_ignored(root: str, change: _Change) -> bool:
    """Tell whether a commit, or each commit that it merged, is one that the project ignores."""
    ignored = _lines(root, ".git-blame-ignore-revs")
    if change.commit in ignored or not ignored:
        return change.commit in ignored
    arrived = f"{change.commit}^1..{change.commit}"
    merged = _ask(root, "log", "--no-merges", "--format=%H", arrived, "--", change.name).split()
    return bool(merged) and ignored.issuperset(merged)


@cache
def _words(root: str, blob: str, name: str) -> str:
    _, body = split_head(_ask(root, "cat-file", "blob", blob), Path(name).suffix)
    return " ".join(body.split())


@cache
def _lines(root: str, name: str) -> frozenset[str]:
    file = Path(root, name)
    return frozenset(file.read_text().split() if file.is_file() else ())


@cache
def _root(folder: Path) -> str:
    return _ask(folder, "rev-parse", "--show-toplevel").rstrip("\n")


@cache
def _git_path(root: str, name: str) -> str:
    return _ask(root, "rev-parse", "--git-path", name).strip()


def _ask(folder: str | Path, *question: str) -> str:
    """Return git's answer, or nothing if it has none."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {"GIT_LITERAL_PATHSPECS": "1", "GIT_NO_LAZY_FETCH": "1"}
    command = ("git", "-C", str(folder), "-c", "log.showSignature=false", *question)
    answer = subprocess.run(command, env=environment, capture_output=True, check=False)
    return answer.stdout.decode("utf-8", "replace") if answer.returncode == 0 else ""
