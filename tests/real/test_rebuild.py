"""A small site is rebuilt commit by commit: its true dates are known, and so are the wrong ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

REBUILD = Path(__file__).with_name("rebuild.py")
BASE = "https://example.org/"
MKDOCS = f"site_name: Tea\nsite_url: {BASE}\nplugins: [sitemapkit]\n"


def commit(folder: Path, files: dict[str, str], day: int) -> None:
    """Commit files on a day of January 2024, at noon."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    when = f"2024-01-{day:02}T12:00:00Z"
    environment = {**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (["add", "-A"], [*who, "commit", "-qm", "Change"]):
        subprocess.run(["git", *command], cwd=folder, env=environment, check=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tea")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    old, new = "---\nlastmod: 2020-01-01\n---\n# Old\n", "---\nlastmod: 2024-01-04\n---\n# New\n"
    pages = {"index": "# Tea\n", "right": "# Right\n\n*Two* cups.\n", "old": old, "new": new}
    files = {f"docs/{name}.md": text for name, text in pages.items()}
    commit(folder, {"mkdocs.yml": MKDOCS, "docs/late.md": "# Late\n", **files}, day=1)
    right = "# Right\n\n*Three* [cups](http://example.com).\n"
    commit(folder, {"docs/right.md": right, "docs/old.md": f"{old}\nMore.\n"}, day=2)
    commit(folder, {"docs/right.md": right.replace("*", "_").replace("http:", "https:")}, day=3)
    commit(
        folder, {"mkdocs.yml": "broken: [", "docs/late.md": "# Late\n\n[Tea](index.md)\n"}, day=4
    )
    commit(folder, {"mkdocs.yml": MKDOCS}, day=5)
    return folder


def rebuild(repository: Path, *options: str) -> subprocess.CompletedProcess[str]:
    build = f"{sys.executable} -m mkdocs build -q -d {{out}}"
    command = [
        sys.executable,
        str(REBUILD),
        str(repository),
        "--build",
        build,
        "--base-url",
        BASE,
        *options,
    ]
    return subprocess.run(command, capture_output=True, check=False, text=True)


def test_wrong_dates_are_told_from_right_ones(repository: Path) -> None:
    done = rebuild(repository)
    *wrong, summary = done.stdout.splitlines()
    assert [line.rpartition(" (")[0] for line in wrong] == [
        f"too new: {BASE}new/ says 2024-01-04, changed 2024-01-01 or earlier",
        f"too old: {BASE}old/ says 2020-01-01, changed 2024-01-02",
    ]
    assert summary == "3 right, 1 too old, 1 too new, 0 undated"
    assert "cannot be built" in done.stderr
    assert done.returncode == 1


def test_what_is_older_than_the_commits_built_may_have_any_older_date(repository: Path) -> None:
    done = rebuild(repository, "--commits", "1")
    assert done.stdout == "5 right, 0 too old, 0 too new, 0 undated\n"
    assert done.returncode == 0


def test_a_command_that_builds_elsewhere_is_refused(repository: Path) -> None:
    command = [
        sys.executable,
        str(REBUILD),
        str(repository),
        "--build",
        "make html",
        "--base-url",
        BASE,
    ]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "--build names no {out}" in done.stderr
