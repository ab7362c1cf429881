"""What a build knows of texts that are as in the commit, the next build does not look for."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from textdates import Known, Part, Rules, TextDates, dates
from textdates.budget import LIMITS, Budget, Limit
from textdates.git import repository_dates
from textdates.git.history import Log, start_walk
from textdates.parts import Headings

if TYPE_CHECKING:
    from textdates import FileOrPart

    from .conftest import Repo


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders whose history is walked from now on."""
    found: list[str] = []

    def noting(root: str, start: bytes, scope: str = "") -> Log:
        found.append(scope)
        return start_walk(root, start, scope)

    monkeypatch.setattr(repository_dates, "start_walk", noting)
    return found


def build(repo: Repo, known: Known, base: str = "") -> tuple[list[int | str], list[str]]:
    """Return the days of the files and a part, and what limits them, as a build finds them."""
    history = TextDates(Rules(base=base), known)
    history.start(repo.folder)
    files = [repo.folder / name for name in ("a.md", "b.md", "new.md")]
    asked: list[FileOrPart] = [*files, Part(files[0], Headings(1))]
    found = history.last_changed(asked)
    days = [found[each].day if each in found else history.why_unknown(each) for each in asked]
    return days, [each.id for each in history.diagnostics]


def test_what_is_known_is_not_looked_for_again(repo: Repo, walks: list[str]) -> None:
    repo.commit(1, {"a.md": "# Tea\n", "b.md": "b"})
    repo.commit(2, {"a.md": "# Tea\n\nMilk.\n", "new.md": "new"})
    repo.save()
    known: Known = {}
    first = build(repo, known)
    assert first == ([2, 1, 2, 1], [])
    assert walks
    walks.clear()
    kept = pickle.loads(pickle.dumps(known))  # noqa: S301
    assert build(repo, known) == build(repo, kept) == first
    assert not walks


def test_what_is_edited_or_new_is_judged_anew_and_a_commit_ends_what_is_known(repo: Repo) -> None:
    repo.commit(1, {"a.md": "# Tea\n", "b.md": "b"})
    repo.save()
    known: Known = {}
    new = repo.folder / "new.md"
    new.write_text("new")
    assert build(repo, known) == ([1, 1, "untracked", 1], ["git-untracked"])
    (repo.folder / "a.md").write_text("# Tea\n\nMilk.\n")
    edited = "changed since the last commit"
    assert build(repo, known)[0] == [edited, 1, "untracked", 1]
    repo.commit(3, {"a.md": "# Tea\n\nMilk.\n", "new.md": "new"})
    new.unlink()
    repo.save()
    assert build(repo, known) == ([3, 1, 3, 1], [])
    assert build(repo, known) == ([3, 1, 3, 1], [])


def test_each_build_says_that_it_compared_too_much(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"a.md": "# Tea\n", "b.md": "b", "new.md": "new"})
    repo.commit(2, {"a.md": "# Tea\n\nMilk.\n"})
    repo.save()
    monkeypatch.setattr(dates, "Budget", lambda: Budget({**LIMITS, "read": Limit("bytes", 3, 3)}))
    known: Known = {}
    for _ in range(2):
        assert build(repo, known) == ([2, 1, 1, 2], ["git-budget"])


def test_other_rules_and_more_history_end_what_is_known(repo: Repo) -> None:
    repo.commit(1, {"a.md": "# Tea\n", "b.md": "b"})
    link = "# Tea\n\n[Milk](https://example.org/milk)\n"
    repo.commit(2, {"a.md": link, "b.md": "B"})
    last = repo.commit(3, {"a.md": link.replace("https://example.org", ""), "b.md": "bb"})
    repo.save()
    known: Known = {}
    assert build(repo, known)[0] == [3, 3, "untracked", 1]
    assert build(repo, known, base="https://example.org/")[0] == [2, 3, "untracked", 1]
    (repo.folder / ".git-blame-ignore-revs").write_text(repo.id(last))
    assert build(repo, known)[0] == [2, 2, "untracked", 1]
    shallow = repo.clone("shallow", "--depth=1")
    beyond = "the shallow clone does not reach its last change"
    for _ in range(2):
        assert build(shallow, known) == (
            [beyond, beyond, "untracked", beyond],
            ["git-untracked", "git-shallow"],
        )
    shallow.git("fetch", "-q", "--unshallow")
    assert build(shallow, known)[0] == [3, 3, "untracked", 1]
