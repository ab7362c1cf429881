"""The report of the benchmarks: all of them are in it, and a page takes its results."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[1]


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.delitem(sys.modules, "benchmarks", raising=False)
    return import_module("benchmarks.__main__")


def test_each_benchmark_is_in_the_report(report: ModuleType) -> None:
    programs = {
        file.stem
        for file in (ROOT / "benchmarks").glob("*.py")
        if "python -m benchmarks." in file.read_text(encoding="utf-8")
    }
    assert {benchmark.name for benchmark in report.BENCHMARKS} == programs - {"__main__"}


def test_each_benchmark_says_what_it_measures_and_how(report: ModuleType) -> None:
    for benchmark in report.BENCHMARKS:
        title, method = report.said(ROOT / "benchmarks" / f"{benchmark.name}.py")
        assert title.startswith(("What ", "How "))
        assert len(method) > len(title)


def test_a_page_keeps_all_but_its_results(report: ModuleType) -> None:
    before, after = report.MARKS
    assert report.replaced(f"A\n{before}old\n{after}B\n", "new") == f"A\n{before}\nnew\n{after}B\n"


def test_a_page_without_marks_is_left_alone(report: ModuleType) -> None:
    with pytest.raises(SystemExit, match="the page has no"):
        report.replaced("A page", "new")
