"""Commits that do not count, because the user says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit.lastmod.git import GitDates
from sitemapkit.options import Git

from .conftest import Link, Moved

if TYPE_CHECKING:
    from .conftest import Repo

LIST = ".git-blame-ignore-revs"


def test_lm10_a_listed_commit_does_not_count(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    bulk = repo.commit(2, {"a.md": "ONE"})
    repo.commit(3, {LIST: f"# upper case\n\n{repo.id(bulk)}  # all of it\n"})
    assert repo.day("a.md") == 1


def test_git_log_knows_no_list_unless_it_is_asked_for(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    bulk = repo.commit(2, {"a.md": "ONE"})
    repo.commit(3, {LIST: repo.id(bulk)})
    assert repo.day("a.md", dates="commit") == 2
    assert repo.day("a.md", dates="commit", ignore_revs=[LIST]) == 1


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
    assert repo.day("a.md", dates="commit", ignore_revs=[LIST]) == 2


def test_a_listed_change_of_type_does_not_count(repo: Repo) -> None:
    repo.commit(1, {"a.md": "b.md", "b.md": "one"})
    bulk = repo.commit(2, {"a.md": Link("b.md")})
    repo.commit(3, {LIST: repo.id(bulk)})
    assert repo.day("a.md") == 1


def test_messages_tell_which_commits_do_not_count(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"}, message="Write a")
    repo.commit(2, {"a.md": "ONE"}, message="Format\n\n[skip date]")
    repo.commit(3, {"a.md": "One"}, message="style: again")
    assert repo.day("a.md") == 3
    assert repo.day("a.md", ignore_message=r"^style:|\[skip date\]") == 1
    assert repo.day("a.md", ignore_message=r"^style:|\[skip date\]", dates="commit") == 1


def test_a_message_may_look_like_git_s_own_output(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"}, message="/" + "0" * 40)
    repo.commit(2, {"a.md": "two"}, message="\n:100644 100644 M\n/ü\n")
    assert repo.day("a.md", ignore_message="ü") == 1


def test_a_merge_that_lands_only_listed_changes_does_not_count(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one", "b.md": "b"})
    bulk = repo.commit(2, {"a.md": "ONE", "b.md": "B"})
    again = repo.commit(3, {"a.md": "One"})
    main = repo.commit(4, {"c.md": "main"}, after=(base,))
    repo.commit(10, {"a.md": "One", "b.md": "B"}, after=(main, again))
    repo.commit(11, {LIST: f"{repo.id(bulk)}\n{repo.id(again)}"})
    assert repo.days("a.md", "b.md") == {"a.md": 1, "b.md": 1}
    assert repo.day("a.md", dates="commit", ignore_revs=[LIST]) == 1


def test_a_merge_that_lands_another_change_as_well_counts(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "one", "b.md": "b"})
    bulk = repo.commit(2, {"a.md": "ONE", "b.md": "B"})
    topic = repo.commit(3, {"a.md": "ONE and more"})
    main = repo.commit(4, {"c.md": "main"}, after=(base,))
    repo.commit(10, {"a.md": "ONE and more", "b.md": "B"}, after=(main, topic))
    repo.commit(11, {LIST: repo.id(bulk)})
    assert repo.days("a.md", "b.md") == {"a.md": 10, "b.md": 1}


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
    assert repo.day("a.md", dates="commit", ignore_revs=[LIST]) == 1


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
    repo.commit(1, {"a.md": "one", LIST: "abc123 # too short\n"})
    dates = GitDates()
    assert dates.last_changed([repo.save().folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert (diagnostic.rule.id, diagnostic.severity) == ("git-ignore-revs", "note")
    assert ".git-blame-ignore-revs: abc123 is not a full commit id." in diagnostic.message


def test_a_list_that_is_missing_is_left_out_with_a_note(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    dates = GitDates(Git(ignore_revs="no/such/file"))
    assert dates.last_changed([repo.save().folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert "no/such/file: No such file or directory." in diagnostic.message
