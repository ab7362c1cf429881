"""Pipes, devices, links and very large files where a repository should have a file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from textdates import Rules, TextDates
from textdates.git import blobs, command, ignored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Repo

LIST = ".git-blame-ignore-revs"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no such files")


def pipe(file: Path) -> None:
    os.mkfifo(file)


def endless(file: Path) -> None:
    file.symlink_to("/dev/zero")


def environment(file: Path) -> None:
    file.symlink_to("/proc/self/environ")


def loop(file: Path) -> None:
    file.symlink_to(file.name)


def a_folder(file: Path) -> None:
    file.mkdir()


UNFIT = [pipe, endless, environment, loop, a_folder]


@pytest.fixture
def site(repo: Repo) -> Repo:
    repo.commit(1, {"a.md": "one two"})
    repo.commit(2, {"a.md": "one two three"})
    return repo.save()


@pytest.mark.parametrize("make", UNFIT)
@pytest.mark.parametrize("rules", [Rules(), Rules(ignore_revs=LIST)], ids=["default", "named"])
def test_a_list_of_commits_that_is_no_file_is_left_out_with_a_note(
    site: Repo, make: Callable[[Path], None], rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    make(site.folder / LIST)
    dates = TextDates(rules)
    found = dates.last_changed([site.folder / "a.md"])
    assert [date.day for date in found.values()] == [2]
    assert [each.id for each in dates.diagnostics] in (["git-ignore-revs"], [])
    assert "secret" not in str(dates.diagnostics)


def test_a_list_that_nobody_named_is_not_read_outside_the_repository(
    site: Repo, tmp_path: Path
) -> None:
    (tmp_path / "private").write_text("password\n")
    (site.folder / LIST).symlink_to(tmp_path / "private")
    dates = TextDates()
    assert dates.last_changed([site.folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert diagnostic.detail == (
        f"{site.folder / LIST}: a symbolic link leads out of {site.folder}."
    )


def test_a_list_may_be_a_link_within_the_repository(site: Repo) -> None:
    (site.folder / "etc").mkdir()
    (site.folder / "etc" / "bulk").write_text(site.id(2))
    (site.folder / LIST).symlink_to("etc/bulk")
    assert site.day("a.md") == 1


def test_what_a_bad_line_says_is_not_told(site: Repo, tmp_path: Path) -> None:
    (tmp_path / "private").write_text("# Keys\n\npassword\n")
    dates = TextDates(Rules(ignore_revs=[str(tmp_path / "private")]))
    assert dates.last_changed([site.folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert diagnostic.detail == f"{tmp_path / 'private'}: line 3 is not a full commit ID."


def test_a_list_of_many_megabytes_is_left_out_with_a_note(
    site: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ignored, "MAX_LIST", 50)
    (site.folder / LIST).write_text(f"{site.id(2)}\n" * 2)
    dates = TextDates()
    assert dates.last_changed([site.folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert diagnostic.detail.endswith(f"{LIST}: it has more than 50 bytes.")


@pytest.mark.parametrize("name", ["config", "HEAD", "packed-refs", "shallow"])
@pytest.mark.parametrize("make", [pipe, endless])
def test_a_repository_whose_own_files_are_none_has_no_dates(
    site: Repo, name: str, make: Callable[[Path], None]
) -> None:
    site.git("pack-refs", "--all")
    file = site.folder / ".git" / name
    file.unlink(missing_ok=True)
    make(file)
    dates = TextDates()
    start = time.monotonic()
    dates.start(site.folder)
    assert not dates.last_changed([site.folder / "a.md"])
    assert time.monotonic() - start < 20
    if name != "HEAD":  # without one there is no repository
        (diagnostic,) = dates.diagnostics
        assert diagnostic.id == "git-failed"
        assert "it is a pipe or device, not a file" in diagnostic.detail


@pytest.mark.parametrize("make", [pipe, endless])
def test_a_page_that_is_no_file_keeps_its_date(site: Repo, make: Callable[[Path], None]) -> None:
    (site.folder / "a.md").unlink()
    make(site.folder / "a.md")
    start = time.monotonic()
    assert TextDates().last_changed([site.folder / "a.md"]) is not None
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("early", [False, True])
def test_git_that_says_nothing_is_not_waited_for(
    site: Repo, monkeypatch: pytest.MonkeyPatch, early: bool
) -> None:
    monkeypatch.setattr(command, "PATIENCE", 0.5)
    pipe(site.folder / ".git" / "objects" / "info" / "alternates")
    dates = TextDates()
    if early:
        dates.start(site.folder)
    assert not dates.last_changed([site.folder / "a.md"])
    (diagnostic,) = dates.diagnostics
    assert "git was silent" in diagnostic.detail


def test_one_note_says_how_many_texts_are_too_long_to_be_compared(repo: Repo) -> None:
    long, picture = "word " * 450_000, b"\0" * 2_200_000
    repo.commit(1, {"a.md": long, "b.md": f"{long}b", "c.png": picture, "d.md": "a b"})
    repo.commit(
        2, {"a.md": f"{long}\n", "b.md": f"{long}b\n", "c.png": picture + b"\0", "d.md": "a  b"}
    )
    repo.save()
    dates = TextDates()
    found = dates.last_changed([repo.folder / name for name in ("a.md", "b.md", "c.png", "d.md")])
    assert [date.day for date in found.values()] == [2, 2, 2, 1]
    (diagnostic,) = dates.diagnostics
    assert diagnostic.id == "git-budget"
    assert diagnostic.detail.startswith("4 times a comparison would need more than 2,097,152 bytes")


def compared(repo: Repo) -> list[str]:
    """Make texts that change in their marks alone, and return their names."""
    names = [f"{number}.md" for number in range(40)]
    for day in (1, 2, 3):
        repo.commit(day, {name: f"a{' ' * day}word *{name}*" for name in names})
    return names


def moved(repo: Repo) -> list[str]:
    """Make texts that get other names and front matter on two days, and return these names."""
    texts = {n: " ".join(f"w{n}x{word}" for word in range(20)) for n in range(80)}
    repo.commit(1, {f"a{n}.md": text for n, text in texts.items()})
    names: list[str] = []
    for some in (range(40), range(40, 80)):
        new = {f"{n}b.md": f"---\ntitle: {n}\n---\n{texts[n]}" for n in some}
        repo.commit(2, {**new, **{f"a{n}.md": None for n in some}})
        names += new
    return names


@pytest.mark.parametrize(
    ("make", "limit"),
    [
        (compared, "limits['read'] = limits['read']._replace(build=1_500)"),
        (moved, "limits['renamed'] = limits['renamed']._replace(build=150)"),
    ],
)
def test_the_same_sources_have_the_same_dates_where_the_budget_ends(
    repo: Repo, make: Callable[[Repo], list[str]], limit: str
) -> None:
    program = (
        "import sys; from pathlib import Path; from textdates import TextDates, budget, dates\n"
        f"limits = {{**budget.LIMITS}}; {limit}\n"
        "dates.Budget = lambda: budget.Budget(limits)\n"
        "found = TextDates().last_changed([*map(Path, sys.argv[1:])])\n"
        "print(sorted((file.name, str(date)) for file, date in found.items()))"
    )
    names = make(repo)
    repo.save()
    said = {
        subprocess.run(
            [sys.executable, "-c", program, *(repo.folder / name for name in names)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in "1234"
    }
    assert len(said) == 1
    assert {"2024-01-02", "2024-01-01"} <= set(said.pop().replace("'", " ").split())


def test_a_file_too_large_to_be_read_to_its_end_has_no_date(
    site: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blobs, "MAX_HASHED", 5)
    monkeypatch.setattr(blobs, "MAX_TEXT", 3)
    assert site.day("a.md") is None
