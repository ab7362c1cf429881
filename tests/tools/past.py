"""Repositories of small sites, and a generator that builds one in no time."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sitemapkit.lastmod.ledger import read_ledger

from ..textdates.git.conftest import day_of
from .conftest import run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..textdates.git.conftest import Content, Repo
    from .conftest import Outcome

GENERATOR = """
import os, re, sys, time
from pathlib import Path
out, docs, theme = Path(sys.argv[1]), Path("docs"), Path("theme.html")
if Path("broken").exists():
    print("The site is broken today.")
    sys.exit(1)
if Path("slow.txt").exists():
    time.sleep(600)
settings = Path("mkdocs.yml").read_text()
if found := re.search("docs_dir: (.*)", settings):
    docs = Path(found[1])
for file in docs.rglob("*.md"):
    text = re.sub("<([a-z]*[.]txt)>", lambda found: Path(found[1]).read_text(), file.read_text())
    page = out / file.relative_to(docs).with_suffix(".html")
    page.parent.mkdir(parents=True, exist_ok=True)
    shown = theme.read_text().replace("TEXT", text) if theme.exists() else text
    page.write_text(f"<title>Tea</title><main>{shown}</main>")
with open(sys.argv[2], "a") as log:
    log.write("built\\n")
if 0 < int(os.environ.get("HANG_AFTER", 0)) <= Path(sys.argv[2]).read_text().count("built"):
    time.sleep(600)
"""
"""Makes a page of each .md, in which `<x.txt>` stands for that file, in the frame of theme.html."""


@dataclass
class Past:
    """A site with a history."""

    repo: Repo
    generator: Path
    ledger: Path
    log: Path
    """Has a line for each build."""

    def commit(self, day: float, files: Mapping[str, Content]) -> int:
        """Add a commit; the files of pages are named without folder and suffix."""
        return self.repo.commit(day, {self.name(name): text for name, text in files.items()})

    @staticmethod
    def name(name: str) -> str:
        return name if "." in name or "/" in name or name == "broken" else f"docs/{name}.md"

    @property
    def command(self) -> str:
        return f'"{sys.executable}" "{self.generator}" {{out}} "{self.log}"'

    def learn(self, *arguments: object) -> Outcome:
        self.repo.save()
        given = ("--build", self.command, "--ledger", self.ledger, *arguments)
        return run("learn", self.repo.folder, *given)

    def days(self, *arguments: object) -> dict[str, float | None]:
        """Learn, and return the day of each page, by its name."""
        outcome = self.learn(*arguments)
        assert outcome.code == 0, outcome.stderr
        return self.dated()

    def dated(self) -> dict[str, float | None]:
        """Return the day of each page in the ledger, by its name."""
        return dated(self.ledger)

    @property
    def builds(self) -> int:
        return len(self.log.read_text().splitlines())

    def everything(self) -> dict[str, bytes]:
        """Return all files of the user's checkout with their contents, those of git too."""
        found = (file for file in self.repo.folder.rglob("*") if file.is_file())
        return {str(file): file.read_bytes() for file in found}


def dated(ledger: Path) -> dict[str, float | None]:
    """Return the day of each page in a ledger, by its path without slashes and suffix."""
    days: dict[str, float | None] = {}
    for line in read_ledger(ledger).lines:
        name = line.path.strip("/").removesuffix(".html") or "index"
        days[name] = day_of(line.changed) if isinstance(line.changed, datetime) else None
    return days


def without_settings() -> dict[str, str]:
    """Return variables that keep the machine's git configuration out."""
    return {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
