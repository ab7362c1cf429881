"""Whatever the structure of an input: four times as much of it takes four times as long."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from sitemapkit_tools.site.output_dir import OutputDir
from sitemapkit_tools.sources.marks import generator
from sitemapkit_tools.sources.project import MOST_INCLUDED, Project

from . import growth
from .growth import CASES, MOST_EXPONENT, OF_OURS, put
from .programs import run_python
from .readers import READERS, ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux does"),
]

MOST_MEMORY = 400
"""MiB."""

measured = cache(growth.measured)


@pytest.mark.parametrize("name", CASES)
def test_four_times_as_much_of_any_structure_takes_four_times_as_long(name: str) -> None:
    found = measured(name)
    slow = f"{name}: the exponent is {found.exponent}, in one of {', '.join(found.readers)}"
    assert found.exponent <= MOST_EXPONENT, slow
    assert found.memory < MOST_MEMORY


def test_each_function_that_reads_what_others_wrote_is_in_a_case() -> None:
    tried = {reader for name in CASES for reader in measured(name).readers}
    missing = sorted(READERS - tried - OF_OURS.keys())
    assert not missing, (
        f"no case reaches {', '.join(missing)}: add one to `CASES` in tests/growth.py that grows in"
        " two things which it reads, or name what of ours it reads in `OF_OURS`"
    )
    assert not OF_OURS.keys() - READERS, "these read nothing any more: take them out of `OF_OURS`"


def test_no_pattern_takes_more_than_linear_time_for_long_runs_of_what_it_is_made_of(
    tmp_path: Path,
) -> None:
    used = {tuple(pattern) for name in CASES for pattern in measured(name).patterns}
    file = tmp_path / "patterns.json"
    file.write_text(json.dumps(sorted(used)))
    program = ("-m", "tests.patterns", str(file))
    done = run_python(*program, folder=ROOT, loads=("tests.patterns",))
    assert not done.returncode, done.stderr
    assert not done.stdout, "make them possessive or atomic, or let less be read"


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
