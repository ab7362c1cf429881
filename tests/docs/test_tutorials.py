"""The tutorials, followed word for word by somebody who has nothing yet.

So each extra of the wheel is installed alone, into a fresh environment, and a site is built and
checked with it; and so is the wheel without an extra.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from .reader import PAGES, ROOT, Reader, blocks, home

pytestmark = pytest.mark.manual

GENERATORS = ("mkdocs", "pelican", "sphinx")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OTHERS = {"", *PROJECT["optional-dependencies"]} - {"all", *GENERATORS}
"""Extras without a generator; the empty one is none."""


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of this checkout, where pip finds it before any index."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    return folder


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Commit this checkout, as it is; return what makes git take it for our public repository."""
    folder = tmp_path_factory.mktemp("repository") / ".git"
    git = ["git", f"--git-dir={folder}", f"--work-tree={ROOT}"]
    who = ["-c", "user.name=A Maintainer", "-c", "user.email=maintainer@example.org"]
    subprocess.run(["git", "init", "--quiet", str(folder.parent)], check=True)
    subprocess.run([*git, "add", "--all"], cwd=ROOT, check=True)
    subprocess.run([*git, *who, "commit", "--quiet", "--message", "Now"], cwd=ROOT, check=True)
    instead = {"KEY_0": f"url.{folder.as_uri()}.insteadOf", "VALUE_0": PROJECT["urls"]["Source"]}
    return {f"GIT_CONFIG_{name}": value for name, value in (instead | {"COUNT": "1"}).items()}


@pytest.fixture
def newcomer(wheels: Path, repository: dict[str, str], tmp_path: Path) -> Reader:
    """Somebody in an empty folder, with Python and git."""
    environment = home(tmp_path, Path(sys.executable).resolve().parent)
    return Reader(tmp_path, environment | repository | {"PIP_FIND_LINKS": str(wheels)})


def installed(environment: Path) -> set[str]:
    """Return the generators in an environment, by the folders of their metadata."""
    names = {file.name.partition("-")[0].lower() for file in environment.rglob("*.dist-info")}
    return names & {*GENERATORS, "properdocs"}


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_newcomer_gets_what_the_tutorial_shows(generator: str, newcomer: Reader) -> None:
    newcomer.follow(PAGES / f"tutorial-{generator}.md")
    assert newcomer.compared == 3
    assert installed(newcomer.here / ".venv") == {generator}


@pytest.mark.parametrize(
    "name", ["README.md", *(f"docs/pages/tutorial-{g}.md" for g in GENERATORS)]
)
def test_what_is_installed_is_there_before_the_first_release(name: str) -> None:
    """In front of the line for releases are those that need none: from our public repository."""
    lines = re.findall(r'pip install "sitemapkit(\[\w+\])( @ .*?)?"', (ROOT / name).read_text())
    *newest, (extra, released) = lines
    assert {place for _, place in newest} == {f" @ git+{PROJECT['urls']['Source']}"}
    assert (extra, released) == (newest[0][0], "")


@pytest.mark.parametrize("generator", GENERATORS)
def test_what_powershell_does_not_know_has_a_row_for_windows(generator: str) -> None:
    page = PAGES / f"tutorial-{generator}.md"
    commands = [
        line
        for block in blocks(page)
        if block.language == "console"
        for line in block.text.splitlines()
    ]
    known = (
        "mkdir ",
        "cd ",
        "cat ",
        "pip ",
        "git ",
        "sitemapkit ",
        "mkdocs ",
        "pelican ",
        "sphinx-",
    )
    rows = re.findall(r"^\| `(.+)` \| `.+` \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert [line for line in commands if not line.startswith(known)] == rows


@pytest.mark.parametrize("extra", sorted(OTHERS))
def test_the_commands_need_no_generator(extra: str, newcomer: Reader) -> None:
    shutil.copytree(Path(__file__).parent / "site" / "public", newcomer.here / "public")
    commands = f"""
        python3 -m venv .venv
        . .venv/bin/activate
        pip install --quiet "sitemapkit[{extra}]"
        sitemapkit build public --base-url https://example.org/ --set 'formats=["xml", "gz"]'
        sitemapkit check public
    """
    said = newcomer.type(commands.replace("[]", ""), "the commands")
    assert "note not-linked: " in said  # which is true of two pages
    assert "\n2 notes: 6 URLs in 1 sitemap" in said
    assert installed(newcomer.here / ".venv") == set()
