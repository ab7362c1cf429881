"""Real git repositories, made by nobody in particular, whatever the settings of their user."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEFT_BEHIND = (".git", ".venv", ".tox", ".cache", ".*_cache", ".hypothesis", "__pycache__")
"""What tools leave in a working copy of this project."""
NOBODY = {
    "GIT_AUTHOR_NAME": "Nobody",
    "GIT_AUTHOR_EMAIL": "nobody@example.org",
    "GIT_COMMITTER_NAME": "Nobody",
    "GIT_COMMITTER_EMAIL": "nobody@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(folder: Path, *arguments: str, date: str = "2020-01-01T00:00:00Z") -> str:
    """Run git in the folder at `date`; return what it prints."""
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **NOBODY, **dates},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def commit(
    folder: Path, date: str = "2020-01-01T00:00:00Z", *paths: str, message: str = "Change"
) -> None:
    """Commit the paths, or everything, at `date`; the repository is made when it is missing."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--force", *(paths or (".",)))
    git(folder, "commit", "--quiet", f"--message={message}", date=date)


def copy_of_this_project(parent: Path) -> Path:
    """Copy this project, as it is now, into a folder."""
    ignored = shutil.ignore_patterns(*LEFT_BEHIND)
    return shutil.copytree(ROOT, parent / "sitemapkit", ignore=ignored)
