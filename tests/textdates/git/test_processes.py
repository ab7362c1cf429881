"""How often git is run: nothing is asked twice, and what files say is not asked at all."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from textdates import Rules, TextDates
from textdates.git.repository import open_repository

from .conftest import Moved

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Repo

    Calls = Callable[[], list[str]]

COMMANDS = "log|cat-file|ls-tree|rev-parse|diff-tree"


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Return the commands that git has been run for since this was last asked."""
    note, program = tmp_path / "calls", tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\nfor word; do case "$word" in '
        f'{COMMANDS}) echo "$word" >> "{note}"; break;; esac; done\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)

    def since() -> list[str]:
        found = note.read_text().split() if note.exists() else []
        note.unlink(missing_ok=True)
        return found

    return since


def date_all(repo: Repo, *names: str, bodies: bool = True) -> int:
    """Date files as a build does, and say how many have a date."""
    dates = TextDates(Rules(bodies=bodies))
    dates.start(repo.folder)
    return len(dates.last_changed([repo.folder / name for name in names]))


def test_a_build_without_texts_to_compare_runs_git_twice(repo: Repo, calls: Calls) -> None:
    repo.commit(1, {"docs/a.md": "a"})
    repo.commit(2, {"docs/b.md": "b"})
    repo.save()
    calls()
    assert date_all(repo, "docs/a.md", "docs/b.md") == 2
    assert sorted(calls()) == ["log", "ls-tree"]
    repo.commit(3, {"docs/b.md": "B"})
    repo.save()
    calls()
    assert date_all(repo, "docs/a.md", "docs/b.md", bodies=False) == 2
    assert sorted(calls()) == ["log", "ls-tree"]


def test_files_of_the_first_commit_came_from_no_other_folder(repo: Repo, calls: Calls) -> None:
    repo.commit(1, {"docs/a.md": "a", "code.py": "1"})
    repo.save()
    calls()
    dates = TextDates()
    dates.start(repo.folder / "docs")
    assert len(dates.last_changed([repo.folder / "docs/a.md"])) == 1
    assert sorted(calls()) == ["log", "ls-tree"]


def test_a_build_that_shows_code_asks_once_where_its_texts_came_from(
    repo: Repo, calls: Calls
) -> None:
    repo.commit(1, {"docs/a.md": "a", "old/code.py": "x = 1"})
    repo.commit(2, {"docs/b.md": "b", "src/code.py": Moved("old/code.py")})
    repo.commit(3, {"docs/b.md": "B"})
    files = [str(repo.save().folder / name) for name in ("docs/a.md", "docs/b.md", "src/code.py")]
    calls()
    dates = TextDates()
    dates.start(repo.folder / "docs")
    assert [date.day for date in dates.last_changed(files).values()] == [1, 3, 1]
    assert sorted(calls()) == ["cat-file", "log", "log", "log", "log", "ls-tree"]


def test_where_a_file_cannot_be_read_while_git_writes_to_it_a_pipe_is_read(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textdates.git.history._CAN_SPOOL", False)
    names = [f"{number}.md" for number in range(300)]
    for day in (1, 2):
        repo.commit(day, {name: f"{name} {day}" for name in names[day - 1 :]})
    assert repo.days(*names) == {name: 1 if name == "0.md" else 2 for name in names}


def test_texts_are_read_by_one_more_process(repo: Repo, calls: Calls) -> None:
    names = [f"{number}.md" for number in range(40)]
    for day, word in enumerate(("one", "two", "three"), 1):
        repo.commit(day, {name: f"{word} {name}" for name in names[10 * day - 10 :]})
    (repo.save().folder / names[0]).write_text("edited")
    calls()
    assert date_all(repo, *names) == 39
    assert sorted(calls()) == ["cat-file", "log", "ls-tree"]


def test_an_untracked_page_costs_a_list_of_all_files_and_no_walk_to_the_first_commit(
    repo: Repo, calls: Calls
) -> None:
    repo.commit(1, {"a.md": "a"})
    (repo.save().folder / "new.md").write_text("new")
    calls()
    assert date_all(repo, "a.md", "new.md") == 1
    assert sorted(calls()) == ["log", "ls-tree"]


def test_a_deleted_file_that_is_there_again_is_untracked(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    repo.commit(2, {"a.md": None})
    (repo.save().folder / "a.md").write_text("a")
    assert date_all(repo, "a.md", "b.md") == 1


@pytest.mark.parametrize("folder", ["docs", "d*s", "[docs]", ":(glob)docs", "a b/dócs"])
def test_of_a_large_repository_only_the_folder_of_the_pages_is_listed(
    folder: str, repo: Repo, calls: Calls
) -> None:
    days = range(1, 6)
    for day in days:
        repo.commit(day, {f"{folder}/{day}.md": "text", f"docks/{day}.md": "text"})
    repo.save()
    names = {f"{place}/{day}.md".encode() for place in (folder, "docks") for day in days}
    below = open_repository(str(repo.folder)).tracked(names, folder)
    assert below.keys() == {f"{folder}/{day}.md".encode() for day in days}
    calls()
    dates = TextDates(Rules(bodies=False))
    dates.start(repo.folder / folder)
    found = dates.last_changed([repo.folder / folder / f"{day}.md" for day in days])
    assert [date.day for date in found.values()] == [*days]
    assert calls().count("ls-tree") == 1


def a_plain_one(repo: Repo) -> Repo:
    return repo


def a_packed_one(repo: Repo) -> Repo:
    repo.git("pack-refs", "--all")
    return repo


def a_detached_one(repo: Repo) -> Repo:
    repo.git("checkout", "-q", "--detach", repo.id(1))
    return repo


def a_shallow_one(repo: Repo) -> Repo:
    return repo.clone("shallow", "--depth", "1")


def a_blobless_one(repo: Repo) -> Repo:
    return repo.clone("blobless", "--filter=blob:none")


def a_worktree(repo: Repo) -> Repo:
    other = type(repo)(repo.folder.with_name("linked"))
    repo.git("worktree", "add", "-q", str(other.folder), "-b", "topic", repo.id(1))
    return other


def one_elsewhere(repo: Repo) -> Repo:
    repo.git("config", "core.worktree", str(repo.folder))
    return repo


def one_of_format_1(repo: Repo) -> Repo:
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.noop", "true")
    return repo


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        (a_plain_one, False),
        (a_packed_one, False),
        (a_detached_one, False),
        (a_shallow_one, False),
        (a_blobless_one, None),
        (a_worktree, True),
        (one_elsewhere, True),
        (one_of_format_1, True),
    ],
)
def test_what_files_say_is_what_git_says(
    repo: Repo, calls: Calls, kind: Callable[[Repo], Repo], asked: bool | None
) -> None:
    repo.commit(1, {"a.md": "a"})
    repo.commit(2, {"a.md": "b"})
    found = kind(repo.save())
    calls()
    repository = open_repository(str(found.folder))
    assert asked in (None, "rev-parse" in calls())  # partial clones differ by the version of git
    assert repository.head.decode() == found.git("rev-parse", "HEAD")
    is_shallow = found.git("rev-parse", "--is-shallow-repository") == "true"
    assert repository.boundary == ({repository.head} if is_shallow else set())
    assert repository.is_partial == (kind is a_blobless_one)
