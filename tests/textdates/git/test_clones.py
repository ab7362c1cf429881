"""Clones that do not have everything, and work trees of other kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from textdates import TextDates

from .conftest import Moved, Submodule

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Repo

    MakeRepo = Callable[..., Repo]


def ten_days(repo: Repo) -> list[str]:
    """Change one of ten files a day."""
    for number in range(1, 11):
        repo.commit(number, {f"{number}.md": f"day {number}"})
    return [f"{number}.md" for number in range(1, 11)]


def test_a_shallow_clone_dates_only_what_changed_within_it(repo: Repo) -> None:
    names = ten_days(repo)
    known = {"7.md": 7, "8.md": 8, "9.md": 9, "10.md": 10}
    assert repo.clone("shallow", "--depth=5").days(*names) == dict.fromkeys(names) | known


def test_a_clone_of_depth_1_has_no_date_at_all_and_says_how_to_fix_it(repo: Repo) -> None:
    names = ten_days(repo)
    shallow = repo.clone("shallow", "--depth=1")
    dates = TextDates()
    assert dates.last_changed([shallow.folder / name for name in names]) == {}
    (diagnostic,) = dates.diagnostics
    assert diagnostic.id == "git-shallow"
    assert diagnostic.where == str(shallow.folder)
    assert (
        dates.why_unknown(shallow.folder / "3.md")
        == "the shallow clone does not reach its last change"
    )


def test_a_shallow_clone_that_is_deep_enough_says_nothing(repo: Repo) -> None:
    ten_days(repo)
    shallow = repo.clone("shallow", "--depth=5")
    dates = TextDates()
    assert dates.last_changed([shallow.folder / "9.md"])
    assert not dates.diagnostics


def test_a_clone_of_depth_50_says_what_a_full_one_says_or_nothing(repo: Repo) -> None:
    names = [f"{number}.md" for number in range(100)]
    for number, name in enumerate(names):
        base = repo.commit(number, {name: "main"})
        topic = repo.commit(number + 0.2, {name: "topic", "other.md": name})
        base = repo.commit(number + 0.3, {"main.md": name}, after=(base,))
        repo.commit(number + 0.5, {name: "topic", "other.md": name}, after=(base, topic))
    full = repo.days(*names)
    shallow = repo.clone("shallow", "--depth=50").days(*names)
    known = {name for name in names if shallow[name] is not None}
    assert {name: shallow[name] for name in known} == {name: full[name] for name in known}
    assert 15 < len(known) < 50


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_merge_at_the_edge_of_a_shallow_clone(repo: Repo, depth: int) -> None:
    base = repo.commit(1, {"a.md": "a", "b.md": "b"})
    topic = repo.commit(2, {"a.md": "A"})
    main = repo.commit(3, {"b.md": "B"}, after=(base,))
    merge = repo.commit(4, {"a.md": "A"}, after=(main, topic))
    repo.commit(5, {"c.md": "c"}, after=(merge,))
    found = repo.clone("shallow", f"--depth={depth}").days("a.md", "b.md")
    landed = {"a.md": 4 if depth > 2 else None, "b.md": 3 if depth > 3 else None}
    assert found == landed


def test_a_rename_beyond_the_edge_of_a_shallow_clone_has_no_date(repo: Repo) -> None:
    repo.commit(1, {"first.md": "first"})
    repo.commit(2, {"src/a.md": "a"})
    repo.commit(3, {"b.md": "b"})
    repo.commit(4, {"docs/a.md": Moved("src/a.md")})
    assert repo.clone("two", "--depth=2").days("docs/a.md") == {"docs/a.md": None}
    assert repo.clone("three", "--depth=3").days("docs/a.md") == {"docs/a.md": None}
    assert repo.clone("four", "--depth=4").days("docs/a.md") == {"docs/a.md": 2}


def objects_of(repo: Repo) -> str:
    return repo.git("count-objects", "-v")


def test_a_clone_without_old_texts_has_all_dates_and_fetches_nothing(repo: Repo) -> None:
    names = ten_days(repo)
    repo.commit(11, {"3.md": "day  3"})
    partial = repo.clone("partial", "--filter=blob:none")
    before = objects_of(partial)
    wanted = {name: number for number, name in enumerate(names, 1)} | {"3.md": 11}
    dates = TextDates()
    assert len(dates.last_changed([partial.folder / name for name in names])) == len(names)
    assert [diagnostic.id for diagnostic in dates.diagnostics] == ["git-partial"]
    assert partial.days(*names) == wanted
    assert objects_of(partial) == before


def test_a_clone_without_trees_has_no_dates_and_fetches_nothing(repo: Repo) -> None:
    ten_days(repo)
    partial = repo.clone("treeless", "--filter=tree:0")
    before = objects_of(partial)
    dates = TextDates()
    assert dates.last_changed([partial.folder / "3.md"]) == {}
    diagnostic = dates.diagnostics[-1]
    assert diagnostic.id == "git-failed"
    assert dates.why_unknown(partial.folder / "3.md") == "git failed"
    assert objects_of(partial) == before


def test_a_sparse_checkout_is_dated_like_a_full_one(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "a", "code/b.py": "b"})
    repo.commit(2, {"code/b.py": "B"})
    sparse = repo.clone("sparse")
    sparse.git("sparse-checkout", "set", "docs")
    assert not (sparse.folder / "code").exists()
    assert sparse.days("docs/a.md", "code/b.py") == {"docs/a.md": 1, "code/b.py": 2}


def test_a_second_work_tree_has_the_dates_of_its_own_branch(repo: Repo) -> None:
    first = repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"a.md": "two"})
    repo.git("worktree", "add", "-q", "../tree", repo.id(first))
    assert repo.day("a.md") == 2
    assert repo.day("../tree/a.md") == 1


def test_a_shallow_clone_s_second_work_tree_knows_the_edge_too(repo: Repo) -> None:
    ten_days(repo)
    shallow = repo.clone("shallow", "--depth=2")
    shallow.git("worktree", "add", "-q", "../tree", "HEAD")
    assert shallow.days("../tree/10.md", "../tree/9.md") == {
        "../tree/10.md": 10,
        "../tree/9.md": None,
    }


def test_a_submodule_has_dates_of_its_own(repo: Repo, make_repo: MakeRepo) -> None:
    library = make_repo("library")
    library.commit(3, {"a.md": "library"})
    repo.commit(1, {"b.md": "b"})
    repo.commit(5, {"lib": Submodule(library.id(1))})
    repo.save()
    (repo.folder / "lib").rmdir()
    library.clone("repo/lib")
    assert repo.days("b.md", "lib/a.md") == {"b.md": 1, "lib/a.md": 3}


def test_a_submodule_whose_git_directory_lies_in_the_other_one(
    repo: Repo, make_repo: MakeRepo
) -> None:
    library = make_repo("library")
    library.commit(3, {"a.md": "library"})
    library.save()
    repo.commit(1, {"b.md": "b"})
    repo.save()
    allow = ("-c", "protocol.file.allow=always")
    repo.git(*allow, "submodule", "--quiet", "add", str(library.folder), "lib")
    assert (repo.folder / "lib" / ".git").is_file()
    assert repo.days("b.md", "lib/a.md") == {"b.md": 1, "lib/a.md": 3}


def test_a_submodule_that_is_not_there_has_no_dates(repo: Repo) -> None:
    repo.commit(1, {"b.md": "b"})
    repo.commit(5, {"lib": Submodule("1" * 40)})
    assert repo.days("b.md", "lib/a.md") == {"b.md": 1, "lib/a.md": None}


def test_several_repositories_in_one_site(make_repo: MakeRepo, tmp_path: Path) -> None:
    one, two = make_repo("one"), make_repo("two")
    one.commit(1, {"a.md": "a"})
    two.commit(2, {"a.md": "a"})
    files = [one.save().folder / "a.md", two.save().folder / "a.md", tmp_path / "a.md"]
    dates = TextDates()
    assert [moment.day for moment in dates.last_changed(files).values()] == [1, 2]
    assert [diagnostic.id for diagnostic in dates.diagnostics] == ["git-outside"]


def test_a_repository_of_sha_256(make_repo: MakeRepo) -> None:
    repo = make_repo("sha256", "--object-format=sha256")
    base = repo.commit(1, {"a.md": "one", "old.md": "o", "c.md": "c"})
    topic = repo.commit(2, {"a.md": "two"})
    bulk = repo.commit(3, {"c.md": "C"}, after=(base,))
    repo.commit(4, {"a.md": "two"}, after=(bulk, topic))
    repo.commit(5, {".git-blame-ignore-revs": repo.id(bulk), "new.md": Moved("old.md")})
    names = "a.md", "c.md", "new.md"
    assert repo.days(*names) == {"a.md": 4, "c.md": 1, "new.md": 1}


def test_a_detached_head_has_its_own_history(repo: Repo) -> None:
    first = repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"a.md": "two"})
    repo.git("checkout", "-q", repo.id(first))
    assert repo.day("a.md") == 1


def replaced(repo: Repo) -> None:
    """Let the last commit's parent be the first one."""
    first = repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"a.md": "two"})
    last = repo.commit(3, {"a.md": "one", "b.md": "b"})
    repo.git("replace", "--graft", repo.id(last), repo.id(first))


