"""Somebody who follows a page: writes its files, types its commands, compares what it shows.

In front of a block, or in its title, stands the name of the file that it belongs to. What has no
name is typed into a terminal (`console`), is the same in PowerShell, or is what they print (`text`,
`xml`). Tabs are read one after the other.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree
from markdown_it import MarkdownIt

from ..environments import pins

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "pages"
OUTPUTS = ("text", "xml")

_NAME = re.compile(r"`([^`]+)`:")
_TITLE = re.compile(r'title="([^"]+)"')
_TAB = " " * 4
_NEW_TAB = '=== "'
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")
_PROGRAM = re.compile(
    r"""
    (?:sitemapkit|mkdocs|mike|git)\ [^;)\n]*  # a command of a program that is the same everywhere
    """,
    re.VERBOSE,
)
_IDENTITY = {"NAME": "A Newcomer", "EMAIL": "newcomer@example.org"}


@dataclass(frozen=True)
class Block:
    """A block of code: a file to write, commands to type, or what they print."""

    language: str
    name: str
    text: str
    place: str
    """The page and its line, for messages."""

    is_in_tab: bool = False


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page: with fences, and those that are merely indented."""
    text = page.read_text(encoding="utf-8")
    in_tabs = _in_tabs(text)
    tokens = MarkdownIt().parse(
        "\n".join(
            "" if line.startswith(_NEW_TAB) else line.removeprefix(_TAB * (number in in_tabs))
            for number, line in enumerate(text.splitlines())
        )
    )
    for number, token in enumerate(tokens):
        if token.type in ("fence", "code_block"):
            before = tokens[number - 2] if number > 1 else token
            is_paragraph = tokens[number - 1].type == "paragraph_close"
            language, _, attributes = token.info.partition(" ")
            found = _TITLE.fullmatch(attributes) or (
                _NAME.fullmatch(before.content) if is_paragraph else None
            )
            shown = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page.name
            line = (token.map or [0])[0]
            named = found[1] if found else ""
            yield Block(language, named, token.content, f"{shown}:{line + 1}", line in in_tabs)


def _in_tabs(text: str) -> set[int]:
    """Return the numbers of the lines that are in tabs, which are indented."""
    found: set[int] = set()
    in_tab = False
    for number, line in enumerate(text.splitlines()):
        in_tab = line.startswith(_NEW_TAB) or (in_tab and (not line or line.startswith(_TAB)))
        if in_tab:
            found.add(number)
    return found


def home(folder: Path, *programs: Path) -> dict[str, str]:
    """Return the environment of somebody who has nothing but the programs in some folders.

    What they install is what is locked, so that tests say the same on each day.
    """
    network = ("PIP_", "UV_", "SSL_CERT_")  # how this machine reaches an index
    kept = {name: value for name, value in os.environ.items() if name.startswith(network)}
    path = [*map(str, programs), "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        **kept,
        **pins(),
        "UV_CONSTRAINT": pins()["PIP_CONSTRAINT"],
        **{
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in _IDENTITY.items()
        },
        "PATH": os.pathsep.join(path),
        "HOME": str(folder / "home"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONWARNINGS": "error::DeprecationWarning:__main__",
        "DISABLE_MKDOCS_2_WARNING": "true",
        "NO_MKDOCS_2_WARNING": "1",
    }


class Reader:
    """Follows a page in a folder of their own, with nothing of the environment but `home`."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment
        self.here = folder
        self.activated = ""
        self.printed: str | None = None
        self.typed = ""
        self.compared = 0

    def follow(self, page: Path) -> None:
        """Do all that the page says."""
        for block in blocks(page):
            self.do(block)

    def do(self, block: Block) -> None:
        """Do what one block says."""
        if block.name:
            self.put(block)
        elif block.language == "console":
            self.printed = self.type(block.text, block.place)
            self.typed = block.text
            return
        elif block.language == "powershell":
            self.compare(block)
            return
        elif block.language in OUTPUTS:
            self.look(block)
        else:
            known = f"neither named, nor `console`, nor an output: {block.language!r}"
            raise AssertionError(f"{block.place}: {known}")
        self.printed = None

    def put(self, block: Block) -> None:
        """Write a file."""
        self.write(block.name, block.text)

    def write(self, name: str, text: str) -> Path:
        """Write a file below the folder the reader is in."""
        file = self.here / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def type(self, commands: str, place: str) -> str:
        """Type commands; return what they print."""
        script = f"set -e\n{self.activated}{commands}\npwd > {self.folder}/where\n"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.here,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{place}:\n{commands}{done.stdout}{done.stderr}"
        self.here = Path((self.folder / "where").read_text().strip())
        if "/activate" in commands:
            self.activated = ". .venv/bin/activate\n"
        return done.stdout

    def compare(self, block: Block) -> None:
        """Compare commands for PowerShell with those that were typed: programs do the same."""
        ours, theirs = (_PROGRAM.findall(text) for text in (self.typed, block.text))
        assert ours, f"{block.place}: no commands are in front of those for PowerShell"
        assert theirs == ours, f"{block.place}: {theirs} are not {ours}"

    def look(self, block: Block) -> None:
        """Compare what the last commands have printed; what stands alone is well formed."""
        if self.printed:
            expected, found = (_MOMENT.sub("MOMENT", each) for each in (block.text, self.printed))
            assert found == expected, f"{block.place}:\n{self.printed}"
            self.compared += 1
        elif block.language == "xml":
            etree.fromstring(f"<urlset>{block.text}</urlset>")
