"""Which day counts where branches meet: the day a text landed on the checked-out branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def test_a_history_that_was_taken_in_lands_with_its_merge(repo: Repo) -> None:
    """As `git merge --allow-unrelated-histories` and `git subtree add` do."""
    main = repo.commit(8, {"code.py": "1", "README.md": "code"})
    repo.commit(1, {"b.md": "b", "index.md": "index"}, after=())
    other = repo.commit(3, {"b.md": "b two"})
    repo.commit(10, {"docs/b.md": "b two", "docs/index.md": "index"}, after=(main, other))
    repo.commit(11, {"docs/b.md": "b three", "code.py": "2"})
    assert repo.days("docs/b.md", "docs/index.md") == {"docs/b.md": 11, "docs/index.md": 10}


def test_a_branch_lands_with_its_merge_however_much_it_deletes(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one", "b/c.md": "c", "d.md": "d"})
    topic = repo.commit(2, {"a.md": None, "b/c.md": None, "d.md": "D", "new.md": "new"})
    main = repo.commit(3, {"e.md": "e"}, after=(base,))
    repo.commit(
        10, {"a.md": None, "b/c.md": None, "d.md": "D", "new.md": "new"}, after=(main, topic)
    )
    assert repo.days("new.md", "d.md") == {"new.md": 10, "d.md": 10}


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
