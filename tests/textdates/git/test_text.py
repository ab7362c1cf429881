"""Commits that leave the words of a page alone do not move its date."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from textdates.git import blobs, command

from .conftest import Link, Moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .conftest import Repo

YAML = "---\ntitle: A\ntags: [b]\n---\n"
BODY = "# One\n\nTwo three.\n"


def test_only_a_change_that_readers_see_moves_a_date(repo: Repo) -> None:
    repo.commit(1, {"a.md": BODY, "b.md": BODY, "c.bin": b"\0 \0\0"})
    repo.commit(2, {"a.md": YAML + BODY, "b.md": BODY.replace("Two", "2"), "c.bin": b"\0\0 \0"})
    assert repo.days("a.md", "b.md", "c.bin") == {"a.md": 1, "b.md": 2, "c.bin": 2}
    assert repo.day("a.md", bodies=False) == 2


def test_lm2_a_sweep_over_the_front_matter_moves_no_date(repo: Repo) -> None:
    names = [f"{number}.md" for number in range(300)]
    for number, name in enumerate(names):
        repo.commit(1 + number, {name: f"text of {name}"})
    repo.commit(400, {name: YAML + f"text of {name}" for name in names[:-1]} | {"299.md": "new"})
    repo.commit(401, {name: f"text  of  {name}" for name in names[:-1]})
    assert repo.days(*names) == {name: 1 + n for n, name in enumerate(names)} | {"299.md": 400}


def test_a_sweep_that_was_merged_moves_no_date(repo: Repo) -> None:
    base = repo.commit(1, {"a.md": "a"})
    topic = repo.commit(2, {"a.md": YAML + "a"})
    main = repo.commit(3, {"b.md": "b"}, after=(base,))
    repo.commit(10, {"a.md": YAML + "a"}, after=(main, topic))
    assert repo.day("a.md") == 1


def test_a_rename_between_sweeps_is_followed(repo: Repo) -> None:
    repo.commit(1, {"src/a.md": "a"})
    repo.commit(2, {"src/a.md": YAML + "a"})
    repo.commit(3, {"docs/a.md": Moved("src/a.md")})
    repo.commit(4, {"docs/a.md": "a\n"})
    assert repo.day("docs/a.md") == 1


SAID = "\n\n".join(f"This is sentence number {number}." for number in range(9))


@pytest.mark.parametrize("old", ["docs/dev/a.md", "pages/a.md"])
@pytest.mark.parametrize(("text", "day"), [(YAML + SAID, 1), (YAML + "b", 2)])
def test_a_move_with_new_front_matter_is_followed(
    repo: Repo, old: str, text: str, day: int
) -> None:
    repo.commit(1, {old: SAID, "docs/b/a.txt": "other", "code.py": "1"})
    repo.commit(2, {old: None, "docs/release/a.md": text})
    assert repo.days("docs/release/a.md", "docs/b/a.txt") == {
        "docs/release/a.md": day,
        "docs/b/a.txt": 1,
    }


def test_files_of_one_name_are_followed_into_folders_of_the_same_name(repo: Repo) -> None:
    repo.commit(1, {"docs/one/index.md": SAID, "docs/two/index.md": f"Two\n\n{SAID}"})
    repo.commit(
        2,
        {
            "docs/one/index.md": None,
            "docs/two/index.md": None,
            "docs/en/one/index.md": YAML + SAID,
            "docs/en/two/index.md": f"{YAML}New\n\n{SAID}",
        },
    )
    assert repo.days("docs/en/one/index.md", "docs/en/two/index.md") == {
        "docs/en/one/index.md": 1,
        "docs/en/two/index.md": 2,
    }


def test_a_move_of_one_of_several_files_that_say_the_same_is_followed(repo: Repo) -> None:
    repo.commit(1, {"a/index.md": SAID, "b/index.md": SAID})
    repo.commit(2, {"a/index.md": None, "b/index.md": None, "c/index.md": YAML + SAID})
    assert repo.day("c/index.md") == 1


@pytest.mark.slow
def test_large_texts_are_compared(repo: Repo) -> None:
    names = [f"{number}.md" for number in range(5)]
    repo.commit(1, {name: name + " words" * 200_000 for name in names})
    repo.commit(2, {name: name + "  words" * 200_000 for name in names})
    assert repo.days(*names) == dict.fromkeys(names, 1)


@pytest.fixture
def within_half_a_minute() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError

    if sys.platform == "win32":  # it has no alarm: what never ends is stopped with the job
        yield
        return
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(30)
    yield
    signal.alarm(0)


NEVER_ENDING = {
    "YAML": ("a.md", "---\r\n", "line\r\n"),
    "TOML": ("a.md", "+++\r\n", "line\r\n"),
    "header": ("a.md", "Title: A\r\n", "Key: value\r\n"),
    "header of long values": ("a.md", "Title: A\r\n", "    more\r\n"),
    "fields": ("a.rst", "", ":key: value\r\n"),
    "fields of long values": ("a.rst", ":key: value\r\n", "    more\r\n"),
}


@pytest.mark.usefixtures("within_half_a_minute")
@pytest.mark.parametrize(("name", "first", "line"), NEVER_ENDING.values(), ids=NEVER_ENDING)
def test_front_matter_without_an_end_is_read_in_no_time(
    repo: Repo, name: str, first: str, line: str
) -> None:
    repo.commit(1, {name: first + 1_000 * line + "one"})
    repo.commit(2, {name: first + 1_000 * line + "two"})
    assert repo.day(name) == 2


@pytest.mark.usefixtures("within_half_a_minute")
@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the size of a pipe is not ours to set"
)
def test_small_pipes_do_not_make_git_and_us_wait_for_each_other(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def start_git(*arguments: Any, **options: Any) -> command.GitProcess:
        git = command.start_git(*arguments, **options)
        for pipe in filter(None, (git.process.stdin, git.process.stdout)):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 4096)
        return git

    monkeypatch.setattr(blobs, "start_git", start_git)
    names = [f"{number}.md" for number in range(200)]
    repo.commit(1, {name: name + " words" * 2_000 for name in names})
    repo.commit(2, {name: name + "  words" * 2_000 for name in names})
    assert repo.days(*names) == dict.fromkeys(names, 1)


def test_a_link_that_points_elsewhere_changed(repo: Repo) -> None:
    repo.commit(1, {"a b": "one", "a  b": "two"})
    repo.commit(1, {"link": Link("a b")})
    repo.commit(2, {"link": Link("a  b")})
    assert repo.day("link") == 2


@pytest.mark.parametrize("rest", [None, b"no object"])
def test_a_text_that_is_lost_counts_as_changed(repo: Repo, rest: bytes | None) -> None:
    repo.commit(1, {"a.md": "one", "b.md": "b"})
    repo.commit(2, {"a.md": "one\n", "b.md": "b\n"})
    lost = repo.save().git("rev-parse", "HEAD^:a.md")
    file = repo.folder / ".git" / "objects" / lost[:2] / lost[2:]
    file.unlink()
    if rest:
        file.write_bytes(rest)
    assert repo.days("a.md", "b.md") == {"a.md": 2, "b.md": 1}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory")
@pytest.mark.parametrize("day", [1, 2])
def test_a_huge_text_takes_little_memory(repo: Repo, day: int) -> None:
    repo.commit(1, {"a.md": "Title: x\n" + "a:\n" * 10_000_000 * 3})
    if day == 2:
        repo.commit(2, {"a.md": "# a"})
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from textdates import TextDates\n"
        "(date,) = TextDates().last_changed([Path(sys.argv[1], 'a.md')]).values()\n"
        "print(date.day, Path('/proc/self/status').read_text())\n"
    )
    command = [sys.executable, "-c", code, str(repo.save().folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.startswith(f"{day} ")
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert int(kilobytes) < 100 * 1024
