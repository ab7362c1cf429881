"""Write the page that shows what builds say: `python docs/outputs.py`, with all three generators.

A small site is built by each generator in four situations; where one shows what all say, one is
shown. A test writes it again and compares.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = Path(__file__).parent / "pages" / "output.md"
HOME = "/home/you"
"""What the folder of the sites is called on the page."""

ADDRESS = "https://example.org"
WIDTH = 96

TEXT = """# What a build says

For those who want to know what the lines in the log mean: here is what sitemapkit logs for a small
site, in strict builds, which fail on a warning. The number below `$ echo $?` is the exit code.

## All is well

One line says what was written, what was not listed and why, and where dates come from. [Why is a
page missing?](faq.md#why-is-a-page-missing) shows how to see the reason for a page.

{fine}

## A shallow clone

Dates missing from the history are left out, and one line says how to get them
([Build in CI](ci.md)).

{shallow}

## A project site below a path

One line says what to write into the `robots.txt` at the root of the host
([why](ci.md#a-project-site-below-a-path)).

{below}

## A strict build that fails

The lines above are no warnings, so these builds pass. A warning means that the sitemap needs a fix:
here a page has an invalid priority. Pelican and Sphinx say the same; Sphinx calls the rule
`sitemap.bad-metadata`, and leaves out the names of notes.

{strict}
"""


@dataclass(frozen=True)
class Generator:
    """A generator with a site of three pages, one of which is not listed."""

    command: str
    """A strict build."""

    files: Mapping[str, str]
    wrong: tuple[str, str]
    """A file with a mistake in its metadata."""


GENERATORS = (
    Generator(
        "mkdocs build --strict",
        {
            "mkdocs.yml": f"site_name: Tea\nsite_url: {ADDRESS}/\nplugins: [sitemapkit]\n",
            "docs/index.md": "# Tea\n\nLeaves and water.\n",
            "docs/brewing.md": "# Brewing\n\nThree minutes.\n",
            "docs/notes.md": "---\nsitemap: false\n---\n# Notes\n\nFor me alone.\n",
        },
        ("docs/brewing.md", "---\npriority: high\n---\n# Brewing\n\nThree minutes.\n"),
    ),
    Generator(
        "pelican --fatal warnings",
        {
            "pelicanconf.py": f"""SITENAME = "Tea"
SITEURL = "{ADDRESS}"
TIMEZONE = "UTC"
PATH = "content"
PLUGINS = ["sitemapkit"]
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = None
""",
            "content/harvest.md": "Title: Harvest\nDate: 2026-05-01\n\nIt is here.\n",
            "content/pages/brewing.md": "Title: Brewing\n\nThree minutes.\n",
            "content/pages/notes.md": "Title: Notes\nSitemap: no\n\nFor me alone.\n",
        },
        ("content/pages/brewing.md", "Title: Brewing\nPriority: high\n\nThree minutes.\n"),
    ),
    Generator(
        "sphinx-build -W docs html",
        {
            "docs/conf.py": f"""project = "Tea"
html_baseurl = "{ADDRESS}/"
extensions = ["sphinx_sitemapkit"]
show_warning_types = True
""",
            "docs/index.rst": "Tea\n===\n\n.. toctree::\n\n   brewing\n   notes\n",
            "docs/brewing.rst": "Brewing\n=======\n\nThree minutes.\n",
            "docs/notes.rst": ":sitemap: false\n\nNotes\n=====\n\nFor me alone.\n",
        },
        ("docs/brewing.rst", ":priority: high\n\nBrewing\n=======\n\nThree minutes.\n"),
    ),
)


ONE_FOR_ALL = ("shallow", "below", "strict")
"""Situations in which all generators say the same, so one is shown."""


def all_said() -> dict[str, list[str]]:
    """Return what each generator says in each situation, by building all sites."""
    with TemporaryDirectory() as folder:
        homes = [Path(folder, str(number)) for number in range(len(GENERATORS))]
        built = [said(each, home) for each, home in zip(GENERATORS, homes, strict=True)]
    return {name: [each[name] for each in built] for name in built[0]}


def page(found: Mapping[str, list[str]]) -> str:
    """Return the text of the page."""
    shown = {name: blocks[:1] if name in ONE_FOR_ALL else blocks for name, blocks in found.items()}
    return TEXT.format(**{name: "\n\n".join(blocks) for name, blocks in shown.items()})


def said(generator: Generator, home: Path) -> dict[str, str]:
    """Return what the builds of one site say, by situation."""
    site = home / "tea"
    site.mkdir(parents=True)
    git(site, "init", "--quiet")
    for day, (name, text) in enumerate(generator.files.items(), 1):
        write(site / name, text)
        git(site, "add", name)
        git(site, "commit", "--quiet", "--message", name, day=day)
    git(home, "clone", "--quiet", "--depth=1", f"file://{site}", "shallow/tea")
    command = generator.command
    found = {"fine": built(command, site), "shallow": built(command, home / "shallow" / "tea")}
    settings = next(iter(generator.files))
    write(site / settings, generator.files[settings].replace(ADDRESS, f"{ADDRESS}/tea"))
    found["below"] = built(command, site)
    write(site / settings, generator.files[settings])
    write(site / generator.wrong[0], generator.wrong[1])
    git(site, "commit", "--quiet", "--all", "--message", "A priority", day=9)
    return {**found, "strict": built(command, site)}


def built(command: str, site: Path) -> str:
    """Run a build; return it with our lines and its exit code as a block of code."""
    program, *arguments = command.split()
    module = "sphinx" if program == "sphinx-build" else program
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=site,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if "sitemapkit: " in line]
    text = "\n".join(map(shown, lines)).replace(str(site.parent), HOME)
    wrapped = "\n".join(wrap(line) for line in text.splitlines())
    return f"```text\n$ {command}\n{wrapped}\n$ echo $?\n{done.returncode}\n```"


def shown(line: str) -> str:
    """Return a line without the time, and the name of the file that logged it."""
    return re.sub(
        r"^\[[0-9:]+\] |\s+\w+\.py:\d+\s*$", "", re.sub(r"^ {11}(?=\S)", "", line)
    ).rstrip()


def wrap(line: str) -> str:
    """Return a line broken into several, as a terminal would."""
    return textwrap.fill(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def write(file: Path, text: str) -> None:
    """Write a file, in a folder that is made."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def git(folder: Path, *arguments: str, day: int = 1) -> None:
    """Run git on a day of May."""
    moment = f"2026-05-{day:02}T12:00:00Z"
    environment = {
        **os.environ,
        **{f"GIT_{who}_NAME": "Ann" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "ann@example.org" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_DATE": moment for who in ("AUTHOR", "COMMITTER")},
    }
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True)


ENVIRONMENT = {
    **os.environ,
    "COLUMNS": "1000",
    "DISABLE_MKDOCS_2_WARNING": "true",
    "NO_COLOR": "1",
    "NO_MKDOCS_2_WARNING": "1",
    "TERM": "dumb",
}

if __name__ == "__main__":
    PAGE.write_text(page(all_said()), encoding="utf-8")
