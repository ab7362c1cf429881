"""Which Python files define the objects that a page documents."""

from __future__ import annotations

import logging.handlers
import os
import subprocess
import sys
import typing
from pathlib import Path

import pytest

from textdates.parts import documented, includes

CODE = '"""Tea."""\n'


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package `teas`, beside a repository."""
    folder = tmp_path / "site-packages"
    monkeypatch.setattr(includes, "INSTALLED", (f"{folder}{os.sep}",))
    write(tmp_path / "repository/.git/HEAD", "ref: refs/heads/main")
    return write(folder / "teas/green.py")


def write(file: Path, text: str = CODE) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def files(docs: Path, *objects: Path) -> list[str]:
    return [str(part.file) for part in documented([(str(each), "") for each in objects], docs)]


@pytest.mark.parametrize("docs", ["docs", "teas/docs", "docs/en/source", "."])
@pytest.mark.parametrize("above", [".", "src", "python", "python/src", "packages/x/src", "libs/x"])
def test_an_installed_file_is_found_in_its_repository(
    tmp_path: Path, installed: Path, docs: str, above: str
) -> None:
    repository = tmp_path / "repository"
    own = write(repository / above / "teas/green.py")
    write(repository / "a/teas/green.py", "another package of the same name")
    write(tmp_path / "teas/green.py")  # in no repository
    assert files(repository / docs, installed) == [str(own)]


def test_a_module_that_is_no_package_is_found(tmp_path: Path, installed: Path) -> None:
    own = write(tmp_path / "repository/src/tea.py")
    assert files(tmp_path / "repository/docs", write(installed.parents[1] / "tea.py")) == [str(own)]


def test_what_is_installed_from_elsewhere_does_not_count(tmp_path: Path, installed: Path) -> None:
    own = write(tmp_path / "repository/src/tea.py")
    assert files(tmp_path / "repository/docs", installed, own) == [str(own)]
    assert files(tmp_path / "repository/docs", installed) == []


def test_another_version_of_an_own_file_counts_as_it_is(tmp_path: Path, installed: Path) -> None:
    write(tmp_path / "repository/src/teas/green.py", "A newer version.")
    assert files(tmp_path / "repository/docs", installed) == [str(installed)]


def test_a_module_with_the_name_of_one_in_the_standard_library_is_no_version_of_it(
    tmp_path: Path,
) -> None:
    write(tmp_path / "repository/.git/HEAD")
    for folder in ("src/teas", "tools", "."):
        write(tmp_path / "repository" / folder / "typing.py")
        write(tmp_path / "repository" / folder / "logging/handlers.py")
    foreign = [Path(typing.__file__), Path(logging.handlers.__file__)]
    assert files(tmp_path / "repository/docs", *foreign) == []


@pytest.mark.parametrize(
    "other", ["src/pots/teas/green.py", "docs/teas/green.py", "build/lib/teas/green.py"]
)
def test_what_only_has_the_name_of_an_installed_package_is_no_version_of_it(
    tmp_path: Path, installed: Path, other: str
) -> None:
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    write(repository / ".gitignore", "build\n")
    write(installed.with_name("__init__.py"))
    write(repository / "src/pots/__init__.py")
    place = write(repository / other, "Other code.")
    if "docs" not in other:
        place.with_name("__init__.py").touch()
    assert files(repository / "docs", installed) == []


def test_objects_of_a_copy_and_of_its_original_are_one_part(
    tmp_path: Path, installed: Path
) -> None:
    own = write(tmp_path / "repository/src/teas/green.py")
    objects = [(str(installed), "brew"), (str(own), "pour"), (str(installed), "brew")]
    (part,) = documented(objects, tmp_path / "repository/docs")
    assert str(part.cut) == "brew, pour"


def test_packages_of_the_user_and_of_a_distribution_are_installed_too(tmp_path: Path) -> None:
    folders = [str(tmp_path / name) for name in ("site-packages", "dist-packages", "src")]
    code = "from textdates.parts.includes import INSTALLED; print(*INSTALLED)"
    paths = os.pathsep.join([*folders, *sys.path])
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert [f"{folder}{os.sep}" in printed for folder in folders] == [True, True, False]
