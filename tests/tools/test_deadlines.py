"""A command ends within its time whatever there is much of: pages, texts, commits, comparisons."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import click
import pytest

from sitemapkit_tools.bounds import Budget, OverBudgetError
from sitemapkit_tools.cli import cli

from .conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BASE = "https://example.org/"
URL = ("--base-url", BASE)

COMMANDS = {
    "check": (("check", "new", *URL), 1),
    "diff": (("diff", "old", "new"), 4),
    "diff of contents": (("diff", "old", "new", "--content"), 4),
    "merge": (("merge", "old", "new", "--out", ".", *URL), 2),
    "submit": (("submit", "old", "new", "--content", "--dry-run"), 2),
}
"""What is run, and how often it asks the time for each ten pages: pages are read in tens."""

WITHOUT = {"build", "explain"}
"""Commands that wait for nobody."""


def put(folder: Path, pages: int, name: str) -> None:
    """Write a site of pages with many words in common, and its sitemap."""
    words = " ".join(f"word{number}" for number in range(30))
    for number in range(pages):
        text = f"<!doctype html><title>{number}</title><p>{words} {number} {name}"
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / f"{name}{number}.html").write_text(text)
    (folder / name / "index.html").write_text("<!doctype html><title>Home</title><p>Home")
    assert run("build", folder / name, *URL).code == 0


@pytest.fixture
def sites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return the function that makes two sites in the current folder; the old one is a branch."""

    def make(pages: int) -> None:
        folder = tmp_path / str(pages)
        for name in ("old", "new"):
            put(folder, pages, name)
        monkeypatch.chdir(folder)
        stream = b""
        for number in range(pages):
            text = (folder / "old" / f"old{number}.html").read_bytes()
            stream += b"commit refs/heads/main\ncommitter a <a@b> %d +0000\n" % (10**9 + number)
            stream += b"data 0\nM 100644 inline old%d.html\ndata %d\n%b\n" % (
                number,
                len(text),
                text,
            )
        subprocess.run(["git", "init", "-q", "-b", "main"], check=True)
        subprocess.run(["git", "fast-import", "--quiet"], input=stream, check=True)

    return make


class Asked:
    """Counts how often the time is asked, and says that it is over from some time on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, over: float = float("inf")) -> None:
        self.count = 0

        def check(_: Budget) -> None:
            self.count += 1
            if self.count >= over:
                raise OverBudgetError("time is over")

        monkeypatch.setattr(Budget, "check", check)


@pytest.mark.parametrize(("arguments", "asks"), COMMANDS.values(), ids=COMMANDS)
def test_the_time_is_asked_as_often_as_there_are_pages_and_ends_the_command(
    sites: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    asks: int,
) -> None:
    counts: list[int] = []
    for size in (10, 40):
        sites(size)
        asked = Asked(monkeypatch)
        assert "Traceback" not in run(*arguments).stderr
        counts.append(asked.count)
    assert counts[1] - counts[0] >= 3 * asks
    for over in (1, counts[1] // 2, counts[1]):
        Asked(monkeypatch, over)
        outcome = run(*arguments)
        assert "time is over" in outcome.stdout + outcome.stderr


def test_who_adds_a_command_with_a_deadline_says_what_asks_it() -> None:
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    timed = {
        name
        for name, command in commands.items()
        if command and any(each.name == "max_time" for each in command.params)
    }
    assert timed == {arguments[0] for arguments, _ in COMMANDS.values()}
    assert commands.keys() - timed == WITHOUT
