"""Whatever the structure of an input: twice as much of it takes twice as long."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sources.marks import generator
from sitemapkit_tools.sources.project import MOST_INCLUDED, Project

from .growth import CASES, put

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux does"),
]

MOST_TIMES = 2.6
"""What twice the input may take."""

SMALLEST = 0.01
"""Seconds that tell nothing."""

MOST_RUNS = 3
"""Runs of a case, since a processor may have had other work during one."""

MOST_MEMORY = 400
"""MiB."""


@pytest.mark.parametrize("name", CASES)
def test_twice_as_much_of_any_structure_takes_twice_as_long(name: str) -> None:
    runs = [measured(name)]
    while not is_linear(runs[-1]) and len(runs) < MOST_RUNS:
        runs.append(measured(name))
    assert is_linear(runs[-1]), runs
    assert runs[0]["memory"] < MOST_MEMORY


def measured(name: str) -> Any:
    """Return what reading a case takes, measured in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.growth", name],
        cwd=Path(__file__).parents[1],
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout)


def is_linear(run: Any) -> bool:
    """Return whether time grew no faster than the size."""
    small, middle, large = (max(each, SMALLEST) for each in run["seconds"])
    is_middle_linear = middle <= MOST_TIMES * small or large <= MOST_TIMES**2 * small
    return bool(is_middle_linear and large <= MOST_TIMES * middle)


def test_a_text_that_takes_in_too_many_files_has_no_source_and_that_is_said(tmp_path: Path) -> None:
    def book(included: int) -> tuple[bool, list[str]]:
        texts = {f"src/d{n}.md": "a" for n in range(included)}
        naming = "".join(f"{{{{#include d{n}.md}}}}\n" for n in range(included))
        put(tmp_path, {**texts, "src/a.md": naming, "src/SUMMARY.md": "- [a](a.md)\n"})
        put(tmp_path, {"book.toml": "[book]\n", "book/a.html": "<title>a</title>"})
        project = Project(generator("mdbook"), tmp_path, tmp_path / "book.toml")
        made = project.made(OutputDir.walk(tmp_path / "book", "https://example.org/"))
        return bool(made.pages["a.html"].sources), project.problems

    assert book(MOST_INCLUDED) == (True, [])
    has_source, problems = book(MOST_INCLUDED + 1)
    assert not has_source
    assert "a.md takes in more than 200 files, so git cannot date its page" in problems[0]
