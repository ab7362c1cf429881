"""The example sites, built by their generators: nothing to fix, alone and merged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from sphinx import version_info
from usp.tree import sitemap_tree_for_homepage

from .conftest import run
from .examples import EXAMPLE_SITES, build_example, locs, moved, serve
from .servers import Website, running


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The three example sites, built."""
    return {name: build_example(name, tmp_path_factory.mktemp(name)) for name in EXAMPLE_SITES}


@pytest.mark.parametrize("name", EXAMPLE_SITES)
def test_nothing_is_found_on_an_example_site(name: str, built: dict[str, Path]) -> None:
    outcome = run("check", built[name], "--json")
    found = {(each["severity"], each["id"]) for each in json.loads(outcome.stdout)["issues"]}
    assert found <= {("note", each) for each in ("not-listed", "generated-page", "no-dates")}
    assert outcome.code == 0
    on_purpose = run("check", built[name], *EXAMPLE_SITES[name].on_purpose, "--json")
    left = {each["id"] for each in json.loads(on_purpose.stdout)["issues"]}
    assert left <= {"no-dates"}  # as they are in no repository here


@pytest.mark.parametrize("name", EXAMPLE_SITES)
def test_a_scan_lists_what_the_generator_lists(
    name: str, built: dict[str, Path], tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(built[name], tmp_path / "copy"))
    for file in copy.glob("sitemap*"):
        file.unlink()
    if name == "sphinx" and [*version_info[:2]] < [8, 1]:
        pytest.skip("writes wrong canonical links, which say where a page is to who scans it")
    base = json.loads(run("check", built[name], "--json", "--fail-on", "never").stdout)["site"]
    run("build", copy, "--base-url", base, "--generator", "none", *EXAMPLE_SITES[name].on_purpose)
    outcome = run("diff", built[name], copy)
    assert "0 added" in outcome.stdout, outcome.stdout
    assert "0 removed" in outcome.stdout


@pytest.mark.parametrize("shape", ["index", "set"])
def test_builds_of_two_generators_are_read_as_one_site(
    shape: str, built: dict[str, Path], tmp_path: Path
) -> None:
    website, names = Website(), ("mkdocs", "sphinx")
    with running(website.answer) as server:
        base = f"{server.url}/"
        folders = [moved(built[name], tmp_path / name, f"{base}{name}/") for name in names]
        for folder in folders:
            (folder / "robots.txt").unlink(missing_ok=True)
        listed = {loc for folder in folders for loc in locs(folder / "sitemap.xml")}
        run("merge", *folders, "--out", tmp_path, "--as", shape)
        on_purpose = [part for name in names for part in EXAMPLE_SITES[name].on_purpose]
        issues = json.loads(run("check", tmp_path, "--json", *on_purpose).stdout)["issues"]
        serve(website, tmp_path)
        read = [page.url for page in sitemap_tree_for_homepage(base).all_pages()]
    assert [each["id"] for each in issues] == ["local-url", "no-dates"]  # on this machine alone
    assert sorted(read) == sorted(listed)
