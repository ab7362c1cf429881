"""What a build knows of texts that are as in the commit, the next build does not look for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from textdates import Known, Part, Rules, TextDates
from textdates.git import command
from textdates.parts import Headings

if TYPE_CHECKING:
    from .conftest import Repo


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What git is asked for from now on."""
    found: list[str] = []
    spawn = command._spawn

    def noting(root: str, arguments: list[str], **options: int) -> object:
        found.append(next(each for each in arguments if not each.startswith("-")))
        return spawn(root, arguments, **options)

    monkeypatch.setattr(command, "_spawn", noting)
    return found


def build(repo: Repo, known: Known, **rules: str) -> tuple[list[int | str], list[str]]:
    """Return the days of the files and a part, and what limits them, as a build finds them."""
    dates = TextDates(Rules(**rules), known)
    dates.start(repo.folder)
    files = [repo.folder / name for name in ("a.md", "b.md", "new.md")]
    asked = [*files, Part(files[0], Headings(1))]
    found = dates.last_changed(asked)
    days = [found[each].day if each in found else dates.why_unknown(each) for each in asked]
    return days, [each.id for each in dates.diagnostics]


def test_what_is_known_is_not_looked_for_again(repo: Repo, asked: list[str]) -> None:
    repo.commit(1, {"a.md": "# Tea\n", "b.md": "b"})
    repo.commit(2, {"a.md": "# Tea\n\nMilk.\n", "new.md": "new"})
    repo.save()
    known: Known = {}
    first = build(repo, known)
    assert first == ([2, 1, 2, 1], [])
    kept = msgspec.json.decode(msgspec.json.encode(known), type=Known)
    for each in (known, kept):
        assert "log" in asked
        asked.clear()
        assert build(repo, each) == first
        assert "log" not in asked
        asked.append("log")


def test_what_is_edited_or_new_is_judged_anew_and_a_commit_ends_what_is_known(repo: Repo) -> None:
    repo.commit(1, {"a.md": "# Tea\n", "b.md": "b"})
    repo.save()
    known: Known = {}
    new = repo.folder / "new.md"
    new.write_text("new")
    assert build(repo, known) == ([1, 1, "untracked", 1], ["git-untracked"])
    (repo.folder / "a.md").write_text("# Tea\n\nMilk.\n")
    edited = "changed since the last commit"
    assert build(repo, known)[0] == [edited, 1, "untracked", 1]
    repo.commit(3, {"a.md": "# Tea\n\nMilk.\n", "new.md": "new"})
    new.unlink()
    repo.save()
    assert build(repo, known) == ([3, 1, 3, 1], [])
    assert build(repo, known) == ([3, 1, 3, 1], [])


def test_other_rules_and_more_history_end_what_is_known(repo: Repo) -> None:
    repo.commit(1, {"a.md": "# Tea\n", "b.md": "b"})
    link = "# Tea\n\n[Milk](https://example.org/milk)\n"
    repo.commit(2, {"a.md": link, "b.md": "B"})
    last = repo.commit(3, {"a.md": link.replace("https://example.org", ""), "b.md": "bb"})
    repo.save()
    known: Known = {}
    assert build(repo, known)[0] == [3, 3, "untracked", 1]
    assert build(repo, known, base="https://example.org/")[0] == [2, 3, "untracked", 1]
    (repo.folder / ".git-blame-ignore-revs").write_text(repo.id(last))
    assert build(repo, known)[0] == [2, 2, "untracked", 1]
    shallow = repo.clone("shallow", "--depth=1")
    beyond = "the shallow clone does not reach its last change"
    for _ in range(2):
        assert build(shallow, known) == (
            [beyond, beyond, "untracked", beyond],
            ["git-untracked", "git-shallow"],
        )
    shallow.git("fetch", "-q", "--unshallow")
    assert build(shallow, known)[0] == [3, 3, "untracked", 1]
