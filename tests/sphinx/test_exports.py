"""Builds of a commit that a tool has exported, outside of any repository."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site


def test_an_export_has_no_dates_and_the_build_says_what_to_do(
    site: Callable[..., Site], tmp_path: Path
) -> None:
    project = site("a", "b")
    project.commit("2021-01-01T00:00:00Z")
    head = ["git", "rev-parse", "HEAD"]
    commit = subprocess.check_output(head, cwd=project.root, text=True).strip()
    exported = tmp_path / commit  # as sphinx-multiversion names it
    exported.mkdir()
    archive = subprocess.check_output(["git", "archive", commit], cwd=project.root)
    subprocess.run(["tar", "x", "-C", str(exported)], input=archive, check=True)
    command = [sys.executable, "-m", "sphinx", "-W", "-c", str(project.docs)]
    folders = [str(exported / "docs"), str(project.out())]
    build = subprocess.run(
        [*command, *folders], cwd=exported, check=True, capture_output=True, text=True
    )
    assert {entry.get("lastmod") for entry in project.entries().values()} == {None}
    assert "build from a clone instead of a copy" in build.stdout
