"""What the smallest sites pay: builds of 30 pages with and without a plugin, and what each loads.

    python -m benchmarks.small [--pages 30] [--rounds 15]

A small site pays what a plugin costs at least: its modules, and the processes of git. The builds
take turns, so that a machine that slows down slows all of them; a cost is user and system time of a
whole process with its children, and what is added is the median of the differences within a round.
So it is not the difference of the two medians beside it, and it is negative where a plugin adds
less than rounds differ.
Every page was changed in the last of two commits, so git dates it and reads its older text. MkDocs
always writes a sitemap, which the plugin replaces; Pelican and Sphinx write none.

Python itself reports what it loads and how long that takes (`-X importtime`): here are the modules
that a build without a sitemap does not load, with the shortest time of each. What such a
plugin needs in any case is named beside: msgspec, on which all records stand, and Python's module
of processes.
Answers in Markdown.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks import mkdocs, pelican, sphinx
from benchmarks.measuring import (
    added,
    checkout,
    felt,
    python_with,
    repository,
    run,
    take_turns,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LOADINGS = 5
"""Builds of each variant whose loading is timed."""

OURS, UNDATED, WITHOUT = "sitemapkit", "sitemapkit without dates", "without"

BUILD = """
import atexit, resource, runpy, sys
def tell():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(used.ru_utime + used.ru_stime, file=sys.__stderr__)
atexit.register(tell)
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""Says at the end how much processor time its children took."""


@dataclass(frozen=True)
class Generator:
    """How to build a site: the environment, the text of a page, the build of each variant."""

    name: str
    requirements: tuple[str, ...]
    shown: tuple[str, ...]
    """Packages whose versions are told."""

    page: str
    files: Mapping[str, str]
    """The other files of the site; in the names of pages and here `{}` is the number."""

    builds: Mapping[str, tuple[str, ...]]
    """The arguments of Python, by variant."""


def mkdocs_config(*plugins: object) -> str:
    """Return the settings of a variant (YAML is a superset of JSON)."""
    own = {"site_name": "Site", "site_url": "https://example.org/", "plugins": plugins}
    return json.dumps(own)


def pelican_settings(*lines: str) -> str:
    """Return the settings of a variant."""
    return "\n".join(["from pelicanconf import *", *lines, ""])


MKDOCS = Generator(
    "MkDocs",
    (*checkout("mkdocs"), mkdocs.MATERIAL, mkdocs.PEER),
    ("mkdocs",),
    "docs/{}.md",
    {
        "docs/{}.md": "# Page {}\n\nA line of text.\n",
        "without.yml": mkdocs_config(),
        "ours.yml": mkdocs_config("sitemapkit"),
        "undated.yml": mkdocs_config({"sitemapkit": {"lastmod": False}}),
    },
    {
        WITHOUT: ("mkdocs", "build", "-q", "-f", "without.yml"),
        OURS: ("mkdocs", "build", "-q", "-f", "ours.yml"),
        UNDATED: ("mkdocs", "build", "-q", "-f", "undated.yml"),
    },
)
PELICAN = Generator(
    "Pelican",
    (*checkout("pelican"), "markdown", pelican.PEER),
    ("pelican", "pelican-sitemap"),
    "content/{}.md",
    {
        "content/{}.md": "Title: Page {}\nDate: 2024-01-01\n\nA line of text.\n",
        "pelicanconf.py": pelican.SETTINGS,
        "without.py": pelican_settings("PLUGINS = []"),
        "ours.py": pelican_settings('PLUGINS = ["sitemapkit"]'),
        "undated.py": pelican_settings('PLUGINS = ["sitemapkit"]', 'SITEMAP = {"lastmod": False}'),
        "theirs.py": pelican_settings('PLUGINS = ["sitemap"]'),
    },
    {
        WITHOUT: ("pelican", "-q", "-s", "without.py", "-o", "without"),
        OURS: ("pelican", "-q", "-s", "ours.py", "-o", "ours"),
        UNDATED: ("pelican", "-q", "-s", "undated.py", "-o", "undated"),
        "pelican-sitemap": ("pelican", "-q", "-s", "theirs.py", "-o", "theirs"),
    },
)
SPHINX_BUILD = ("sphinx", "-q", "-E", "-a")
SPHINX = Generator(
    "Sphinx",
    (*checkout("sphinx"), *sphinx.PEERS),
    ("sphinx", "sphinx-sitemap"),
    "{}.rst",
    {
        "{}.rst": "Page {}\n=======\n\nA line of text.\n",
        "index.rst": "Site\n====\n\n.. toctree::\n   :glob:\n\n   [0-9]*\n",
        "conf.py": 'html_baseurl = "https://example.org/"\nhtml_theme = "basic"\n',
    },
    {
        WITHOUT: (*SPHINX_BUILD, ".", "without"),
        OURS: (*SPHINX_BUILD, "-D", "extensions=sphinx_sitemapkit", ".", "ours"),
        UNDATED: (
            *(*SPHINX_BUILD, "-D", "extensions=sphinx_sitemapkit"),
            *("-D", "sitemap_show_lastmod=0", ".", "undated"),
        ),
        "sphinx-sitemap": (*SPHINX_BUILD, "-D", "extensions=sphinx_sitemap", ".", "theirs"),
    },
)


@dataclass(frozen=True)
class Spent:
    """Seconds of processor time of one build, and how much of that was git."""

    whole: float
    children: float


def main() -> None:
    """Measure what the arguments ask for and print the answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=30, help="size of each site")
    parser.add_argument("--rounds", type=int, default=15, help="builds of each variant")
    asked = parser.parse_args()
    for generator in (MKDOCS, PELICAN, SPHINX):
        with TemporaryDirectory() as folder:
            measure(generator, Path(folder, "site"), asked.pages, asked.rounds)


