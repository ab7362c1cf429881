"""What the benchmarks share: processes that are measured, environments, histories and ratios."""

from __future__ import annotations

import os
import platform
import random
import re
import shutil
import subprocess
import sys
import time
import zlib
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / ".cache" / "environments"
CHILD_ENVIRON = {name: os.environ[name] for name in os.environ.keys() - {"PYTHONDONTWRITEBYTECODE"}}
"""What processes get: Python keeps the bytecode of our modules, as it does of installed ones."""

HISTORY = 8_000
"""Commits of a history that is made where no checkout is given; FastAPI has about as many."""

DOCUMENTS = 300
"""Documents that such a history is of, in ten folders."""

FELT = "> "
"""What a line of the report starts with that is a row of the manual's table."""

Way = TypeVar("Way")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Run:
    """A process that has ended well: what it took, in seconds, and what it said."""

    wall: float
    cpu: float
    """User and system time of the process and all that it has started, as the system counts it."""

    output: bytes = b""
    errors: str = ""


def run(
    command: Sequence[str | Path], *, cwd: Path | None = None, given: bytes = b"", keep: bool = True
) -> Run:
    """Run a process; its standard output goes nowhere unless it is to be kept."""
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        stdin.write(given)
        stdin.seek(0)
        out = stdout if keep else subprocess.DEVNULL
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env=CHILD_ENVIRON, stdin=stdin, stdout=out, stderr=stderr
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        stdout.seek(0)
        stderr.seek(0)
        errors = stderr.read().decode("utf-8", "replace")
        if process.returncode:
            raise SystemExit(f"{command[0]} failed:\n{errors}")
        return Run(wall, usage.ru_utime + usage.ru_stime, stdout.read(), errors)


def take_turns(
    ways: Iterable[Way], measure: Callable[[Way], Result], rounds: int
) -> dict[Way, list[Result]]:
    """Measure each way once a round, so that a machine that slows down slows all of them."""
    ways = list(ways)
    results: dict[Way, list[Result]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            results[way].append(measure(way))
    return results


def ratio(these: Iterable[float], those: Iterable[float]) -> float:
    """Return the median of the ratios of each round."""
    return median(this / that for this, that in zip(these, those, strict=True))


def added(these: Iterable[float], those: Iterable[float]) -> list[float]:
    """Return the difference of each round."""
    return [this - that for this, that in zip(these, those, strict=True)]


def felt(what: str, ours: float, *, plain: float = 0, other: str = "", theirs: float = 0) -> None:
    """Print a row of the one table that the manual shows: what a user feels, in seconds.

    `ours` and `theirs` are added to `plain`, or are all that it takes.
    """

    def seconds(value: float) -> str:
        share = f" ({value / plain:+.1%})" if plain else ""
        return f"{value:{'+' if plain else ''}.2f} s{share}"

    without = f"{plain:.2f} s" if plain else ""
    peer = f"{other}: {seconds(theirs)}" if other else ""
    print(f"{FELT}| {what} | {without} | {seconds(ours)} | {peer} |", flush=True)


def python_with(name: str, *requirements: str) -> Path:
    """Return the Python of an environment with this checkout and the peers, made once."""
    folder = ENVIRONMENTS / f"bench-{name}"
    python, made = folder / "bin" / "python", folder / "requirements"
    if not made.exists() or made.read_text(encoding="utf-8").split("\n") != [*requirements]:
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *requirements]
        subprocess.run(install, check=True)
        made.write_text("\n".join(requirements))
    return python


def node_peers() -> Path:
    """Return where the peers in Node are, which package-lock.json beside this file locks."""
    here = Path(__file__).parent
    if not (here / "node_modules" / ".bin" / "sscli").exists():
        quiet = ["--no-audit", "--no-fund", "--silent", "--legacy-peer-deps"]
        subprocess.run(["npm", "ci", "--ignore-scripts", *quiet], cwd=here, check=True)
    return here / "node_modules"


def checkout(extra: str = "") -> tuple[str, str]:
    """Return the requirement that is this checkout, as it is on the day of each run."""
    return ("--editable", f"{ROOT}[{extra}]" if extra else str(ROOT))


def versions(python: str | Path, *packages: str) -> str:
    """Return a sentence with the versions of packages in an environment."""
    code = (
        "import sys; from importlib.metadata import version\n"
        "print(', '.join(f'{name} {version(name)}' for name in sys.argv[1:]))"
    )
    found = run([python, "-c", code, *packages]).output.decode().strip()
    return f"With {found}.\n"


def machine() -> str:
    """Say what it is measured on."""
    cpuinfo = Path("/proc/cpuinfo")
    model = re.search(
        r"model name\s*: (.*)", cpuinfo.read_text("utf-8") if cpuinfo.exists() else ""
    )
    return ", ".join(
        [
            model[1] if model else platform.processor() or platform.machine(),
            f"{os.cpu_count()} CPUs",
            f"{platform.system()} {platform.release()}",
            f"Python {platform.python_version()}",
            f"zlib {zlib.ZLIB_RUNTIME_VERSION}",
            *filter(None, map(tool_version, ("git", "node", "cc"))),
        ]
    )


def tool_version(name: str) -> str:
    """Return the name and version of a program; nothing where it is not."""
    if not shutil.which(name):
        return ""
    said = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.search(r"\d+(\.\d+)+", said)
    return f"{name} {found[0]}" if found else name


# Histories


def repository(root: Path) -> None:
    """Commit all files in a folder, which becomes a repository if it is none."""
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "x"], check=True)


def long_history(root: Path, suffix: str) -> Path:
    """Make a repository of documents, some of which have changed often and some long ago."""
    root.mkdir()
    git = ["git", "-C", str(root)]
    chance = random.Random(1)  # noqa: S311 - no secret
    often = [int(DOCUMENTS * chance.random() ** 4) for _ in range(HISTORY - DOCUMENTS)]
    stream = map(commit, range(HISTORY), [*range(DOCUMENTS), *often], repeat(suffix))
    given = "\n".join(stream) + "\n"
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    subprocess.run([*git, "fast-import", "--quiet"], input=given, text=True, check=True)
    subprocess.run([*git, "reset", "--quiet", "--hard"], check=True)
    return root


def commit(number: int, page: int, suffix: str) -> str:
    """Return a commit that changes one document, as git fast-import reads it."""
    text = f"Page {page}\n=========\n\nText {number}\n"
    return "\n".join(
        [
            "commit refs/heads/main",
            f"committer A <a@example.org> {1_600_000_000 + number * 3600} +0000",
            *("data 1", "x", f"M 100644 inline {page % 10}/{page:03}{suffix}"),
            *(f"data {len(text)}", text),
        ]
    )
