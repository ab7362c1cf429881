"""The last line of CI counts each test of all runs, and is red if one of them is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WELL = """
import pytest

def test_a(): ...

@pytest.mark.parametrize("n", [1, 2])
def test_b(n): ...

@pytest.mark.skip(reason="x")
def test_c(): ...

@pytest.mark.xfail(reason="x")
def test_d():
    assert False
"""
WRONG = """
import pytest

@pytest.fixture
def broken():
    raise ValueError

def test_e():
    assert False

def test_f(broken): ...

def test_g(): ...
"""


def results(folder: Path, text: str) -> Path:
    """Run tests; return the file of their results."""
    folder.mkdir()
    (folder / f"test_{folder.name}.py").write_text(text)
    file = folder / "results.xml"
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    given = [f"--rootdir={folder}", f"--junit-xml={file}", str(folder)]
    subprocess.run([*command, *given], stdout=subprocess.DEVNULL, check=False)
    return file


def closing_line(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tests" / "closing_line.py"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The results of a run that is well, and of one that is not."""
    folder = tmp_path_factory.mktemp("runs")
    return results(folder / "well", WELL), results(folder / "wrong", WRONG)


def test_the_line_counts_the_tests_of_all_runs(runs: tuple[Path, Path]) -> None:
    done = closing_line(*runs)
    told = r"=+ 1 failed, 4 passed, 1 skipped, 1 xfailed, 1 error in \d+\.\d\ds \(0:00:\d\d\) =+\n"
    assert re.fullmatch(told, done.stdout)
    assert done.returncode == 1


def test_all_is_well_if_no_test_of_any_run_failed(runs: tuple[Path, Path]) -> None:
    done = closing_line(runs[0])
    assert " 3 passed, 1 skipped, 1 xfailed in " in done.stdout
    assert done.returncode == 0


def test_a_run_that_did_not_end_is_named(runs: tuple[Path, Path], tmp_path: Path) -> None:
    done = closing_line(runs[0], tmp_path / "rest.xml")
    assert done.returncode == 1
    assert f"{tmp_path / 'rest.xml'}: the run that writes it did not end" in done.stderr


def test_no_test_is_counted_twice(runs: tuple[Path, Path]) -> None:
    done = closing_line(runs[0], runs[0])
    assert done.returncode == 1
    assert "test_a ran before, in another run" in done.stderr
