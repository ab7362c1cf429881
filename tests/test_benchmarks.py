"""The report of the benchmarks: all of them are in it, and a page takes its results."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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
        title, method = report.said(benchmark)
        assert title.startswith(("What ", "How "))
        assert len(method) > len(title)


def test_results_take_the_place_of_older_ones_and_the_rest_of_the_page_stays(
    report: ModuleType,
) -> None:
    by_name = {benchmark.name: benchmark for benchmark in report.BENCHMARKS}
    page = "# Benchmarks\n\nProse.\n"
    for name, felt, output in (
        ("small", "| old | | | |\n", ""),
        ("menus", "", "| a table of its own |"),
        ("small", "| new | | | |\n", "details"),
    ):
        result = report.Result(by_name[name], f"python -m {name}", 1, felt, output)
        page = report.replaced(page, result, "1 May 2026, commit `abc`, on a machine")
    assert page.startswith("# Benchmarks\n\nProse.\n\n<!-- benchmark small: commit ")
    assert page.count("## What the smallest sites pay") == page.count("| new |") == 1
    assert "| a table of its own |" in page
    assert "old" not in page.partition("| new |")[2]
    assert "details" not in page
    assert "\n`python -m small`: 1 May 2026, commit `abc`, on a machine.\n" in page


def test_results_that_do_not_end_are_not_guessed(report: ModuleType) -> None:
    (large,) = (benchmark for benchmark in report.BENCHMARKS if benchmark.name == "large")
    page = "<!-- benchmark large: commit abc; core -->\n\nProse that follows.\n"
    with pytest.raises(SystemExit, match="the page has no line <!-- end of large -->"):
        report.replaced(page, report.Result(large, "", 1, "| a |\n", ""), "here")


def test_figures_name_the_code_that_they_measure(report: ModuleType) -> None:
    for benchmark in report.BENCHMARKS:
        assert all((ROOT / path).exists() for path in benchmark.measured.split())


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
def test_a_row_of_a_real_site_says_what_each_tool_adds() -> None:
    real = import_module("benchmarks.real")
    taken = {"plain": [2.0, 2.0, 4.0], "ours": [2.1, 2.2, 4.1], "other": [3.0, 3.0, 5.0]}
    assert real.row(real.Site("tea", "", "mkdocs"), 7, "first", taken) == (
        "| tea, mkdocs | 7 | first | 2.00 s | +0.10 s (+5%) | +1.00 s (+50%) |"
        " git-revision-date-localized |"
    )


TWICE: Mapping[str, tuple[Mapping[str, str], Sequence[str]]] = {
    "mkdocs": (
        {
            "mkdocs.yml": "site_name: Tea\nsite_url: https://tea.example/\ndev_addr: 127.0.0.1:0\n",
            "docs/index.md": "# Tea\n",
        },
        ["serve", "--quiet"],
    ),
    "pelican": (
        {
            "pelicanconf.py": "SITEURL = 'https://tea.example'\nPATH = 'content'\n"
            "PLUGINS = ['sitemapkit']\n",
            "content/pages/tea.md": "Title: Tea\n\nIt is hot.\n",
        },
        ["--autoreload", "--quiet", "--settings", "pelicanconf.py"],
    ),
}


@pytest.mark.parametrize("generator", TWICE)
def test_a_real_site_is_built_twice_in_one_process(tmp_path: Path, generator: str) -> None:
    pytest.importorskip(generator)
    files, arguments = TWICE[generator]
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    program = ROOT / "benchmarks" / "twice.py"
    command: list[str | Path] = [
        sys.executable,
        "-P",
        program,
        tmp_path / "result",
        generator,
        *arguments,
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (first, again), urls = json.loads((tmp_path / "result").read_text())
    assert first > again > 0
    assert urls >= 1
