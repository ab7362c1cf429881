"""The manual's table of what counts as a change: each row is tried on a real repository."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest

from sitemapkit.lastmod.git import GitDates

from .reader import PAGES

if TYPE_CHECKING:
    from pathlib import Path

_CODE = re.compile(r"(`+) ?(.+?) ?\1")


class Row(NamedTuple):
    """A row of the table."""

    what: str
    file: str
    before: str
    after: str
    new_date: str


def rows() -> list[Row]:
    """Return the rows, with line breaks where the table has marks for them."""
    page = (PAGES / "dates.md").read_text(encoding="utf-8")
    table = page.partition("## What counts as a change")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
    return [Row(*map(_plain, row)) for row in cells]


def _plain(cell: str) -> str:
    code = _CODE.fullmatch(cell.strip())
    text = code[2] if code else cell.strip()
    return text.replace("⏎", "\n").replace("\\|", "|")


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.what)
def test_a_change_has_a_new_date_if_the_manual_says_so(row: Row, tmp_path: Path) -> None:
    file = tmp_path / row.file
    for day, text in ((1, row.before), (2, row.after)):
        file.write_text(f"Tea\n\n{text}\n" if row.before[0] not in "-:" else f"{text}\n")
        _commit(tmp_path, f"2024-05-0{day}T12:00:00Z")
    (found,) = GitDates().last_changed([file]).values()
    assert row.new_date in ("yes", "no")
    assert found.day == (2 if row.new_date == "yes" else 1)


def _commit(folder: Path, day: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    when = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
    commands = (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "Change"])
    for command in commands:
        subprocess.run(["git", *command], cwd=folder, env=os.environ | when, check=True)
