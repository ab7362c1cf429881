"""What changes the content of a file, and what does not: renames, modes, types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .conftest import Moved, Program

if TYPE_CHECKING:
    from .conftest import Repo


def test_a_pure_rename_changes_no_content(repo: Repo) -> None:
    repo.commit(1, {"old.md": "one", "other.md": "other"})
    repo.commit(5, {"new.md": Moved("old.md")})
    assert repo.day("new.md") == 1


def test_a_rename_with_an_edit_does(repo: Repo) -> None:
    repo.commit(1, {"old.md": "one"})
    repo.commit(5, {"new.md": "two", "old.md": None})
    assert repo.day("new.md") == 5


def test_a_file_that_was_moved_away_and_back(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "one", "docs/b.md": "b"})
    repo.commit(2, {"docs/a.md": "two"})
    repo.commit(3, {"old/a.md": Moved("docs/a.md")})
    repo.commit(4, {"docs/a.md": Moved("old/a.md")})
    assert repo.day("docs/a.md") == 2


def test_a_file_that_was_edited_while_it_was_away(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "one"})
    repo.commit(2, {"old/a.md": Moved("docs/a.md")})
    repo.commit(3, {"old/a.md": "three"})
    repo.commit(4, {"docs/a.md": Moved("old/a.md")})
    assert repo.day("docs/a.md") == 3


def test_a_folder_moved_in_from_elsewhere(repo: Repo) -> None:
    repo.commit(1, {"pages/a.md": "a", "code.py": "1", "docs/c.md": "c"})
    repo.commit(2, {"pages/b.md": "b"})
    repo.commit(3, {"code.py": "3"})
    repo.commit(5, {"docs": Moved("pages"), "docs/c.md": "c"})
    repo.commit(6, {"code.py": "6"})
    assert repo.days("docs/a.md", "docs/b.md", "docs/c.md") == {
        "docs/a.md": 1,
        "docs/b.md": 2,
        "docs/c.md": 1,
    }


def test_files_that_came_from_elsewhere_on_different_days(repo: Repo) -> None:
    repo.commit(1, {"x/a.md": "a", "y/b.md": "b", "z/c.md": "c", "code.py": "1"})
    repo.commit(2, {"y/b.md": "b2"})
    repo.commit(3, {"y/a.md": Moved("x/a.md")})
    repo.commit(4, {"y/a.md": "a4"})
    repo.commit(5, {"docs/a.md": Moved("y/a.md")})
    repo.commit(6, {"x/a.md": "another file of an old name"})
    repo.commit(7, {"docs/b.md": Moved("y/b.md")})
    repo.commit(8, {"docs/c.md": Moved("z/c.md")})
    assert repo.days("docs/a.md", "docs/b.md", "docs/c.md") == {
        "docs/a.md": 4,
        "docs/b.md": 2,
        "docs/c.md": 1,
    }


def test_an_old_name_that_was_taken_again_is_another_file(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"b.md": Moved("a.md")})
    repo.commit(3, {"a.md": "three"})
    assert repo.days("a.md", "b.md") == {"a.md": 3, "b.md": 1}


def test_two_files_that_swapped_names_both_changed(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    repo.commit(2, {"a.md": "b", "b.md": "a"})
    assert repo.days("a.md", "b.md") == {"a.md": 2, "b.md": 2}


def test_a_rename_of_case_alone(repo: Repo) -> None:
    repo.commit(1, {"readme.md": "one"})
    repo.commit(2, {"readme.md": "two"})
    repo.commit(3, {"README.md": Moved("readme.md")})
    assert repo.day("README.md") == 2


def test_of_equal_files_the_one_of_the_same_name_was_moved(repo: Repo) -> None:
    repo.commit(1, {"a/one.md": "same"})
    repo.commit(2, {"a/two.md": "same"})
    repo.commit(3, {"b": Moved("a")})
    assert repo.days("b/one.md", "b/two.md") == {"b/one.md": 1, "b/two.md": 2}


def test_a_copy_is_a_new_page(repo: Repo) -> None:
    repo.commit(1, {"a.md": "same"})
    repo.commit(2, {"b.md": "same"})
    assert repo.days("a.md", "b.md") == {"a.md": 1, "b.md": 2}


def test_two_copies_that_replace_a_file_have_its_day(repo: Repo) -> None:
    repo.commit(1, {"a.md": "same"})
    repo.commit(2, {"en/a.md": "same", "de/a.md": "same", "a.md": None})
    assert repo.days("en/a.md", "de/a.md") == {"en/a.md": 1, "de/a.md": 1}


def test_a_rename_on_a_merged_branch(repo: Repo) -> None:
    base = repo.commit(1, {"old.md": "one"})
    topic = repo.commit(2, {"new.md": Moved("old.md")})
    main = repo.commit(3, {"old.md": "three"}, after=(base,))
    repo.commit(10, {"new.md": "three", "old.md": None}, after=(main, topic))
    assert repo.day("new.md") == 3


def test_a_file_moved_to_the_root(repo: Repo) -> None:
    repo.commit(1, {"docs/README.md": "one", "code.py": "1"})
    repo.commit(2, {"README.md": Moved("docs/README.md")})
    assert repo.day("README.md") == 1


def test_a_changed_mode_changes_no_content(repo: Repo) -> None:
    repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"a.md": Program("one")})
    assert repo.day("a.md") == 1


def test_a_file_that_became_a_folder_and_a_file_again(repo: Repo) -> None:
    repo.commit(1, {"a": "one"})
    repo.commit(2, {"a/b.md": "b", "a": None})
    repo.commit(3, {"a": "three", "a/b.md": None})
    assert repo.day("a") == 3
