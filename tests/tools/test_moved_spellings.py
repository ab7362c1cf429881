"""Redirects that `sitemapkit moved` writes: each tool makes of them what answers old addresses."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ..environments import python_with
from .conftest import run
from .deployed import Deployed, deployed, html, text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.environment

HOME = "https://example.org/"


@dataclass(frozen=True)
class Project:
    """A project of one generator, whose page `old` becomes `new`, in a folder."""

    environment: str
    command: Sequence[str]
    settings: str
    begins: str
    """How the settings begin, so that redirects can follow."""

    sources: str
    page: str
    """A page, with `TITLE` and `TEXT`."""

    suffix: str
    out: str
    tool: str


MARKDOWN = "# TITLE\n\nTEXT\n"
PROJECTS = {
    "mkdocs": Project(
        "material",
        ["-m", "mkdocs", "build", "--strict", "--quiet"],
        "mkdocs.yml",
        f"site_name: Tea\nsite_url: {HOME}\n",
        "docs",
        MARKDOWN,
        ".md",
        "site",
        "mkdocs-redirects",
    ),
    "mkdocs without directories": Project(
        "material",
        ["-m", "mkdocs", "build", "--strict", "--quiet"],
        "mkdocs.yml",
        f"site_name: Tea\nsite_url: {HOME}\nuse_directory_urls: false\n",
        "docs",
        MARKDOWN,
        ".md",
        "site",
        "mkdocs-redirects",
    ),
    "zensical": Project(
        "generators",
        ["-m", "zensical", "build", "--clean"],
        "zensical.toml",
        f'[project]\nsite_name = "Tea"\nsite_url = "{HOME}"\n',
        "docs",
        MARKDOWN,
        ".md",
        "site",
        "zensical",
    ),
    "sphinx": Project(
        "extensions",
        ["-m", "sphinx", "-q", "-W", "-b", "html", ".", "_build"],
        "conf.py",
        f'project = "Tea"\nhtml_baseurl = "{HOME}"\nextensions = ["sphinx_reredirects"]\n',
        "",
        ":orphan:\n\nTITLE\n===========\n\nTEXT\n",
        ".rst",
        "_build",
        "sphinx-reredirects",
    ),
    "sphinx with directories": Project(
        "extensions",
        ["-m", "sphinx", "-q", "-W", "-b", "dirhtml", ".", "_build"],
        "conf.py",
        f'project = "Tea"\nhtml_baseurl = "{HOME}"\nextensions = ["sphinx_reredirects"]\n',
        "",
        ":orphan:\n\nTITLE\n===========\n\nTEXT\n",
        ".rst",
        "_build",
        "sphinx-reredirects",
    ),
}


def build(folder: Path, project: Project) -> Path:
    """Build the project; return the site."""
    python = str(python_with(project.environment))
    done = subprocess.run(
        [python, *project.command], cwd=folder, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / project.out


def write(folder: Path, project: Project, name: str, title: str, words: str) -> Path:
    file = folder / project.sources / f"{name}{project.suffix}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(project.page.replace("TITLE", title).replace("TEXT", words))
    return file


@pytest.mark.parametrize("name", PROJECTS)
def test_a_generator_answers_old_addresses_with_what_is_written_for_it(
    tmp_path: Path, name: str
) -> None:
    project = PROJECTS[name]
    folder = tmp_path / "project"
    old = write(folder, project, "storing", "Storing", text("storing"))
    write(folder, project, "index", "Tea", text("home"))
    (folder / project.settings).write_text(project.begins)
    site = build(folder, project)
    before = site.rename(tmp_path / "before")

    old.unlink()
    write(folder, project, "guide/keeping", "Keeping tea", text("storing"))
    site = build(folder, project)
    flags = ("moved", site, "--old", before, "--base-url", HOME, "--ignore", "_static/")
    killed = run(*flags, "--json")
    (dead,) = json.loads(killed.stdout)["dead"]
    assert dead["url"] in (f"{HOME}storing/", f"{HOME}storing.html")

    outcome = run(*flags, "--as", "auto")
    assert outcome.stdout == run(*flags, "--as", project.tool).stdout
    (folder / project.settings).write_text(f"{project.begins}{outcome.stdout}")
    assert run(*flags, "--fail").code == 1  # nothing was changed
    site = build(folder, project)
    assert run(*flags, "--fail").stdout.startswith("All of ")


PELICAN = "Title: TITLE\nDate: 2024-05-01\nSlug: SLUG\nMORE\nTEXT\n"


def test_pelican_answers_old_addresses_with_what_is_written_for_it(tmp_path: Path) -> None:
    python = str(python_with("extensions"))
    folder = tmp_path / "project"
    (folder / "content").mkdir(parents=True)
    (folder / "pelicanconf.py").write_text(f'SITEURL = "{HOME[:-1]}"\nSITENAME = "Tea"\n')

    def built(slug: str, more: str = "") -> Path:
        page = PELICAN.replace("TITLE", "Storing").replace("SLUG", slug).replace("MORE", more)
        (folder / "content" / "storing.md").write_text(page.replace("TEXT", f"\n{text('storing')}"))
        command = [python, "-m", "pelican", "--quiet", "--delete-output-directory"]
        subprocess.run(command, cwd=folder, check=True)
        return folder / "output"

    before = built("storing").rename(tmp_path / "before")
    site = built("keeping")
    flags = ("moved", site, "--old", before, "--base-url", HOME)
    outcome = run(*flags, "--as", "auto")
    file, line = outcome.stdout.splitlines()
    assert file == "keeping.html"
    assert run(*flags, "--fail").code == 1
    built("keeping", line.strip() + "\n")
    assert run(*flags, "--fail").stdout.startswith("All of ")


FLAGS = ("--branch", "gh-pages", "--base-url", HOME)


@pytest.fixture
def site(tmp_path: Path) -> Deployed:
    """A site whose pages moved, one of them to an address with a space and an umlaut."""
    made = deployed(tmp_path)
    made.deploy(
        {
            "index.html": html("Home", text("home")),
            "a b.html": html("Spaces", text("spaces")),
            "storing/index.html": html("Storing", text("storing")),
        }
    )
    made.build(
        {
            "a b.html": None,
            "storing/index.html": None,
            "räume/index.html": html("Spaces", text("spaces")),
            "guide/keeping/index.html": html("Storing", text("storing")),
        }
    )
    return made


@pytest.mark.parametrize("form", ["html", "_redirects"])
def test_what_is_in_the_output_is_applied_only_if_that_is_asked_for(
    site: Deployed, form: str
) -> None:
    flags = (*FLAGS, "--repository", site.root)
    before = sorted(site.site.rglob("*"))
    assert run("moved", site.site, *flags, "--as", form).code == 0
    assert sorted(site.site.rglob("*")) == before
    outcome = run("moved", site.site, *flags, "--as", form, "--apply")
    assert outcome.code == 0
    assert "Wrote 2 redirects." in outcome.stderr
    assert run("moved", site.site, *flags, "--fail").stdout.startswith("All of 3 ")
    issues = json.loads(run("check", site.site, "--json", "--base-url", HOME).stdout)["issues"]
    assert not {each["id"] for each in issues} & {"redirect", "canonical-dead"}


def test_rules_that_are_there_stay(site: Deployed) -> None:
    site.build({"_redirects": "/feed /rss.xml"})
    flags = (*FLAGS, "--repository", site.root)
    run("moved", site.site, *flags, "--as", "_redirects", "--apply")
    lines = (site.site / "_redirects").read_text().splitlines()
    assert lines[0] == "/feed /rss.xml"
    assert lines[1:] == ["/a%20b.html /r%C3%A4ume/ 301", "/storing/ /guide/keeping/ 301"]


def test_nginx_gets_a_map_of_decoded_paths(site: Deployed) -> None:
    flags = (*FLAGS, "--repository", site.root)
    lines = run("moved", site.site, *flags, "--as", "nginx").stdout.splitlines()
    assert '    "/a b.html" "/r%C3%A4ume/";' in lines
    assert '    "/storing/" "/guide/keeping/";' in lines


def test_what_is_not_sure_is_written_only_if_that_is_asked_for(site: Deployed) -> None:
    site.build({"guide/keeping/index.html": None})
    links = {"How to store": "/storing/"}
    site.deploy(
        {
            "storing/index.html": html("A box", "Tea."),
            "index.html": html("Home", text("home"), links=links),
        }
    )
    links = {"How to store": "/guide/keeping/"}
    site.deploy(
        {
            "index.html": html("Home", text("home"), links=links),
            "storing/index.html": None,
            "guide/keeping/index.html": html("Keeping", text("keeping")),
        }
    )
    assert "-> perhaps" in run("moved", site.site, *FLAGS, "--repository", site.root).stdout
    flags = (*FLAGS, "--repository", site.root)
    outcome = run("moved", site.site, *flags, "--as", "_redirects")
    assert "/storing/" not in outcome.stdout
    assert "1 dead address without a sure proposal" in outcome.stderr
    outcome = run("moved", site.site, *flags, "--as", "_redirects", "--perhaps")
    assert "/storing/ /guide/keeping/ 301" in outcome.stdout
