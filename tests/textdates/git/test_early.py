"""The walk that begins with the build and is read when it ends."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from textdates import TextDates

from .conftest import Moved

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Repo


def ask_early(repo: Repo, folder: str, *names: str) -> list[int]:
    """Return the days of files when the walk of a folder was started before."""
    dates = TextDates()
    dates.start(repo.save().folder / folder)
    found = dates.last_changed([repo.folder / name for name in names])
    assert not dates.diagnostics
    return [moment.day for moment in found.values()]


def children() -> set[str]:
    """Return the processes that this one has started and not yet waited for."""
    return set(Path("/proc/self/task", str(os.getpid()), "children").read_text().split())


def test_an_early_start_gives_the_same_dates(repo: Repo) -> None:
    base = repo.commit(1, {"docs/a.md": "a", "docs/b.md": "b", "x/c.md": "c"})
    topic = repo.commit(2, {"docs/a.md": "A"})
    main = repo.commit(3, {"docs/b.md": "B"}, after=(base,))
    repo.commit(4, {"docs/a.md": "A"}, after=(main, topic))
    repo.commit(5, {"docs/c.md": Moved("x/c.md")})
    assert ask_early(repo, "docs", "docs/a.md", "docs/b.md", "docs/c.md") == [4, 3, 1]
    assert ask_early(repo, "", "docs/a.md", "docs/b.md", "docs/c.md") == [4, 3, 1]


def test_files_outside_the_folder_are_looked_for_as_well(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "a", "README.md": "r", "docs2/b.md": "b"})
    repo.commit(2, {"README.md": "R"})
    assert ask_early(repo, "docs", "docs/a.md", "README.md", "docs2/b.md") == [1, 2, 1]
    assert ask_early(repo, "docs", "README.md") == [2]
    assert ask_early(repo, "no/such/folder", "docs/a.md") == [1]


def test_a_commit_made_during_the_build_does_not_matter(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a one"})
    dates = TextDates()
    dates.start(repo.save().folder)
    repo.commit(2, {"a.md": "a  one", "b.md": "b"})
    repo.save()
    found = dates.last_changed([repo.folder / "a.md", repo.folder / "b.md"])
    assert [moment.day for moment in found.values()] == [1]


def test_a_walk_may_be_started_twice_and_in_several_repositories(
    repo: Repo, make_repo: Callable[..., Repo]
) -> None:
    other = make_repo("other")
    repo.commit(1, {"docs/a.md": "a"})
    other.commit(2, {"b.md": "b"})
    dates = TextDates()
    for folder in (repo.save().folder, repo.folder / "docs", other.save().folder):
        dates.start(folder)
    found = dates.last_changed([repo.folder / "docs/a.md", other.folder / "b.md"])
    assert [moment.day for moment in found.values()] == [1, 2]


def test_dates_can_be_asked_for_again(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    dates = TextDates()
    dates.start(repo.save().folder)
    for name in ("a.md", "b.md", "a.md"):
        assert len(dates.last_changed([repo.folder / name])) == 1


def test_much_history_is_read_while_git_still_writes(repo: Repo) -> None:
    names = [f"{number:04}-{'long' * 20}.md" for number in range(2000)]
    repo.commit(1, dict.fromkeys(names, "one"))
    for number in range(2, 12):
        repo.commit(number, dict.fromkeys(names[number:], str(number)))
    assert ask_early(repo, "", *names[:12]) == [1, 1, *range(2, 12)]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes as Linux does")
def test_no_process_is_left_behind(repo: Repo) -> None:
    for number in range(1, 300):
        repo.commit(number, {f"{number}.md": "text"})
    repo.save()
    before = children()
    dates = TextDates()
    dates.start(repo.folder)
    assert len(children() - before) == 1
    dates.last_changed([repo.folder / "299.md"])
    assert children() == before
    dates.start(repo.folder)
    del dates
    gc.collect()
    assert children() == before


def test_the_early_walk_needs_no_reader(repo: Repo) -> None:
    names = [f"{number:04}-{'long' * 40}.md" for number in range(1000)]
    for number in range(1, 40):
        repo.commit(number, dict.fromkeys(names, str(number)))
    repo.save()
    before = children()
    dates = TextDates()
    dates.start(repo.folder)
    deadline = time.monotonic() + 300
    (process,) = children() - before
    while "\tZ" not in Path(f"/proc/{process}/status").read_text():  # ended, and not yet waited for
        assert time.monotonic() < deadline, "git waits for somebody to read"
        time.sleep(0.01)
    assert len(dates.last_changed([repo.folder / name for name in names])) == 1000
