"""The example sites, built by their generators: nothing to mend, alone and merged."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree
from usp.tree import sitemap_tree_for_homepage

from .conftest import run
from .servers import Reply, Website, running

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = Path(__file__).parents[2] / "example-sites"
GENERATORS: Mapping[str, tuple[list[str], str, list[str]]] = {
    "mkdocs": (["mkdocs", "build", "--quiet"], "site", ["--exclude", "thanks/"]),
    "pelican": (
        ["pelican", "--quiet"],
        "output",
        ["--exclude", "balcony-log/", "--exclude", "drafts/", "--exclude", "tag/notes.html"],
    ),
    "sphinx": (
        ["sphinx", "-q", ".", "_build/html"],
        "_build/html",
        ["--exclude", "colophon.html", "--include", "genindex.html"],
    ),
}
"""How each site is built and where to, and what its author leaves out or takes in on purpose."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The three example sites, built."""
    folders: dict[str, Path] = {}
    for name, (command, out, _) in GENERATORS.items():
        source = tmp_path_factory.mktemp(name) / name
        shutil.copytree(
            EXAMPLES / name, source, ignore=shutil.ignore_patterns("site", "output", "_build")
        )
        subprocess.run([sys.executable, "-m", *command], cwd=source, check=True)
        folders[name] = source / out
    return folders


@pytest.mark.parametrize("name", GENERATORS)
def test_nothing_is_found_on_an_example_site(name: str, built: dict[str, Path]) -> None:
    outcome = run("check", built[name], *GENERATORS[name][2], "--json")
    assert json.loads(outcome.stdout)["findings"] == []
    assert outcome.code == 0


@pytest.mark.parametrize("name", GENERATORS)
def test_a_scan_lists_what_the_generator_lists(
    name: str, built: dict[str, Path], tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(built[name], tmp_path / "copy"))
    for file in copy.glob("sitemap*"):
        file.unlink()
    base = json.loads(run("check", built[name], "--json", "--fail-on", "never").stdout)["site"]
    run("build", copy, "--base-url", base, *GENERATORS[name][2])
    assert "0 added" in (outcome := run("diff", built[name], copy)).stdout, outcome.stdout
    assert "0 removed" in outcome.stdout


def moved(folder: Path, out: Path, name: str, base: str) -> Path:
    """Copy a built site into another, as if it had been built for an address there."""
    old = json.loads(run("check", folder, "--json", "--fail-on", "never").stdout)["site"]
    copy = Path(shutil.copytree(folder, out / name))
    for file in copy.rglob("*"):
        if file.suffix in (".html", ".xml", ".txt"):
            file.write_text(file.read_text("utf-8").replace(old, f"{base}{name}/"), "utf-8")
    (copy / "robots.txt").unlink(missing_ok=True)
    for file in copy.glob("*.gz"):
        file.unlink()
    return copy


@pytest.mark.parametrize("shape", ["index", "set"])
def test_builds_of_two_generators_are_read_as_one_site(
    shape: str, built: dict[str, Path], tmp_path: Path
) -> None:
    website = Website()
    with running(website.answer) as server:
        base = f"{server.url}/"
        folders = [moved(built[name], tmp_path, name, base) for name in ("mkdocs", "sphinx")]
        listed = {loc for folder in folders for loc in locs(folder / "sitemap.xml")}
        run("merge", *folders, "--out", tmp_path, "--as", shape)
        on_purpose = [part for name in ("mkdocs", "sphinx") for part in GENERATORS[name][2]]
        findings = json.loads(run("check", tmp_path, "--json", *on_purpose).stdout)["findings"]
        for file in tmp_path.rglob("*.*"):
            if file.is_file():
                website.replies[f"/{file.relative_to(tmp_path)}"] = Reply(file.read_bytes())
        read = [page.url for page in sitemap_tree_for_homepage(base).all_pages()]
    assert findings == []
    assert sorted(read) == sorted(listed)


def locs(file: Path) -> list[str]:
    name = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
    return [loc.text or "" for loc in etree.parse(file).getroot().iter(name)]
