"""Which day counts where branches meet: the day a text landed on the checked-out branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from textdates import TextDates
from textdates.git import imports

if TYPE_CHECKING:
    from .conftest import Repo


def test_the_last_change_counts(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one", "b.md": "one"})
    repo.commit(2, {"a.md": "two"})
    repo.commit(3, {"b.md": "three"})
    assert repo.days("a.md", "b.md") == {"a.md": 2, "b.md": 3}


def test_a_merged_change_lands_with_the_merge(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one", "main.md": "one"})
    topic = repo.commit(2, {"a.md": "two"})
    main = repo.commit(3, {"main.md": "three"}, after=(base,))
    repo.commit(10, {"a.md": "two"}, after=(main, topic))
    assert repo.day("a.md") == 10
    assert repo.day("main.md") == 3


def test_a_fast_forward_is_no_merge(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"a.md": "two"})
    assert repo.day("a.md") == 2


def test_what_both_sides_changed_is_new_with_the_merge(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one\n\n\ntwo"})
    topic = repo.commit(2, {"a.md": "one\n\n\n2"})
    main = repo.commit(3, {"a.md": "1\n\n\ntwo"}, after=(base,))
    repo.commit(10, {"a.md": "1\n\n\n2"}, after=(main, topic))
    assert repo.day("a.md") == 10


def test_an_evil_merge_counts(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one"})
    topic = repo.commit(2, {"other.md": "two"})
    main = repo.commit(3, {"more.md": "three"}, after=(base,))
    repo.commit(10, {"a.md": "neither side wrote this", "other.md": "two"}, after=(main, topic))
    assert repo.day("a.md") == 10


def test_a_change_that_the_merge_throws_away_does_not_count(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one"})
    topic = repo.commit(2, {"a.md": "two"})
    main = repo.commit(3, {"main.md": "three"}, after=(base,))
    repo.commit(10, {}, after=(main, topic))  # git merge -s ours
    assert repo.day("a.md") == 1


def test_a_merge_that_takes_everything_from_the_branch(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one"})
    topic = repo.commit(2, {"b.md": "topic"})
    main = repo.commit(3, {"a.md": "three"}, after=(base,))
    repo.commit(10, {"a.md": "one", "b.md": "topic"}, after=(main, topic))  # git merge -s theirs
    assert repo.day("a.md") == 10


def test_the_same_change_on_both_sides_counts_where_the_branch_has_it(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one"})
    topic = repo.commit(2, {"a.md": "two"})
    main = repo.commit(3, {"a.md": "two"}, after=(base,))  # git cherry-pick
    repo.commit(10, {"b.md": "more"}, after=(main, topic))
    assert repo.day("a.md") == 3


def test_a_pull_that_puts_upstream_second_is_late_but_never_early(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one"})
    upstream = repo.commit(2, {"a.md": "two"})
    local = repo.commit(3, {"b.md": "local"}, after=(base,))
    repo.commit(10, {"a.md": "two"}, after=(local, upstream))
    assert repo.day("a.md") == 10


def test_an_octopus_lands_all_its_branches(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one", "b.md": "one", "c.md": "one"})
    first = repo.commit(2, {"a.md": "two"})
    second = repo.commit(3, {"b.md": "three"}, after=(base,))
    main = repo.commit(4, {"c.md": "four"}, after=(base,))
    repo.commit(10, {"a.md": "two", "b.md": "three"}, after=(main, first, second))
    assert repo.day("a.md") == 10
    assert repo.day("b.md") == 10
    assert repo.day("c.md") == 4


@pytest.mark.parametrize("folder", ["", "docs", "site/docs"])
@pytest.mark.parametrize("early", ["", "site", None])
def test_a_history_that_was_taken_in_keeps_its_dates(
    repo: Repo, folder: str, early: str | None
) -> None:
    """As `git merge --allow-unrelated-histories` and `git subtree add` do."""
    place = f"{folder}/" if folder else ""
    main = repo.commit(8, {"code.py": "1", "README.md": "code"})
    repo.commit(1, {"b.md": "b", "index.md": "index", "d/index.md": "d"}, after=())
    repo.commit(2, {"b.md": "b two"})
    other = repo.commit(3, {"c.md": "c", "d/index.md": "d two"})
    texts = {"b.md": "b two", "index.md": "index", "c.md": "---\ntags: c\n---\nc"}
    merged = {**texts, "d/index.md": "d two, and more"}
    repo.commit(10, {f"{place}{name}": text for name, text in merged.items()}, after=(main, other))
    repo.commit(11, {f"{place}e.md": "e", "code.py": "2"})
    dates = TextDates()
    repo.save()
    if early is not None:
        dates.start(repo.folder / early)
    wanted = {"b.md": 2, "index.md": 1, "c.md": 3, "d/index.md": 10, "e.md": 11}
    files = {name: repo.folder / f"{place}{name}" for name in wanted}
    found = dates.last_changed(files.values())
    assert {name: found[file].day for name, file in files.items()} == wanted
    assert not dates.diagnostics


def test_a_history_that_was_taken_in_may_have_taken_in_another(repo: Repo) -> None:
    main = repo.commit(8, {"code.py": "1"})
    inner = repo.commit(1, {"a.md": "a"}, after=())
    outer = repo.commit(2, {"b.md": "b"}, after=())
    middle = repo.commit(3, {"in/a.md": "a"}, after=(outer, inner))
    repo.commit(10, {"docs/in/a.md": "a", "docs/b.md": "b"}, after=(main, middle))
    assert repo.days("docs/in/a.md", "docs/b.md") == {"docs/in/a.md": 1, "docs/b.md": 2}


def test_a_branch_lands_with_its_merge_however_much_it_deletes(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one", "b/c.md": "c", "d.md": "d"})
    topic = repo.commit(2, {"a.md": None, "b/c.md": None, "d.md": "D", "new.md": "new"})
    main = repo.commit(3, {"e.md": "e"}, after=(base,))
    repo.commit(
        10, {"a.md": None, "b/c.md": None, "d.md": "D", "new.md": "new"}, after=(main, topic)
    )
    assert repo.days("new.md", "d.md") == {"new.md": 10, "d.md": 10}


def test_whether_histories_are_related_is_asked_of_few_merges(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def ask(*given: object) -> None:
        asked.append(given)

    monkeypatch.setattr(imports, "_is_unrelated", ask)
    for number in range(5):
        base = repo.commit(10 * number + 1, {f"{number}.md": "text"})
        topic = repo.commit(10 * number + 2, {f"new/{number}.md": "text"})
        repo.commit(10 * number + 3, {f"new/{number}.md": "text"}, after=(base, topic))
    days = repo.days(*(f"new/{number}.md" for number in range(5)))
    assert [*days.values()] == [3, 13, 23, 33, 43]
    assert len(asked) <= 1  # the first folder of all may look like that of another repository


def test_a_revert_counts(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"a.md": "two"})
    repo.commit(3, {"a.md": "one"})
    assert repo.day("a.md") == 3


def test_a_file_that_came_back_is_new(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one", "b.md": "one"})
    repo.commit(2, {"a.md": None})
    repo.commit(3, {"a.md": "one"})
    assert repo.day("a.md") == 3


def test_the_order_of_commits_decides_where_clocks_were_wrong(repo: Repo) -> None:
    repo.commit(20, {"a.md": "one"})
    repo.commit(5, {"a.md": "two"})
    repo.commit(30, {"b.md": "later"})
    assert repo.day("a.md") == 5


def test_the_committer_date_counts(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    repo.commit(9, {"a.md": "rebased long after it was written"}, author_day=2)
    assert repo.day("a.md") == 9


def test_the_future_is_told_as_git_tells_it(repo: Repo) -> None:
    repo.commit(40_000, {"a.md": "one"})
    assert repo.day("a.md") == 40_000


def test_a_file_that_never_changed_has_the_day_of_the_first_commit(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    for number in range(50):
        repo.commit(2, {"b.md": str(number)})
    assert repo.day("a.md") == 1
