"""A program that starts from a process which waits does as one that Python starts."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .programs import run_python

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import atexit, locale, os, sys, time
import beside, elsewhere
atexit.register(print, "at the end")
print(__name__, __file__, sys.argv, os.getcwd(), sys.stdin.read(), sys.stdout.isatty())
print(os.environ["GREETING"], time.tzname, locale.setlocale(locale.LC_ALL, ""), sys.warnoptions)
print(sorted(os.environ), sys.path[:2])
print("to the other file", file=sys.stderr)
sys.exit(eval(sys.argv[1]))
"""


@pytest.mark.parametrize("end", ["None", "0", "3", "'words'", "1 / 0"])
@pytest.mark.parametrize("start", [["-m", "program"], ["program.py"]], ids=["module", "file"])
def test_a_copy_of_a_process_does_as_a_new_one(tmp_path: Path, start: list[str], end: str) -> None:
    folder = tmp_path / "folder"
    (folder / "more").mkdir(parents=True)
    (folder / "program.py").write_text(PROGRAM)
    (folder / "beside.py").touch()
    (folder / "more" / "elsewhere.py").touch()
    command = [str(folder / each) if each.endswith(".py") else each for each in start]
    env = {
        "GREETING": "Hello",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": str(folder / "more"),
        "PYTHONWARNINGS": "error::SyntaxWarning",
    }
    told = run_python(*command, end, folder=folder, loads=("email",), env=env)
    expected = subprocess.run(
        [sys.executable, *command, end],
        cwd=folder,
        env=os.environ | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stdout) == (expected.returncode, expected.stdout)
    for errors in (told.stderr, expected.stderr):
        assert errors.startswith("to the other file\n")
    assert told.stderr.splitlines()[-1] == expected.stderr.splitlines()[-1]
