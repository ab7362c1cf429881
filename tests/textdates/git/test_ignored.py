"""Commits that do not count, because the user says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textdates import Rules, TextDates

from .conftest import Link, Moved

if TYPE_CHECKING:
    from .conftest import Repo

LIST = ".git-blame-ignore-revs"


def test_lm10_a_listed_commit_does_not_count(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    bulk = repo.commit(2, {"a.md": "ONE"})
    repo.commit(3, {LIST: f"# upper case\n\n{repo.id(bulk)}  # all of it\n"})
    assert repo.day("a.md") == 1


def test_an_empty_choice_of_lists_uses_none(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    bulk = repo.commit(2, {"a.md": "ONE"})
    repo.commit(3, {LIST: repo.id(bulk)})
    assert repo.day("a.md", ignore_revs=[]) == 2


def test_a_list_of_another_name(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    bulk = repo.commit(2, {"a.md": "ONE"})
    repo.commit(3, {"etc/bulk": repo.id(bulk).upper()})
    assert repo.day("a.md", ignore_revs=["etc/bulk"]) == 1
    assert repo.day("a.md", ignore_revs=[repo.folder / "etc" / "bulk"]) == 1


def test_a_listed_move_is_followed(repo: Repo) -> None:
    repo.commit(1, {"src/a.md": "one"})
    bulk = repo.commit(2, {"docs/a.md": Moved("src/a.md")})
    repo.commit(3, {LIST: repo.id(bulk)})
    assert repo.day("docs/a.md") == 1


def test_the_commit_that_made_a_file_counts_all_the_same(repo: Repo) -> None:
    bulk = repo.commit(2, {"a.md": "one"})
    repo.commit(3, {LIST: repo.id(bulk)})
    assert repo.day("a.md") == 2


def test_a_listed_change_of_type_does_not_count(repo: Repo) -> None:
    repo.commit(1, {"a.md": "b.md", "b.md": "one"})
    bulk = repo.commit(2, {"a.md": Link("b.md")})
    repo.commit(3, {LIST: repo.id(bulk)})
    assert repo.day("a.md") == 1


def test_a_merge_counts_although_what_it_lands_is_listed(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one"})
    bulk = repo.commit(2, {"a.md": "ONE"})
    main = repo.commit(4, {"c.md": "main"}, after=(base,))
    merge = repo.commit(10, {"a.md": "ONE"}, after=(main, bulk))
    repo.commit(11, {LIST: repo.id(bulk)})
    assert repo.day("a.md") == 10
    repo.commit(12, {LIST: f"{repo.id(bulk)}\n{repo.id(merge)}"})
    assert repo.day("a.md") == 1


def test_a_merge_that_changes_what_a_listed_commit_left_counts(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one\n\ntwo"})
    bulk = repo.commit(2, {"a.md": "ONE\n\ntwo"})
    main = repo.commit(4, {"a.md": "one\n\n2"}, after=(base,))
    repo.commit(10, {"a.md": "ONE\n\n2"}, after=(main, bulk))
    repo.commit(11, {LIST: repo.id(bulk)})
    assert repo.day("a.md") == 10


def test_a_listed_merge_does_not_count(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one"})
    topic = repo.commit(2, {"a.md": "two"})
    main = repo.commit(4, {"c.md": "main"}, after=(base,))
    merge = repo.commit(10, {"a.md": "two, but evil"}, after=(main, topic))
    repo.commit(11, {LIST: repo.id(merge)})
    assert repo.day("a.md") == 1


def test_a_list_may_name_commits_that_are_not_there(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one", "b.md": "b"})
    bulk = repo.commit(2, {"a.md": "ONE"})
    repo.save()
    ids = ["1" * 40, "2" * 64, repo.git("rev-parse", "HEAD^{tree}"), repo.id(bulk)]
    base = repo.commit(3, {LIST: "\n".join(ids)})
    topic = repo.commit(4, {"b.md": "B"})
    repo.commit(5, {"b.md": "B"}, after=(base, topic))
    assert repo.days("a.md", "b.md") == {"a.md": 1, "b.md": 5}


def test_a_list_that_is_no_list_is_left_out_with_a_note(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one", LIST: "# Bulk\n\nabc123 # too short\n"})
    dates = TextDates()
    assert dates.last_changed([repo.save().folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert diagnostic.id == "git-ignore-revs"
    assert diagnostic.detail.endswith(".git-blame-ignore-revs: line 3 is not a full commit ID.")


def test_a_list_that_is_missing_is_left_out_with_a_note(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    dates = TextDates(Rules(ignore_revs="no/such/file"))
    assert dates.last_changed([repo.save().folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert "no/such/file: No such file or directory." in diagnostic.detail
