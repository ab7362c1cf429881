"""Files by whatever name, behind links, and files that git knows nothing of."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from textdates import TextDates

from .conftest import Link

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Repo

NAMES = {
    "a space": "a b.md",
    "a leading space": " a.md",
    "a trailing space": "a ",
    "a tab": "a\tb.md",
    "a line end": "a\nb.md",
    "a leading line end": "\na.md",
    "quotes": "a\"b'c.md",
    "a backslash": "a\\b.md",
    "a star": "*.md",
    "a question mark": "a?.md",
    "brackets": "[ab].md",
    "pathspec magic": ":(top)a.md",
    "a colon": ":a.md",
    "a leading dash": "-a.md",
    "a leading bang": "!a.md",
    "a leading hash": "#a.md",
    "a control character": "a\x01b.md",
    "an object id": "0" * 40,
    "a raw line": ":100644 100644 M",
    "composed letters": "\u00e9.md",
    "decomposed letters": "e\u0301.md",
    "Chinese": "\u6587\u6863/\u9875.md",
    "an emoji": "\U0001f600.md",
    "no UTF-8": "\udce9.md",
    "a long name": "long/" * 60 + "a.md",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("alone", [True, False])
def test_a_name_may_hold(repo: Repo, name: str, alone: bool) -> None:
    repo.commit(1, {name: "one"} if alone else {name: "one", "z.md": "z"})
    repo.commit(2, {"b.md": "b", "z.md": "Z"})
    assert repo.day(name) == 1
    assert repo.days("b.md", name) == {"b.md": 2, name: 1}


def test_all_names_at_once(repo: Repo) -> None:
    wanted = dict(zip(NAMES.values(), range(1, 100), strict=False))
    for name, number in wanted.items():
        repo.commit(number, {name: "text"})
    assert repo.days(*wanted) == wanted


def test_a_repository_may_lie_in_a_folder_of_any_name(
    make_repo: Callable[..., Repo], tmp_path: Path
) -> None:
    for number, name in enumerate([" a", "b\nc", 'd"e', "-f", "\u00e9", "g:h", "*", "$HOME"], 1):
        made = make_repo(name)
        made.commit(1, {"old.md": "old"})
        made.commit(number + 1, {"a.md": name})
        shallow = made.clone(f"clone of {name}", "--depth=1")
        assert made.day("a.md") == number + 1
        assert shallow.day("old.md") is None
    assert not (tmp_path / "$HOME").is_symlink()


def test_names_that_differ_by_case_are_different_files(repo: Repo) -> None:
    repo.commit(1, {"readme.md": "a"})
    repo.commit(2, {"README.md": "b"})
    assert repo.days("readme.md", "README.md") == {"readme.md": 1, "README.md": 2}
    assert repo.day("ReadMe.md") is None


def also_known_as(repo: Repo, name: str, other: str) -> None:
    """Do what a file system does that knows a file by more spellings than one."""
    os.link(repo.save().folder / name, repo.folder / other)


def test_another_spelling_of_a_file_is_found_where_the_system_finds_it(repo: Repo) -> None:
    repo.commit(1, {"Docs/ReadMe.md": "a", "caf\u00e9.md": "b"})
    repo.save()
    (repo.folder / "docs").mkdir()
    also_known_as(repo, "Docs/ReadMe.md", "docs/readme.md")
    also_known_as(repo, "caf\u00e9.md", "CAFE\u0301.md")
    assert repo.day("docs/readme.md") == 1
    assert repo.day("CAFE\u0301.md") == 1


def test_a_file_of_nearly_the_same_name_is_another_one(repo: Repo) -> None:
    repo.commit(1, {"ReadMe.md": "a"})
    (repo.save().folder / "readme.md").write_text("a")
    assert repo.day("readme.md") is None


def test_a_symbolic_link_is_as_new_as_the_newer_of_itself_and_its_target(repo: Repo) -> None:
    repo.commit(1, {"old.md": "old", "new.md": "new"})
    repo.commit(2, {"docs/to-old.md": Link("../old.md"), "docs/to-new.md": Link("../new.md")})
    repo.commit(3, {"new.md": "newer"})
    assert repo.days("docs/to-old.md", "docs/to-new.md") == {
        "docs/to-old.md": 2,
        "docs/to-new.md": 3,
    }


def test_links_to_links_and_linked_folders_are_followed(repo: Repo) -> None:
    repo.commit(1, {"source/a.md": "a", "source/b.md": "b"})
    repo.commit(2, {"docs/pages": Link("../source")})
    repo.commit(3, {"source/c.md": Link("b.md"), "source/d.md": Link("c.md")})
    repo.commit(4, {"source/b.md": "B"})
    names = "docs/pages/a.md", "docs/pages/c.md", "source/d.md", "source/a.md"
    assert list(repo.days(*names).values()) == [2, 4, 4, 1]


def test_a_link_that_git_does_not_know_changes_nothing(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", "source/b.md": "b"})
    folder = repo.save().folder
    (folder / "link.md").symlink_to("a.md")
    (folder / "docs").symlink_to("source")
    dates = TextDates()
    assert len(dates.last_changed([folder / "link.md", folder / "docs/b.md"])) == 2
    assert not dates.diagnostics


def test_a_link_that_git_does_not_know_to_a_file_outside_has_no_date(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit(1, {"a.md": "a"})
    (tmp_path / "outside.md").write_text("text")
    (repo.save().folder / "link.md").symlink_to(tmp_path / "outside.md")
    assert repo.day("link.md") is None


def test_a_link_out_of_any_repository_has_its_own_date(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("text")
    repo.commit(1, {"link.md": Link("../outside.md")})
    assert repo.day("link.md") == 1


def test_a_link_to_a_file_that_is_not_committed_has_no_date(repo: Repo) -> None:
    repo.commit(1, {"link.md": Link("target.md")})
    (repo.save().folder / "target.md").write_text("text")
    assert repo.day("link.md") is None


def test_a_link_into_another_repository(repo: Repo, make_repo: Callable[..., Repo]) -> None:
    other = make_repo("other")
    other.commit(5, {"a.md": "a"})
    other.save()
    repo.commit(1, {"link.md": Link("../other/a.md")})
    assert repo.day("link.md") == 5


def test_links_in_a_circle_have_no_date(repo: Repo) -> None:
    repo.commit(1, {"a": Link("b/x"), "b": Link("a/y"), "self": Link("self")})
    assert repo.days("a/page.md", "self/page.md") == {"a/page.md": None, "self/page.md": None}


def test_what_is_not_committed_has_no_date(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a", ".gitignore": "ignored.md"})
    repo.save()
    for name in ("untracked.md", "ignored.md", "staged.md"):
        (repo.folder / name).write_text("text")
    repo.git("add", "staged.md")
    dates = TextDates()
    names = "a.md", "untracked.md", "ignored.md", "staged.md", "missing.md", "no/folder/a.md"
    files = {name: repo.folder / name for name in names}
    assert list(dates.last_changed(files.values())) == [files["a.md"]]
    assert {dates.why_unknown(files[name]) for name in names[1:]} == {"untracked"}
    assert dates.why_unknown(files["a.md"]) == ""
    (diagnostic,) = dates.diagnostics
    assert diagnostic.id == "git-untracked"
    assert (diagnostic.detail, diagnostic.count) == ("It is ignored.md.", 5)


def test_what_is_changed_but_not_committed_has_no_date_and_that_is_told_once(repo: Repo) -> None:
    yaml = "---\ntitle: a\n---\n"
    repo.commit(1, {name: f"{yaml}{name}\n" for name in ("a.md", "b.md", "c.md", "d.md", "e.md")})
    repo.save()
    (repo.folder / "a.md").write_text(f"{yaml}changed\n")
    (repo.folder / "b.md").unlink()
    (repo.folder / "c.md").write_bytes(f"{yaml}c.md\n".replace("\n", "\r\n").encode())
    (repo.folder / "d.md").write_text(f"{yaml.replace('a', 'b')}d.md\n")
    (repo.folder / "e.md").write_text(f"{yaml}changed, too\n")
    dates = TextDates()
    files = {name: repo.folder / name for name in ("a.md", "b.md", "c.md", "d.md", "e.md")}
    found = dates.last_changed(files.values())
    assert {name for name, file in files.items() if file in found} == {"b.md", "c.md", "d.md"}
    assert dates.why_unknown(files["a.md"]) == "changed since the last commit"
    (diagnostic,) = dates.diagnostics
    assert diagnostic.id == "git-modified"
    assert (diagnostic.detail, diagnostic.count) == ("It is a.md.", 2)


def test_a_large_file_that_stands_in_place_of_its_pointer_keeps_its_date(repo: Repo) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 4\n"
    repo.commit(1, {"a.pdf": pointer})
    (repo.save().folder / "a.pdf").write_bytes(b"%PDF")
    assert repo.days("a.pdf") == {"a.pdf": 1}


def test_files_may_be_named_from_the_current_folder(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"docs/a.md": "a", "b.md": "b"})
    monkeypatch.chdir(repo.save().folder / "docs")
    found = TextDates().last_changed([Path("a.md"), Path("../b.md"), Path("../docs/../b.md")])
    assert len(found) == 3


def test_a_name_that_no_file_can_have_has_no_date(repo: Repo, tmp_path: Path) -> None:
    repo.commit(1, {"a.md": "a"})
    long = "long" * 100
    assert repo.days(f"{long}/a.md", f"{long}.md") == {f"{long}/a.md": None, f"{long}.md": None}
    assert not TextDates().last_changed([tmp_path / long / "a.md"])


def test_git_s_own_files_have_no_date(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    assert repo.days(".git/HEAD", ".git/refs/heads/main") == {
        ".git/HEAD": None,
        ".git/refs/heads/main": None,
    }
