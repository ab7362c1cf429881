"""Which files of a repository code and commands name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from textdates.parts import functions_behind, module_files, named_files

if TYPE_CHECKING:
    from pathlib import Path

FILES = (
    *("src/tea/__init__.py", "src/tea/__main__.py", "src/tea/green.py", "src/pot.py"),
    *("scripts/say.py", "docs/make.sh", "docs/index.md"),
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
    ("code", "expected"),
    [
        ("python ../scripts/say.py --loud", ["scripts/say.py"]),
        ("python scripts/say.py", ["scripts/say.py"]),
        ("./make.sh | head", ["docs/make.sh"]),
        ("python -m tea --help", TEA),
        ("env A=1 python -m tea.green", ["src/tea/green.py"]),
        ("import tea.green as g\nprint(g)", ["src/tea/green.py"]),
        ("from tea import green", ["src/tea/green.py"]),
        ("from tea import brew", TEA),
        ("if a:\n    import pot", ["src/pot.py"]),
        ("python -m this; import os; python missing.py", []),
        ("tea --help", []),
        ("print('from tea import green')", []),
    ],
)
def test_modules_and_scripts_of_the_repository_are_named(
    docs: Path, code: str, expected: list[str]
) -> None:
    found = [name.removeprefix(f"{docs.parent}/") for name in named_files(code, docs)]
    assert found == expected


@pytest.mark.parametrize("name", ["", "..", "json", "tea.no"])
def test_a_module_that_the_repository_does_not_have_has_no_file(docs: Path, name: str) -> None:
    assert module_files(name, docs) == []


def test_a_command_that_cannot_be_imported_says_so() -> None:
    with pytest.raises(ModuleNotFoundError):
        list(functions_behind("no_such_module", "main"))
