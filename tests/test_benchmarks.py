"""The report of the benchmarks: all of them are in it, and a page takes its results."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[1]

NOT_IN_THE_REPORT = {
    "__main__",  # writes it
    "constructs",  # an experiment on clones of other projects: it takes hours, and measures no time
}


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
    assert {benchmark.name for benchmark in report.BENCHMARKS} == programs - NOT_IN_THE_REPORT


def test_each_benchmark_says_what_it_measures_and_how(report: ModuleType) -> None:
    for benchmark in report.BENCHMARKS:
        title, method = report.said(ROOT / "benchmarks" / f"{benchmark.name}.py")
        assert title.startswith(("What ", "How "))
        assert len(method) > len(title)


def test_a_page_keeps_all_but_its_results(report: ModuleType) -> None:
    before, after = report.MARKS
    assert report.replaced(f"A\n{before}old\n{after}B\n", "new") == f"A\n{before}\nnew\n{after}B\n"


def test_what_a_user_feels_is_one_table(report: ModuleType) -> None:
    rows = ("| a | 1 |\n", "| b | 2 |\n")
    text = f"## What\n| c |\n> {rows[0]}| d |\n> {rows[1]}"
    assert report.felt_rows(text) == ("".join(rows), "## What\n| c |\n| d |\n")


def test_a_page_without_marks_is_left_alone(report: ModuleType) -> None:
    with pytest.raises(SystemExit, match="the page has no"):
        report.replaced("A page", "new")


PLUGINS = {
    "a list": ("plugins:\n  # of the site\n  - search\n", ["search", "tea"]),
    "a list at the margin": ("plugins:\n- search\n", ["search", "tea"]),
    "a mapping": ("plugins:\n  search: {}\n", ["search", "tea"]),
    "none": ("site_name: Tea\n", ["search", "tea"]),
}


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize(("text", "names"), PLUGINS.values(), ids=list(PLUGINS))
def test_a_real_site_is_built_with_one_more_plugin(text: str, names: list[str]) -> None:
    real = import_module("benchmarks.real")
    made = yaml.safe_load(real.with_plugins("mkdocs", text, ["tea"]))
    assert sorted(made["plugins"]) == names
    assert made["site_url"]


@pytest.mark.usefixtures("report")
def test_a_real_site_in_python_keeps_its_own_extensions() -> None:
    real = import_module("benchmarks.real")
    found: dict[str, object] = {}
    exec(real.with_plugins("sphinx", "extensions = ['a']", ["b"]), found)  # noqa: S102
    assert (found["extensions"], found["html_baseurl"]) == (["a", "b"], real.BASE)
    found = {}
    exec(real.with_plugins("pelican", "SITEURL = 'https://a.example'", ["b"]), found)  # noqa: S102
    assert (found["PLUGINS"], found["SITEURL"]) == (["b"], "https://a.example")


@pytest.mark.usefixtures("report")
def test_each_real_site_names_a_known_generator() -> None:
    real = import_module("benchmarks.real")
    sites = real.read_sites(real.SITES)
    assert len(sites) >= 4
    assert {site.generator for site in sites.values()} == real.GENERATORS.keys()


@pytest.mark.usefixtures("report")
def test_a_row_of_a_real_site_says_what_each_tool_adds(capsys: pytest.CaptureFixture[str]) -> None:
    real = import_module("benchmarks.real")
    taken = {"plain": [2.0, 2.0, 4.0], "ours": [2.1, 2.2, 4.1], "other": [3.0, 3.0, 5.0]}
    real.show(real.Site("tea", "", "mkdocs"), 7, taken)
    assert capsys.readouterr().out.startswith(
        "> | tea, 7 pages, mkdocs | 2.00 s | +0.10 s (+5.0%) | "
        "git-revision-date-localized: +1.00 s (+50.0%) |"
    )
