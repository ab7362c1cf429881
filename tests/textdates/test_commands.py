"""Which files of a repository say what commands print."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from textdates.parts import functions_behind, module_files

if TYPE_CHECKING:
    from pathlib import Path

FILES = (
    "src/tea/__init__.py",
    "src/tea/__main__.py",
    "src/tea/green.py",
    "src/pot.py",
    "docs/a.md",
)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The folder of the texts of a repository."""
    for name in (".git/HEAD", *FILES):
        tmp_path.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        tmp_path.joinpath(name).write_text("ref: refs/heads/main")
    return tmp_path / "docs"


TEA = ["src/tea/__init__.py", "src/tea/__main__.py"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("tea", TEA), ("tea.green", ["src/tea/green.py"]), ("pot", ["src/pot.py"])],
)
def test_a_module_of_the_repository_is_found(docs: Path, name: str, expected: list[str]) -> None:
    found = [file.removeprefix(f"{docs.parent}/") for file in module_files(name, docs)]
    assert found == expected


@pytest.mark.parametrize("name", ["", "..", "json", "tea.no"])
def test_a_module_that_the_repository_does_not_have_has_no_file(docs: Path, name: str) -> None:
    assert module_files(name, docs) == []


def test_a_copy_that_a_build_made_is_no_file_of_a_module(docs: Path) -> None:
    subprocess.run(["git", "init", "-q", str(docs.parent)], check=True)
    docs.with_name(".gitignore").write_text("build\n.venv\n")
    for copy in ("build/lib", ".venv/src"):
        shutil.copytree(docs.parent / "src", docs.parent / copy)
    assert module_files("pot", docs) == [str(docs.parent / "src/pot.py")]


def test_a_command_that_cannot_be_imported_says_so() -> None:
    with pytest.raises(ModuleNotFoundError):
        list(functions_behind("no_such_module", "main"))