def test_replaced_history_counts_as_git_shows_it(repo: Repo) -> None:
    replaced(repo)
    assert repo.day("a.md") == 1


def test_grafted_history_counts_as_git_shows_it(repo: Repo) -> None:
    first = repo.commit(1, {"a.md": "one"})
    repo.commit(2, {"a.md": "two"})
    last = repo.commit(3, {"a.md": "one", "b.md": "b"})
    grafts = repo.save().folder / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{repo.id(last)} {repo.id(first)}\n")
    assert repo.day("a.md") == 1


def damage(repo: Repo, expression: str) -> None:
    """Make one object of the repository unreadable."""
    broken = repo.git("rev-parse", expression)
    path = repo.folder / ".git" / "objects" / broken[:2] / broken[2:]
    path.chmod(0o600)
    path.write_bytes(b"no object")


CORRUPT = {
    "a tree in the middle": "HEAD~5^{tree}",
    "a commit in the middle": "HEAD~5",
    "the tree of the head": "HEAD^{tree}",
    "the head": "HEAD",
}


@pytest.mark.parametrize("damaged", CORRUPT.values(), ids=CORRUPT)
def test_a_corrupt_repository_has_no_dates_rather_than_some(repo: Repo, damaged: str) -> None:
    names = ten_days(repo)
    damage(repo.save(), damaged)
    dates = TextDates()
    assert dates.last_changed([repo.folder / name for name in names]) == {}
    (diagnostic,) = dates.diagnostics
    assert diagnostic.where == str(repo.folder)
    assert dates.why_unknown(repo.folder / "1.md") == "git failed"
