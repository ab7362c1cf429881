"""The tests are the same on each day: what they install is locked, and all of them are reached."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sitemapkit import __version__

from .environments import ALONE, LOCKS, lock
from .repository import copy_of_this_project

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GROUPS: dict[str, list[Any]] = PROJECT["dependency-groups"]
LOCKED = sorted(file.stem for file in LOCKS.iterdir())
BESIDE = sorted({*LOCKED} - {*ALONE, "dev", "manual"})
"""Those that are installed beside the packages of the tests."""

NPM = [*ROOT.glob("tests/npm/*"), ROOT / "benchmarks"]
PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")
SYSTEMS = ("linux", "darwin", "win32")

_PIN = r"([\w.\[\]-]+==[^\\\n]+?)(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n"
"""A package with its version, perhaps a marker, and hashes."""


def pinned(group: str, python: str, system: str) -> dict[str, str]:
    """Return the version of each package that is installed for a group."""
    minor = python.rpartition(".")[0]
    where = {"python_version": minor, "python_full_version": python, "sys_platform": system}
    found: dict[str, str] = {}
    for pin in map(Requirement, re.findall(_PIN, lock(group).read_text("utf-8"))):
        if pin.marker is None or pin.marker.evaluate(where):
            assert pin.name not in found
            (found[canonicalize_name(pin.name)],) = (each.version for each in pin.specifier)
    return found


def needed(group: str) -> Iterator[Requirement]:
    """Yield what pyproject.toml says that a group needs."""
    for entry in GROUPS[group]:
        if isinstance(entry, str):
            yield Requirement(entry)
        else:
            yield from needed(entry["include-group"])


def needed_by_us(group: str) -> Iterator[Requirement]:
    """Yield what sitemapkit itself needs where it is installed with a group."""
    if group in ("dev", "demo", "manual", *ALONE):
        yield from map(Requirement, PROJECT["project"]["dependencies"])
        yield from map(Requirement, PROJECT["build-system"]["requires"])
    if group in ("dev", "demo"):
        for extra in ("mkdocs", "pelican", "sphinx"):
            yield from map(Requirement, PROJECT["project"]["optional-dependencies"][extra])


@pytest.mark.parametrize("group", LOCKED)
def test_what_pyproject_asks_for_is_locked(group: str) -> None:
    for python, system in product(PYTHONS, SYSTEMS):
        pins = pinned(group, python, system)
        for requirement in [*needed(group), *needed_by_us(group)]:
            version = pins.get(canonicalize_name(requirement.name), "")
            assert version in requirement.specifier, f"{requirement} is not locked: run `make lock`"


@pytest.mark.parametrize("group", BESIDE)
def test_what_shares_an_environment_has_the_same_versions(group: str) -> None:
    for python, system in product(PYTHONS, SYSTEMS):
        ours, theirs = pinned("dev", python, system), pinned(group, python, system)
        both = ours.keys() & theirs.keys()
        assert {name: theirs[name] for name in both} == {name: ours[name] for name in both}


def test_locks_hold_pins_with_hashes_of_one_day_and_name_no_host() -> None:
    texts = [lock(group).read_text("utf-8") for group in LOCKED]
    assert all(re.fullmatch(rf"(#.*\n)+({_PIN})+", text) for text in texts)
    assert len({day for text in texts for day in re.findall("make lock DAY=(.*)", text)}) == 1
    assert "://" not in "".join(texts)


@pytest.mark.parametrize("folder", NPM, ids=lambda folder: folder.name)
def test_packages_of_npm_are_locked_by_what_is_in_them(folder: Path) -> None:
    asked = json.loads((folder / "package.json").read_text("utf-8"))["dependencies"]
    packages = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    root = packages.pop("")
    assert root["dependencies"] == asked, "run `make lock`"
    assert not [name for name, found in packages.items() if "resolved" in found]
    assert not [name for name, found in packages.items() if "integrity" not in found]


def test_whatever_is_installed_is_locked_or_ourselves() -> None:
    files = [ROOT / "Makefile", *(ROOT / ".github" / "workflows").iterdir()]
    lines = "\n".join(file.read_text("utf-8").replace("\\\n", " ") for file in files).splitlines()
    installs = re.compile(r"\b(npm|pip)\b.* install\b|\(INSTALL\) -")
    locked = re.compile(r"--require-hashes|--no-deps --no-build-isolation|--package-lock-only")
    commands = [line for line in lines if installs.search(line)]
    assert len(commands) == 9
    assert [command for command in commands if not locked.search(command)] == []


# make test


def make_test(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run `make test` in a folder; return its exit code, and what it says."""
    outer = ("MAKE", "MFLAGS", "PIP_CONSTRAINT", "PYTEST", "SITEMAPKIT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
    done = subprocess.run(
        ["make", "test", *arguments],
        cwd=folder,
        env=kept | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


SETTINGS = """
[tool.mypy]
files = ["tea.py"]
[tool.pyright]
include = ["tea.py"]
"""

FAULTS = """
import os

mypy: int = "a"  # pyright: ignore


class Pyright:
    def method( tea: "Pyright") -> None:
        pass
"""
COMPLAINTS = ("F401", "reformatted", "[assignment]", "reportSelfClsParameterName")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the Makefile of this one, and what is installed here."""
    if not all((Path(sys.prefix) / "bin" / name).exists() for name in ("ruff", "mypy", "pyright")):
        pytest.skip("the checkers are not installed")
    (tmp_path / ".venv").mkdir()
    for name in ("bin", "lib", "pyvenv.cfg"):
        (tmp_path / ".venv" / name).symlink_to(Path(sys.prefix) / name)
    shutil.copytree(LOCKS, tmp_path / "requirements")
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    alias = tmp_path / "plugins" / "pelican" / "namespace_alias.py"
    alias.parent.mkdir(parents=True)
    for made in (alias, *(tmp_path / ".venv" / f"{name}.stamp" for name in ("python", "test"))):
        made.touch()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "assertion", "said"),
    [
        ("tea = 1\n", "True", ["1 passed"]),
        ("tea = 1\n", "False", ["1 failed"]),
        (FAULTS, "True", [*COMPLAINTS, "1 passed", "A checker or a test failed"]),
        (FAULTS, "False", [*COMPLAINTS, "1 failed", "A checker or a test failed"]),
    ],
)
def test_tests_are_run_and_counted_even_where_a_checker_complains(
    code: str, assertion: str, said: list[str], project: Path
) -> None:
    (project / "tea.py").write_text(code)
    (project / "test_tea.py").write_text(f"def test_tea() -> None:\n    assert {assertion}\n")
    status, output = make_test(project, "PYTEST_ARGS=test_tea.py")
    assert [text for text in said if text not in output] == []
    assert (status == 0) == (said == ["1 passed"]), output
    assert (project / "build" / "tests" / "test.xml").exists()


def broken_release(name: str, folder: Path) -> None:
    """Write a wheel of a package as it might come out tomorrow, with nothing in it."""
    stem = f"{name.replace('-', '_')}-9999"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 9999\n"
        wheel.writestr(f"{stem}.dist-info/METADATA", metadata)
        tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(f"{stem}.dist-info/WHEEL", tag)
        wheel.writestr(f"{stem}.dist-info/RECORD", "")


@pytest.mark.environment
def test_a_fresh_clone_installs_what_is_locked_though_all_packages_have_a_newer_broken_release(
    tmp_path: Path,
) -> None:
    python = platform.python_version()
    pins = pinned("pip", python, sys.platform) | pinned("dev", python, sys.platform)
    (tmp_path / "index").mkdir()
    for name in pins:
        broken_release(name, tmp_path / "index")
    places = f"{os.environ.get('PIP_FIND_LINKS', '')} {tmp_path / 'index'}"
    clone = copy_of_this_project(tmp_path)
    some_tests = "PYTEST_ARGS=--numprocesses=0 tests/test_closing_line.py"
    base = f"PYTHON={Path(sys.executable).resolve()}"
    status, output = make_test(clone, base, some_tests, PIP_FIND_LINKS=places)
    assert status == 0, output
    (day,) = set(re.findall("make lock DAY=(.*)", lock("dev").read_text("utf-8")))
    assert f"Packages: requirements/dev.txt, locked as of {day}\n" in output
    listing = [str(clone / ".venv" / "bin" / "python"), "-m", "pip", "list", "--format=json"]
    listed = json.loads(subprocess.check_output(listing))
    installed = {str(canonicalize_name(each["name"])): each["version"] for each in listed}
    assert installed == {**pins, "sitemapkit": __version__}
