"""Commits that change very many files, or files of very long names: they take bounded memory."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

from textdates import TextDates
from textdates.git import command, history, repository

from .conftest import Moved

if TYPE_CHECKING:
    from .conftest import Repo, Tree

pytestmark = pytest.mark.slow

MOST_MEMORY = 400
"""MiB that a process may take, ours or git's."""

MEASURED = """
import json, resource, sys, time
from pathlib import Path
from textdates import TextDates
root = Path(sys.argv[1])
dates = TextDates()
if sys.argv[2] == "early":
    dates.start(root / "docs")
    time.sleep(1)
files = [root / name for name in sys.argv[3:]]
found = dates.last_changed(files)
print(json.dumps({
    "days": [found[file].day if file in found else dates.why_unknown(file) for file in files],
    "diagnostics": [each.id for each in dates.diagnostics],
    # Not `ru_maxrss`, which begins with the memory of the process that started this one.
    "ours": int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024,
    "git": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    "seconds": sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]),
}))
"""
"""Dates files, and says what that took."""

BEYOND = "a commit that changes too many files hides its last change"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux does")


class Measured(msgspec.Struct):
    """What the program says."""

    days: list[int | str]
    diagnostics: list[str]
    ours: int
    git: int
    seconds: float


def measured(repo: Repo, how: str, *names: str) -> Measured:
    program = [sys.executable, "-c", MEASURED, str(repo.folder), how, *names]
    done = subprocess.run(program, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Measured)


def folders(repo: Repo, levels: int) -> Tree:
    """Return a folder with ten to the power of `levels` files, of which git stores a few trees."""
    found = repo.tree(f"f{number}" for number in range(10))
    for _ in range(levels - 1):
        found = repo.tree((f"d{number}" for number in range(10)), found)
    return found


def deep_folder(repo: Repo, files: int, depth: int) -> Tree:
    """Return a folder with files below very many folders."""
    found = repo.tree(f"f{number}" for number in range(files))
    for _ in range(depth):
        found = repo.tree("a", found)
    return found


def with_a_bomb(repo: Repo, levels: int) -> Repo:
    """Make a history where two commits change very many files, and only those older have a.md."""
    repo.commit(1, {"docs/a.md": "a", "docs/b.md": "b"})
    repo.commit(2, {"docs/bomb": folders(repo, levels)})
    repo.commit(3, {"docs/bomb": None})
    repo.commit(4, {"docs/b.md": "B"})
    return repo.save()


@on_linux
@pytest.mark.parametrize("how", ["early", "late"])
def test_a_commit_of_very_many_files_is_read_in_little_memory(repo: Repo, how: str) -> None:
    found = measured(with_a_bomb(repo, 5), how, "docs/a.md", "docs/b.md")
    assert found.days == [1, 4]
    assert found.diagnostics == []
    assert found.ours < 100
    assert found.git < 100


@on_linux
@pytest.mark.slow
@pytest.mark.parametrize("how", ["early", "late"])
@pytest.mark.parametrize("levels", [6, 7])
def test_a_tree_of_millions_of_files_takes_no_more_than_it_may(
    repo: Repo, how: str, levels: int
) -> None:
    found = measured(with_a_bomb(repo, levels), how, "docs/a.md", "docs/b.md")
    assert found.days == [BEYOND, 4]
    assert found.diagnostics == ["git-too-large"]
    assert max(found.ours, found.git) < MOST_MEMORY
    assert found.seconds < 10


@on_linux
@pytest.mark.slow
def test_a_checked_out_tree_of_a_million_files_is_listed_in_little_memory(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "a"})
    repo.commit(2, {"docs/b.md": "b", "docs/bomb": folders(repo, 6)})
    repo.save(check_out=False)
    (repo.folder / "docs").mkdir(exist_ok=True)
    found = measured(repo, "late", "docs/b.md", "docs/no.md")
    assert found.days == [BEYOND, "untracked"]  # where it came from cannot be read
    assert max(found.ours, found.git) < MOST_MEMORY


