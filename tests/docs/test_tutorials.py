"""The tutorials, followed word for word by somebody who has nothing yet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .reader import PAGES, ROOT, Reader, home


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of this checkout, where pip finds it before any index."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    return folder


@pytest.mark.parametrize("generator", ["mkdocs", "pelican", "sphinx"])
def test_a_newcomer_gets_what_the_tutorial_shows(
    generator: str, wheels: Path, tmp_path: Path
) -> None:
    environment = home(tmp_path, Path(sys.executable).resolve().parent)
    newcomer = Reader(tmp_path, environment | {"PIP_FIND_LINKS": str(wheels)})
    newcomer.follow(PAGES / f"tutorial-{generator}.md")
    assert newcomer.compared == 2