def measure(generator: Generator, folder: Path, pages: int, rounds: int) -> None:
    """Build with one generator, and print what came out."""
    python = python_with(generator.name.lower(), *generator.requirements)
    print(f"### {generator.name}, {pages} pages\n")
    print(versions(python, *generator.shown, "msgspec"))
    site, builds = make_site(folder, generator, pages), generator.builds
    spent = take_turns(builds, lambda name: build(python, site, builds[name]), rounds)
    show_builds(f"{pages} small pages, {generator.name}", spent)
    show_loading(python, site, builds)


def make_site(folder: Path, generator: Generator, pages: int) -> Path:
    """Write a site in a repository; its second commit changes each page."""
    for name, text in generator.files.items():
        for number in range(pages) if "{}" in name else (0,):
            file = folder / name.format(number)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("{}", str(number)))
    repository(folder)
    for number in range(pages):
        file = folder / generator.page.format(number)
        file.write_text(f"{file.read_text()}\nAnd another one.\n")
    repository(folder)
    return folder


def build(python: Path, site: Path, arguments: Sequence[str]) -> Spent:
    """Build once, in a process of its own."""
    done = run([python, "-c", BUILD, *arguments], cwd=site, keep=False)
    return Spent(done.cpu, float(done.errors.strip().splitlines()[-1]))


def show_builds(what: str, spent: Mapping[str, Sequence[Spent]]) -> None:
    """Print a Markdown table; the first variant is what the others are compared with."""
    print("| build | processor time | added | of that, git |\n|---|---|---|---|")
    base = [each.whole for each in next(iter(spent.values()))]
    more: dict[str, float] = {}
    for name, taken in spent.items():
        whole = [each.whole for each in taken]
        git = median(each.children for each in taken)
        more[name] = median(added(whole, base))
        print(f"| {name} | {1000 * median(whole):.0f} ms | {ms(more[name])} | {ms(git)} |")
    other = next((name for name in spent if name not in (WITHOUT, OURS, UNDATED)), "")
    felt(what, more[OURS], plain=median(base), other=other, theirs=more.get(other, 0))


def show_loading(python: Path, site: Path, builds: Mapping[str, Sequence[str]]) -> None:
    """Print a Markdown table of what each variant loads beyond the first."""
    print("| loaded by | modules | all | ours or theirs | msgspec | of Python |")
    print("|---|---|---|---|---|---|")
    known = loaded(python, site, builds[WITHOUT])
    for name, arguments in builds.items():
        if name == WITHOUT:
            continue
        new = {k: v for k, v in loaded(python, site, arguments).items() if k not in known}
        msgspec = sum(time for module, time in new.items() if module.startswith("msgspec"))
        own = sum(time for module, time in new.items() if "sitemap" in module)
        whole = sum(new.values())
        rest = whole - own - msgspec
        print(f"| {name} | {len(new)} | {ms(whole)} | {ms(own)} | {ms(msgspec)} | {ms(rest)} |")
    print(flush=True)


def loaded(python: Path, site: Path, arguments: Sequence[str]) -> dict[str, float]:
    """Return the modules that a build loads, with the shortest time of each in seconds."""
    found: dict[str, float] = {}
    for _ in range(LOADINGS):
        lines = run([python, "-X", "importtime", "-m", *arguments], cwd=site, keep=False).errors
        for own, name in re.findall(r"(?m)^import time: +(\d+) \| +\d+ \| *(\S+)$", lines):
            found[name] = min(int(own) / 1e6, found.get(name, 1.0))
    return found


def ms(seconds: float) -> str:
    """Return a time as it is shown."""
    return f"{1000 * seconds:.1f} ms"


if __name__ == "__main__":
    main()
