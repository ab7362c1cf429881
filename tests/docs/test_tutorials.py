"""The tutorials, followed word for word by somebody who has nothing yet."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "pages"

_BLOCK = re.compile(
    r"(?:^`(?P<title>[^`\n]+)`:\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")


@dataclass(frozen=True)
class Block:
    """A block of code: a file to write, commands to run, or what the last ones print."""

    language: str
    title: str | None
    text: str


def blocks(page: Path) -> list[Block]:
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(each["language"], each["title"], each["text"]) for each in found]


class Newcomer:
    """Follows a page in an empty folder, with nothing of the environment but where programs are."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment
        self.project = folder
        self.activated = ""
        self.printed = ""

    def follow(self, page: Path) -> int:
        """Do all that the page says; return how many outputs were compared."""
        compared = 0
        for block in blocks(page):
            if block.title:
                self._write(block)
            elif block.language == "console":
                self._run(block.text)
            elif block.language in ("xml", "text"):
                self._compare(block.text)
                compared += 1
        return compared

    def _write(self, block: Block) -> None:
        file = self.project / str(block.title)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")

    def _run(self, commands: str) -> None:
        script = f"set -e\n{self.activated}{commands}pwd > {self.folder}/where\n"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self.printed = done.stdout
        self.project = Path((self.folder / "where").read_text().strip())
        if "activate" in commands:
            self.activated = ". .venv/bin/activate\n"

    def _compare(self, text: str) -> None:
        assert _MOMENT.sub("MOMENT", self.printed) == _MOMENT.sub("MOMENT", text)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of this checkout, where pip finds it before any index."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    return folder


@pytest.fixture
def environment(wheels: Path, tmp_path: Path) -> Mapping[str, str]:
    """The environment of a newcomer: programs, a home of their own, and where packages are."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    python = Path(sys.executable).resolve().parent
    identity = {"NAME": "A Newcomer", "EMAIL": "newcomer@example.org"}
    return {
        **kept,
        **{
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in identity.items()
        },
        "PATH": f"{python}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(tmp_path / "home"),
        "PIP_FIND_LINKS": str(wheels),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


@pytest.mark.parametrize("generator", ["mkdocs", "pelican", "sphinx"])
def test_a_newcomer_gets_what_the_tutorial_shows(
    generator: str, environment: dict[str, str], tmp_path: Path
) -> None:
    newcomer = Newcomer(tmp_path, environment)
    assert newcomer.follow(PAGES / f"tutorial-{generator}.md") == 2
