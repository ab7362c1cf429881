"""Files that a build makes, and not an author: what git ignores, and what is gone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from textdates import TextDates

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Repo

NAMES = ("a.md", "a b.md", "ä.md", ":(x).md", "-a.md", "!a.md", "#a.md", "sub/a.md", "'a'.md")


@pytest.fixture
def ignoring(repo: Repo) -> Repo:
    """A repository that ignores a folder, and has a file in it all the same."""
    repo.commit(1, {".gitignore": "/api\n*.tmp\n", "own.md": "one", "api/kept.md": "one"})
    repo.save()
    for folder in ("api", "docs"):
        for name in NAMES:
            path = repo.folder / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("made")
    return repo


def made(folder: Path, *names: str) -> set[str]:
    files = [str(folder / name) for name in names]
    return {os.path.relpath(each, folder) for each in TextDates().made(files)}


def test_what_git_ignores_is_made(ignoring: Repo) -> None:
    names = [f"{folder}/{name}" for folder in ("api", "docs") for name in NAMES]
    assert made(ignoring.folder, *names) == {f"api/{name}" for name in NAMES}


def test_what_is_gone_is_made_and_what_git_tracks_is_not(ignoring: Repo) -> None:
    names = ("own.md", "api/kept.md", "docs/gone.md", "b.tmp")
    (ignoring.folder / "b.tmp").write_text("made")
    assert made(ignoring.folder, *names) == {"docs/gone.md", "b.tmp"}


@pytest.mark.parametrize("name", ["outside.md", "repo/a.md"])
def test_where_git_says_nothing_no_file_is_made(tmp_path: Path, name: str) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").write_text("broken")
    (tmp_path / name).write_text("text")
    assert made(tmp_path, name) == set()
