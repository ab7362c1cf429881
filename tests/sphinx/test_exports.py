"""Builds of a commit that a tool has exported: dated by the repository, as of that commit."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

FIRST, SECOND, THIRD = "2021-01-01T00:00:00Z", "2022-02-02T00:00:00Z", "2023-03-03T00:00:00Z"


def git(site: Site, *arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=site.root, text=True).strip()


def export(site: Site, revision: str, folder: Path) -> Path:
    """Do as sphinx-multiversion: export a revision to a folder with the name of its object."""
    target = folder / git(site, "rev-parse", revision)
    target.mkdir()
    archive = subprocess.check_output(["git", "archive", revision], cwd=site.root)
    subprocess.run(["tar", "x", "-C", str(target)], input=archive, check=True)
    return target


def build(site: Site, exported: Path) -> dict[str, str | None]:
    """Build an export with the conf.py of the repository."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-c", str(site.docs)]
    subprocess.run([*command, str(exported / "docs"), str(site.out())], cwd=exported, check=True)
    return {path: entry.get("lastmod") for path, entry in site.entries().items()}


@pytest.fixture
def released(site: Callable[..., Site]) -> Site:
    """A site with a release, after which a page changed and one was added."""
    project = site("a", "b")
    project.commit(FIRST)
    project.document("a", head=":orphan:", body="More.")
    project.commit(SECOND)
    project.git("tag", "--annotate", "--message=x", "v1")
    project.document("b", head=":orphan:", body="More.")
    project.document("c", head=":orphan:")
    project.commit(THIRD)
    return project


@pytest.mark.parametrize("revision", ["v1", "v1^{commit}"])
def test_an_export_is_dated_by_its_repository_as_of_the_exported_commit(
    released: Site, tmp_path: Path, revision: str
) -> None:
    exported = export(released, revision, tmp_path)
    assert build(released, exported) == {"a.html": SECOND, "b.html": FIRST, "index.html": FIRST}
    assert git(released, "status", "--porcelain", "--untracked-files=no") == ""
    assert git(released, "worktree", "list").count("\n") == 0
    assert build(released, exported)["a.html"] == SECOND


def test_an_export_of_a_shallow_clone_has_the_dates_that_the_clone_knows(
    released: Site, tmp_path: Path
) -> None:
    whole = released.root.with_name("whole")
    released.root.rename(whole)
    released.root.mkdir()
    released.git("clone", "--quiet", "--depth=1", whole.as_uri(), ".")
    dates = build(released, export(released, "HEAD", tmp_path))
    assert {*dates.values()} == {None}


def test_a_folder_that_is_only_named_like_a_commit_has_no_dates(
    released: Site, tmp_path: Path
) -> None:
    exported = export(released, "v1", tmp_path).rename(tmp_path / ("0123456789" * 4))
    assert {*build(released, exported).values()} == {None}
    assert not (exported / ".git").exists()
