"""Programs of Python that tests run, each in a process of its own that starts quickly.

Most of what a small build takes is the loading of its generator. So a process that has loaded it
waits, and becomes a copy of itself for each run: see `forks.py`.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FORKS = Path(__file__).with_name("forks.py")
GENERATORS = {
    "mkdocs": (
        *("mkdocs.commands.build", "mkdocs.contrib.search", "pymdownx.superfences"),
        *("mkdocstrings", "mkdocstrings_handlers.python"),
    ),
    "pelican": ("pelican", "pelican.plugins._utils", "markdown"),
    "sphinx": ("sphinx.cmd.build", "sphinx.builders.dirhtml", "sphinx.ext.autodoc"),
}
"""Modules that each generator loads in most builds, where they are installed."""

READ_AT_START = ("PYTHON", "LC_", "LANG", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "TERM")
"""How the variables begin that Python reads, or a module that it loads, and then never again."""


def run_python(
    *program: str,
    folder: Path,
    loads: tuple[str, ...],
    python: Path = Path(sys.executable),
    env: Mapping[str, str] | None = None,
    together: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run `python PROGRAM` (`-m MODULE` or FILE, and arguments), which loads these modules.

    Errors are told apart from the rest, or together with it.
    """
    environment = {**os.environ, **(env or {})}
    if sys.platform == "win32":  # it has no fork
        command = [str(python), *program]
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if together else subprocess.PIPE,
            text=True,
            check=False,
        )
    at_start = frozenset(
        (name, text)
        for name, text in environment.items()
        if name.startswith(READ_AT_START) and name != "PYTHONPATH"
    )
    with TemporaryDirectory() as kept:
        out = Path(kept, "out")
        err = out if together else Path(kept, "err")
        job = {"program": program, "folder": str(folder), "environment": environment}
        told = json.dumps({**job, "out": str(out), "err": str(err)})
        code = waiting(python, loads, at_start).ask(told)
        return subprocess.CompletedProcess(program, code, out.read_text(), err.read_text())


def peak() -> int:
    """Return the KiB that this process has held at most (Linux); what started it does not count."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0])


class Waiting:
    """A process that has loaded modules, and waits for what to do with them."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(self._process.communicate)  # it ends with its input

    def ask(self, job: str) -> int:
        """Let a copy of the process do the job; return the code with which it ended."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{job}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@cache
def kept_templates() -> str:
    """Return the folder in which the tests of this process keep templates that are compiled."""
    kept = TemporaryDirectory(prefix="templates-")
    atexit.register(kept.cleanup)
    return kept.name


@cache
def waiting(python: Path, loads: tuple[str, ...], at_start: frozenset[tuple[str, str]]) -> Waiting:
    """Return the one process of a Python that has loaded the modules with these variables."""
    others = {name: text for name, text in os.environ.items() if not name.startswith(READ_AT_START)}
    return Waiting([str(python), str(FORKS), kept_templates(), *loads], others | dict(at_start))
