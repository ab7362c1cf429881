"""The example sites, built by their generators, copied to other addresses and served."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from ..programs import GENERATORS, run_python
from .conftest import run
from .servers import Reply, Website

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXAMPLES = Path(__file__).parents[2] / "example-sites"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@dataclass(frozen=True)
class Example:
    """How a site is built and where to, and what its author leaves out or takes in on purpose."""

    command: Sequence[str]
    output: str
    on_purpose: Sequence[str]


EXAMPLE_SITES: Mapping[str, Example] = {
    "mkdocs": Example(["mkdocs", "build", "--quiet"], "site", ["--exclude", "thanks/"]),
    "pelican": Example(
        ["pelican", "--quiet"],
        "output",
        ["--exclude", "balcony-log/", "--exclude", "drafts/", "--exclude", "tag/notes.html"],
    ),
    "sphinx": Example(
        ["sphinx", "-q", ".", "_build/html"],
        "_build/html",
        ["--exclude", "colophon.html", "--include", "genindex.html"],
    ),
}


def build_example(name: str, folder: Path) -> Path:
    """Copy an example's sources into a folder and build them; return the built site."""
    example = EXAMPLE_SITES[name]
    source = folder / name
    made = shutil.ignore_patterns("site", "output", "_build")
    shutil.copytree(EXAMPLES / name, source, ignore=made)
    done = run_python("-m", *example.command, folder=source, loads=GENERATORS[name])
    assert done.returncode == 0, done.stderr
    return source / example.output


def moved(site: Path, to: Path, base: str) -> Path:
    """Copy a built site, as if it had been built for another address."""
    old = json.loads(run("check", site, "--json", "--fail-on", "never").stdout)["site"]
    copy = Path(shutil.copytree(site, to, dirs_exist_ok=True))
    for file in copy.rglob("*"):
        if file.suffix in (".html", ".xml", ".txt", ".atom"):
            file.write_text(file.read_text("utf-8").replace(old, base), "utf-8")
    for file in copy.glob("*.gz"):
        file.unlink()
    return copy


def locs(file: Path) -> list[str]:
    """Return the URLs that a sitemap or an index names."""
    return [loc.text or "" for loc in etree.parse(file).getroot().iter(LOC)]


def serve(website: Website, folder: Path) -> None:
    """Let a website answer with the files of a folder."""
    for file in folder.rglob("*.*"):
        if file.is_file():
            website.replies[f"/{file.relative_to(folder)}"] = Reply(file.read_bytes())
