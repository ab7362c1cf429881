"""One small site of each generator, with what may go wrong: built where that is possible.

Beside each project is a table of what is to be found: the one line that `build` says, for each
listed page the files that its date comes from, and for each other page why it is not listed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import yaml
from lxml import etree

from ..conformance.npm import installed
from ..docs.reader import ROOT, Block, blocks, home
from ..docs.test_blocks import FOLLOWED_IN_PROJECTS, Owner, commands_in
from ..environments import python_with
from ..tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECTS = Path(__file__).parent / "projects"
IS_MATRIX = "TOX_ENV_NAME" in os.environ
"""Whether Docusaurus builds its site, too. It takes two minutes, most of them to install it, so
otherwise the pages that it wrote are taken."""

KEPT = "build"
"""The folder of what it wrote."""

BUILDS = {
    "antora": "npx antora antora-playbook.yml",
    "docusaurus": "npx docusaurus build",
    "eleventy": "npx eleventy",
    "hugo": "hugo --quiet",
    "jekyll": "jekyll build --quiet",
    "starlight": "npx astro build",
    "vitepress": "npx vitepress build",
    "zensical": "zensical build",
}
"""What builds a site; those of the other projects are there, made by hand after real ones."""

FIRST = date(2022, 1, 1)
SITEMAPS = ("sitemap-index.xml", "sitemap.xml")
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


class Expected(msgspec.Struct):
    """What is to be found of a site."""

    says: str
    """What `build` says of what it found."""

    listed: dict[str, list[str]]
    """The files that a page is made of, by its path below the base URL."""

    unlisted: dict[str, str] = {}
    """Why a page is not listed, by its path."""

    dates: dict[str, str] = {}
    """The dates of pages that state one themselves."""

    folder: str = ""
    """The argument of `build`, where it needs one."""

    base_url: str = ""
    """The same of `--base-url`."""


class Built(msgspec.Struct):
    """A project in a repository, with its site."""

    folder: Path
    expected: Expected
    days: Mapping[str, date]
    """The day on which each file was committed."""

    def arguments(self) -> list[str]:
        base = [f"--base-url={self.expected.base_url}"] if self.expected.base_url else []
        return [*filter(None, [self.expected.folder]), *base]

    def date_of(self, path: str) -> str | None:
        """Return the date that a listed page should have."""
        files = self.expected.listed[path]
        stated = self.expected.dates.get(path)
        return stated or (f"{max(self.days[file] for file in files)}T12:00:00Z" if files else None)


_built: dict[str, Built] = {}


@pytest.fixture
def built(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Built:
    """A project whose site is built; it is the current folder."""
    name: str = request.param
    if name not in _built:
        _built[name] = build_project(name, tmp_path_factory.mktemp("projects"))
    monkeypatch.chdir(_built[name].folder)
    return _built[name]


def build_project(name: str, parent: Path) -> Built:
    is_built = name != "docusaurus" or IS_MATRIX
    command = BUILDS.get(name, "").split() if is_built else []
    python = Path(sys.executable)
    if command[:1] == ["npx"]:  # packages are found in the folders above
        parent = installed("docusaurus" if name == "docusaurus" else "generators") / "projects"
        shutil.rmtree(parent / name, ignore_errors=True)
    old = shutil.ignore_patterns(KEPT) if command else None
    folder = shutil.copytree(PROJECTS / name, parent / name, ignore=old)
    expected = tomllib.loads((PROJECTS / f"{name}.toml").read_text(encoding="utf-8"))
    days = commit_one_by_one(folder)
    if name in ("hugo", "zensical"):
        python = python_with("generators")
    path = os.pathsep.join(
        [str(python.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    if command:
        if not shutil.which(command[0], path=path):
            pytest.skip(f"{command[0]} is not installed")
        quiet = dict.fromkeys(("ASTRO_TELEMETRY_DISABLED", "DOCUSAURUS_NO_TELEMETRY"), "1")
        environment = {**os.environ, **quiet, "PATH": path, "JEKYLL_NO_BUNDLER_REQUIRE": "true"}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return Built(folder, msgspec.convert(expected, Expected), days)


def commit_one_by_one(folder: Path) -> Mapping[str, date]:
    """Commit each file on a day of its own, and return these days."""
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "--quiet"], cwd=folder, check=True)
    days: dict[str, date] = {}
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    for number, file in enumerate(each for each in files if ".git" not in each.parts):
        name = file.relative_to(folder).as_posix()
        days[name] = FIRST + timedelta(number)
        moment = f"{days[name]}T12:00:00Z"
        subprocess.run([*git, "add", name], cwd=folder, check=True)
        environment = {**os.environ, "GIT_COMMITTER_DATE": moment, "GIT_AUTHOR_DATE": moment}
        command = [*git, "commit", "--quiet", "--message", name]
        subprocess.run(command, cwd=folder, env=environment, check=True)
    return days


def each_project() -> pytest.MarkDecorator:
    names = sorted(file.stem for file in PROJECTS.glob("*.toml"))
    marks = {True: [pytest.mark.environment], False: []}
    params = [pytest.param(name, marks=marks[name in BUILDS]) for name in names]
    return pytest.mark.parametrize("built", params, indirect=True)


@each_project()
def test_a_build_finds_the_site_and_the_sources_of_its_pages(built: Built) -> None:
    outcome = run("build", *built.arguments(), "--json")
    assert outcome.code == 0, outcome.stderr
    said = outcome.stderr.splitlines()
    assert said[0] == built.expected.says
    assert not [line for line in said if line.startswith("warning")]
    site, base = said[0].partition(" site in ")[2], said[0].rpartition(" at ")[2]
    folder = built.folder / re.split(r", at | \(", site)[0]
    sitemap = next(folder / name for name in SITEMAPS if (folder / name).exists())
    found = {
        url.findtext(f"{SITEMAP}loc", "").removeprefix(base): url.findtext(f"{SITEMAP}lastmod")
        for url in etree.parse(sitemap).getroot()
    }
    assert found == {path: built.date_of(path) for path in built.expected.listed}
    excluded = json.loads(outcome.stdout)["excluded"]
    assert {each["url"].removeprefix(base): each["reason"] for each in excluded} == (
        built.expected.unlisted
    )


@each_project()
def test_the_check_of_such_a_site_agrees_with_the_build(built: Built) -> None:
    assert run("build", *built.arguments()).code == 0
    outcome = run("check", *built.arguments())
    assert outcome.stderr.splitlines()[0] == built.expected.says
    assert outcome.code == 0, outcome.stdout
    assert "not-listed" not in outcome.stdout


COMMANDS = {
    "bundle exec jekyll build": "jekyll",
    "hugo": "hugo",
    "mdbook build manual": "mdbook",
    "myst build --html": "myst",
    "npx @11ty/eleventy": "eleventy",
    "npx astro build": "starlight",
    "npx docusaurus build": "docusaurus",
    "npx vitepress build": "vitepress",
    "quarto render book": "quarto",
    "zensical build": "zensical",
}
"""The commands in the manual that build a site, and the projects that they stand for."""

PAGES_OF_THE_MANUAL = [ROOT / "docs" / "pages" / name for name in FOLLOWED_IN_PROJECTS]


def steps(block: Block) -> list[str]:
    """Return the commands of a job, one by one."""
    return [line for text in commands_in(yaml.safe_load(block.text)) for line in text.splitlines()]


def each_job() -> pytest.MarkDecorator:
    params: list[Any] = []
    for page in PAGES_OF_THE_MANUAL:
        for block in blocks(page):
            name = COMMANDS[steps(block)[0]]
            marks = [pytest.mark.environment] if name in BUILDS else []
            params.append(pytest.param(name, block, marks=marks, id=f"{page.stem}-{name}"))
    return pytest.mark.parametrize(("built", "block"), params, indirect=["built"])


@each_job()
def test_the_job_in_the_manual_does_what_it_says(
    built: Built, block: Block, tmp_path: Path
) -> None:
    """The first command has built the site already."""
    owner = Owner(tmp_path, home(tmp_path, Path(sys.executable).parent))
    owner.here = built.folder
    owner.let_a_service_run(replace(block, text=block.text.replace(steps(block)[0], "echo built")))
    build, *_ = (line for line in steps(block) if line.startswith("sitemapkit build"))
    outcome = run(*build.split(" && ")[0].split()[1:])
    assert outcome.code == 0
    assert outcome.stderr.splitlines()[0] == built.expected.says


def test_each_generator_has_a_page_in_the_manual_and_each_page_a_job() -> None:
    found = {COMMANDS[steps(block)[0]] for page in PAGES_OF_THE_MANUAL for block in blocks(page)}
    assert found == {*COMMANDS.values()}
    others = (ROOT / "docs" / "pages" / "other-generators.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in PAGES_OF_THE_MANUAL:
        assert f"]({page.name})" in others
        assert f"](docs/pages/{page.name})" in readme
