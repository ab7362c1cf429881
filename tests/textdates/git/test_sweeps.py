"""One commit that decides a large share of the dates is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from textdates import Diagnostic, Part, TextDates
from textdates.parts import Headings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .conftest import Repo


def said(repo: Repo, names: Sequence[str]) -> list[Diagnostic]:
    dates = TextDates()
    files = [repo.save().folder / name for name in names]
    assert len(dates.last_changed([*files, *(Part(file, Headings(1)) for file in files)]))
    assert dates.diagnostics == []
    return dates.sweeps(files)


@pytest.mark.parametrize(("swept", "is_said"), [(20, True), (19, False), (60, True)])
def test_a_commit_that_changed_many_files_is_named_with_its_day(
    repo: Repo, swept: int, is_said: bool
) -> None:
    names = [f"{number}.md" for number in range(60)]
    for number, name in enumerate(names):
        repo.commit(number, {name: f"Header\n\n{name}\n"})
    sweep = repo.commit(70, {name: f"{name}\n" for name in names[:swept]})
    found = said(repo, names)
    commit = repo.id(sweep)[:12]
    detail = f"{commit} of 2024-03-10 decides {swept} of 60 dates."
    assert found == ([Diagnostic("git-sweep", str(repo.folder), detail)] if is_said else [])


def test_a_smaller_share_is_not_worth_a_word(repo: Repo) -> None:
    names = [f"{number}.md" for number in range(64)]
    for number, name in enumerate(names):
        repo.commit(number, {name: f"Header\n\n{name}\n"})
    repo.commit(70, {name: f"{name}\n" for name in names[:21]})
    assert said(repo, names) == []


def test_a_commit_that_added_the_files_is_no_sweep(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    names = [f"{number}.md" for number in range(60)]
    repo.commit(2, dict.fromkeys(names, "text"))
    assert said(repo, names) == []


def test_once_it_is_on_the_list_nothing_is_said(repo: Repo) -> None:
    names = [f"{number}.md" for number in range(30)]
    repo.commit(1, dict.fromkeys(names, "Header\n\ntext\n"))
    sweep = repo.commit(2, dict.fromkeys(names, "text\n"))
    repo.commit(3, {".git-blame-ignore-revs": repo.id(sweep)})
    assert said(repo, names) == []
    assert repo.day("7.md") == 1


def test_a_commit_decides_no_date_of_what_changed_again(repo: Repo) -> None:
    names = [f"{number}.md" for number in range(30)]
    repo.commit(1, {name: f"# Old\n\n{name}\n" for name in names})
    repo.commit(2, {name: f"# New\n\n{name}\n" for name in names})
    for number, name in enumerate(names):
        repo.commit(3 + number, {name: f"# New\n\n{name}, edited\n"})
    assert said(repo, names) == []
