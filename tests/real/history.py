"""Asks git about one file at a time: slow, and for that reason a second opinion."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from moments import Moment, from_seconds

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class _Change:
    commit: str
    seconds: int
    only_mode: bool


def landed(file: Path) -> Moment | None:
    """Return when the content of a file reached the checked-out branch, if git knows.

    A commit that changes nothing but the file's mode changes no content. The oldest commit of a
    shallow clone seems to change everything: what it says is not known.
    """
    found = _changes(file, "-1")
    if found and found[0].only_mode:
        found = [change for change in _changes(file) if not change.only_mode]
    if not found or found[0].commit in _shallow_edge(file.parent):
        return None
    return from_seconds(found[0].seconds)


def _changes(file: Path, *limit: str) -> list[_Change]:
    how = ("--first-parent", "-m", "--no-renames", "--raw", "--no-abbrev", "--root")
    shown = _ask(file.parent, "log", *how, *limit, "--format=%x00%H %ct", "--", file.name)
    return [_read(record) for record in shown.split("\0")[1:]]


def _read(record: str) -> _Change:
    head, *raw = record.strip().splitlines()
    commit, seconds = head.split()
    parts = [line.split(maxsplit=5) for line in raw if line.startswith(":")]
    same = [old == new and not status.startswith("T") for _, _, old, new, status, _ in parts]
    return _Change(commit, int(seconds), bool(same) and all(same))


def _shallow_edge(folder: Path) -> str:
    edge = folder / _ask(folder, "rev-parse", "--git-path", "shallow").strip()
    return edge.read_text() if edge.is_file() else ""


def _ask(folder: Path, *question: str) -> str:
    """Return git's answer, or nothing if it has none."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {"GIT_LITERAL_PATHSPECS": "1", "GIT_NO_LAZY_FETCH": "1"}
    command = ("git", "-C", str(folder), "-c", "log.showSignature=false", *question)
    answer = subprocess.run(command, env=environment, capture_output=True, check=False)
    return answer.stdout.decode("utf-8", "replace") if answer.returncode == 0 else ""
