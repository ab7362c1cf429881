"""Runs programs in copies of a process that has loaded what they need.

`python forks.py FOLDER MODULE...`; the folder keeps templates that are compiled.

Each line of input is a job in JSON; a line of output says with which code its program ended.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import sys
import time
from contextlib import suppress
from pathlib import Path


def main(folder: str, *modules: str) -> None:
    """Load those of the modules that are installed, then do one job after the other."""
    importlib.import_module("templates").keep(Path(folder))
    sys.path[0] = str(Path(__file__).parents[1])  # modules of tests are loaded by their full names
    for module in modules:
        with suppress(ModuleNotFoundError):
            importlib.import_module(module)
    del sys.path[0]
    for line in sys.stdin:
        child = os.fork()
        if not child:
            become(**json.loads(line))
            return
        status = os.waitpid(child, 0)[1]
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def become(
    program: list[str], folder: str, environment: dict[str, str], out: str, err: str
) -> None:
    """Do in this process what `python PROGRAM` would do; what it says is added to two files."""
    for number, name in enumerate((os.devnull, out, err)):
        opened = os.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    added = [each for each in environment.get("PYTHONPATH", "").split(os.pathsep) if each]
    if program[0] == "-m":
        sys.argv = program[1:]
        sys.path[:0] = [folder, *added]
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = program
        sys.path[:0] = [str(Path(program[0]).parent), *added]
        runpy.run_path(program[0], run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
