"""The hook for pre-commit, installed and run by pre-commit itself."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..docs.reader import home
from ..repository import copy_of_this_project

if TYPE_CHECKING:
    from ..tools.conftest import Site

ROOT = Path(__file__).parents[2]
CONFIG = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: sitemapkit-check
        args: [site]
"""

PRE_COMMIT = [sys.executable, "-m", "pre_commit"]


def test_pre_commit_takes_the_hook() -> None:
    command = [*PRE_COMMIT, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    subprocess.run(command, check=True)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps what it has installed."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of this project, as it is now."""
    copy = copy_of_this_project(tmp_path_factory.mktemp("clone"))
    git(copy, "init --quiet")
    git(copy, "add .")
    git(copy, "commit --quiet --message Now")
    return copy


def git(folder: Path, arguments: str) -> str:
    command = ["git", *arguments.split()]
    environment = home(folder.parent)
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().strip()


def push(folder: Path, repository: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    """Do what `git push` does where the hook is installed."""
    if not (folder / ".git").exists():
        git(folder, "init --quiet")
    revision = git(repository, "rev-parse HEAD")
    config = CONFIG.format(repository=repository, revision=revision)
    (folder / ".pre-commit-config.yaml").write_text(config)
    git(folder, "add .pre-commit-config.yaml")
    return subprocess.run(
        [*PRE_COMMIT, "run", "--hook-stage", "pre-push", "--all-files"],
        cwd=folder,
        env=home(folder.parent, Path(sysconfig.get_path("scripts")))
        | {"PRE_COMMIT_HOME": str(cache)}
        | {name: value for name, value in os.environ.items() if name == "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.environment
def test_a_right_site_can_be_pushed(good: Site, repository: Path, cache: Path) -> None:
    done = push(good.root.parent, repository, cache)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.environment
def test_a_wrong_site_cannot_be_pushed(bad: Site, repository: Path, cache: Path) -> None:
    done = push(bad.root.parent, repository, cache)
    assert done.returncode == 1
    assert "Fix:" in done.stdout


@pytest.mark.environment
def test_a_site_that_is_not_built_says_so(tmp_path: Path, repository: Path, cache: Path) -> None:
    done = push(tmp_path, repository, cache)
    assert done.returncode == 1
    assert "no such folder: 'site': pass the folder that your generator writes" in done.stdout
