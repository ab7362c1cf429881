"""Records that are read, worked on and written again: each is whole, wherever a run is killed.

They are read under their lock before they are written, so that runs at once lose nothing.
"""

from __future__ import annotations

import ast
import sys
from itertools import chain, count
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemapkit import Page, build, read_options
from sitemapkit_tools.submit.pending import Pending, keep_pending, still_to_deliver

from .killed import is_killed

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

ROOT = Path(__file__).parents[1]
HOME = "https://example.org/"


def ledger(folder: Path, number: int) -> None:
    options = read_options({"ledger": str(folder / "ledger.txt")}, where="test", base_url=HOME)
    pages = [Page(f"{n}/", content=f"<p>{n}</p>") for n in range(number)]
    build(pages, options, folder)


def lines_of_ledger(folder: Path) -> set[str]:
    text = (folder / "ledger.txt").read_text()
    return {line.split()[0].strip("/") for line in text.splitlines() if line.startswith("/")}


def pending(folder: Path, number: int) -> None:
    left = Pending("digest", frozenset(f"{n}" for n in range(number)))
    keep_pending(folder / "pending.json", left, ())


def held_in_pending(folder: Path) -> set[str]:
    return {*still_to_deliver(folder / "pending.json", (), ()).urls}


Record = tuple["Callable[[Path, int], None]", "Callable[[Path], set[str]]"]
RECORDS: dict[str, Record] = {
    "core/sitemapkit/build.py": (ledger, lines_of_ledger),
    "tools/sitemapkit_tools/submit/pending.py": (pending, held_in_pending),
}
"""What writes records of so many members, and what reads their names."""

ELSEWHERE = {
    "core/sitemapkit/output/write.py": "tests/core/output/test_files.py",
}
"""Where others are killed, which need a generator or a list of files."""

NEVER_READ = {
    "tools/sitemapkit_tools/bulk.py",
    "core/sitemapkit/output/files.py",
    "tools/sitemapkit_tools/commands/check.py",
    "tools/sitemapkit_tools/issues.py",
}
"""What writes anew what it has not read."""


def writers() -> set[str]:
    """Return the modules that call what writes files."""
    found: set[str] = set()
    for file in chain.from_iterable(
        (ROOT / each).rglob("*.py") for each in ("core", "plugins", "tools")
    ):
        calls = (
            each
            for each in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(each, ast.Call)
        )
        if {"write_file", "publication"} & {ast.unparse(each.func) for each in calls}:
            found.add(file.relative_to(ROOT).as_posix())
    return found


def test_who_writes_a_new_record_says_where_it_is_killed() -> None:
    assert writers() == {*RECORDS, *ELSEWHERE, *NEVER_READ}
    for file in ELSEWHERE.values():
        assert (ROOT / file).is_file()


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_the_old_or_the_new_one_wherever_its_writer_is_killed(
    tmp_path: Path, name: str
) -> None:
    write, read = RECORDS[name]
    for step in count():
        folder = tmp_path / f"{step}"
        folder.mkdir()
        write(folder, 3)
        old = {"0", "1", "2"}
        assert read(folder) == old
        was_killed = is_killed(lambda: write(folder, 6), step)  # noqa: B023
        assert old <= read(folder) <= {f"{n}" for n in range(6)}
        write(folder, 6)
        assert read(folder) == {f"{n}" for n in range(6)}
        if not was_killed:
            assert step > 1
            break


def deliver(file: Path, number: int) -> None:
    known = still_to_deliver(file, (), (f"{number}-{n}" for n in range(5)))
    keep_pending(file, Pending(known.changes, known.urls), [f"{number}-0"])


def test_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    context = get_context("fork")
    runs = [
        context.Process(target=run, args=(tmp_path / run.__name__, number))
        for number in range(12)
        for run in (deliver,)
    ]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
        assert each.exitcode == 0


def test_what_another_run_left_to_deliver_stays(tmp_path: Path) -> None:
    file = tmp_path / "pending.json"
    known = still_to_deliver(file, (), ["a", "b"])
    keep_pending(file, Pending("other", frozenset({"c", "a"})), ())
    keep_pending(file, known, ["a"])
    assert still_to_deliver(file, (), ()).urls == {"b", "c"}