@on_linux
@pytest.mark.parametrize(
    ("files", "depth"), [(300, 1000), pytest.param(3000, 1000, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("how", ["early", "late"])
def test_deleted_files_in_very_deep_folders_take_little_memory(
    repo: Repo, how: str, files: int, depth: int
) -> None:
    repo.commit(1, {"docs/index.md": "home", "docs/deep": deep_folder(repo, files, depth)})
    repo.commit(2, {"docs/deep": None, "docs/a.md": "a", "docs/f1": "x"})
    found = measured(repo.save(), how, "docs/a.md", "docs/index.md", "docs/f1")
    assert found.days == [2, 1, 1]  # the last one was moved
    assert max(found.ours, found.git) < 120
    assert found.seconds < 5


@pytest.mark.parametrize("early", [False, True])
def test_what_is_beyond_a_commit_that_is_too_large_has_no_date(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, early: bool
) -> None:
    repo.commit(1, {"old.md": "old", "new.md": "old"})
    many = {f"{number}.txt": "text" for number in range(100)}
    repo.commit(2, many | {"in it.md": "in it"})
    last = repo.commit(3, {"new.md": "new", "text.txt": "text"})
    monkeypatch.setattr(history, "MAX_COMMIT", 5_000)
    monkeypatch.setattr(command, "_READ_SIZE", 500)
    dates = TextDates()
    repo.save()
    if early:
        dates.start(repo.folder)
    files = {name: repo.folder / name for name in ("old.md", "new.md", "in it.md", "no.md")}
    found = dates.last_changed(files.values())
    assert [*found] == [files["new.md"]]
    whys = [dates.why_unknown(file) for file in files.values()]
    assert whys == [BEYOND, "", BEYOND, "untracked"]
    said = {each.id: each.detail for each in dates.diagnostics}
    assert said["git-too-large"] == f"It comes before {repo.id(last)[:12]}."


def test_a_file_that_a_commit_added_which_is_too_large_elsewhere_has_no_date(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"{number}.txt": "text" for number in range(100)}
    repo.commit(1, {"src/a.md": "a"})
    repo.commit(2, many | {"docs/a.md": Moved("src/a.md")})
    repo.commit(3, {"docs/b.md": "b", "docs/c.md": "c"})
    monkeypatch.setattr(history, "MAX_COMMIT", 5_000)
    monkeypatch.setattr(command, "_READ_SIZE", 500)
    dates = TextDates()
    dates.start(repo.save().folder / "docs")
    names = ("docs/a.md", "docs/b.md", "docs/c.md")
    found = dates.last_changed([repo.folder / name for name in names])
    assert [date.day for date in found.values()] == [3, 3]
    assert dates.why_unknown(repo.folder / names[0]) == BEYOND, "it may have been moved"
    assert [each.id for each in dates.diagnostics] == ["git-too-large"]


@on_linux
@pytest.mark.parametrize(
    ("limit", "bytes_"), [("MAX_MEMORY", 24 * 1024 * 1024), ("MAX_SPOOL", 100_000)]
)
def test_a_limit_that_ends_git_leaves_what_it_said_before(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, limit: str, bytes_: int
) -> None:
    with_a_bomb(repo, 5)
    monkeypatch.setattr(command, limit, bytes_)
    dates = TextDates()
    files = [repo.folder / "docs" / name for name in ("a.md", "b.md")]
    found = dates.last_changed(files)
    assert [*found] == files[1:], dates.diagnostics
    assert dates.why_unknown(files[0]) == BEYOND
    assert [each.id for each in dates.diagnostics] == ["git-too-large"]


def test_a_name_of_a_mebibyte_ends_the_listing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b", "long" * 50: "text"})
    monkeypatch.setattr(repository, "_MAX_ROW", 100)
    monkeypatch.setattr(command, "_READ_SIZE", 50)
    dates = TextDates()
    folder = repo.save().folder
    assert not dates.last_changed([folder / "a.md", folder / "b.md"])
    assert [each.id for each in dates.diagnostics] == ["git-too-large"]
