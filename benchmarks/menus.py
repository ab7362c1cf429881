"""What commands take on finished sites as they are, with a menu on each page, and a peer.

    python -m benchmarks.menus [--sizes 100,1000,5000] [--rounds 3]

Each theme's generator builds a few pages, which are multiplied: each has a text of its own and the
menu of all pages, as the theme writes it, or in the blog the cloud of all tags; half of its pages
are articles, half are lists of one tag. A menu has at most 1,000 links: with all 5,000 the pages
would be five times as large again, as those of no site are. `diff --content` compares
the site with one in which each twentieth page had another address. The peer, static-sitemap-cli
from npm, lists pages by their names.

Figures are milliseconds of processor time a page, of whole processes with their children. In
brackets is the growth since the size before: that of the time by that of the bytes, so that 1 or
less is linear. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measuring import node_peers, python_with, run, take_turns, versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PACKAGES = ("mkdocs", "mkdocs-material", "sphinx", "sphinx-rtd-theme", "pelican", "markdown")
PEER = "static-sitemap-cli"
BASE = "https://example.org/"
LINKS = 1_000
"""Of the longest menu."""

FEW = 6
"""Pages of each kind that a generator builds."""

FIRST = "-00000"
"""The end of the names of those that are multiplied."""

TEXT = "What only one page says."
"""Stands for the text of a page."""


@dataclass(frozen=True)
class Theme:
    """How a few pages are made: files, where `{}` is a number, and the arguments of Python."""

    files: Mapping[str, str]
    command: Sequence[str]
    menu: str = "chapter"
    """How the names of what is in the menu begin."""

    kinds: int = 1
    """Of pages, with so many of each."""


def mkdocs(theme: str) -> Theme:
    """Return a site of MkDocs, whose menu is of all pages if it is not told otherwise."""
    settings = {"site_name": "Site", "site_url": BASE, "theme": theme}
    page = "# chapter-{}\n\n" + TEXT
    files = {"mkdocs.yml": json.dumps(settings), "docs/chapter-{}.md": page, "docs/index.md": TEXT}
    return Theme(files, ("mkdocs", "build", "-q", "-d", "out"))


CLOUD = """{% block content %}{{ super() }}<p>
{% for tag, articles in tags|sort %}
<a href="{{ SITEURL }}/{{ tag.url }}" class="size-{{ articles|count }}">{{ tag }}</a>
{% endfor %}</p>{% endblock %}"""

THEMES = {
    "MkDocs": mkdocs("mkdocs"),
    "Material": mkdocs("material"),
    "Read the Docs (Sphinx)": Theme(
        {
            "conf.py": f'html_theme = "sphinx_rtd_theme"\nhtml_baseurl = "{BASE}"\n',
            "chapter-{}.rst": f"chapter-{{}}\n=============\n\n{TEXT}\n",
            "index.rst": "Site\n====\n\n.. toctree::\n   :glob:\n\n   chapter*\n",
        },
        ("sphinx", "-q", ".", "out"),
    ),
    "Pelican, tags": Theme(
        {
            "settings.py": f'SITEURL = "{BASE[:-1]}"\nTHEME = "theme"\nDEFAULT_LANG = "en"\n'
            'TIMEZONE = "UTC"\n',
            "theme/templates/article.html": '{% extends "!simple/article.html" %}' + CLOUD,
            "theme/templates/tag.html": '{% extends "!simple/tag.html" %}' + CLOUD,
            "content/chapter-{}.md": "Title: chapter-{}\nDate: 2024-01-02\nTags: tag-{}\n\n" + TEXT,
        },
        ("pelican", "-q", "content", "-s", "settings.py", "-o", "out"),
        menu="tag",
        kinds=2,
    ),
}


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", default="100,1000,5000", help="of the sites, in pages")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    python = python_with("menus", *PACKAGES)
    print(versions(python, *PACKAGES))
    print(f"| site | pages | MB | build | check | diff | {PEER} |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, theme in THEMES.items():
        before: dict[str, float] = {}
        for size in map(int, asked.sizes.split(",")):
            with TemporaryDirectory() as folder:
                length = make_site(Path(folder), theme, python, size)
                turns = measure(ways_for(Path(folder)), asked.rounds)
            cells = [name, f"{size:,}", f"{length / 1e6:.1f}"]
            for way, seconds in turns.items():
                cost = median(seconds) / length
                cells.append(f"{1000 * median(seconds) / size:.2f}")
                if way in before:
                    cells[-1] += f" ({cost / before[way]:.2f})"
                before[way] = cost
            print(f"| {' | '.join(cells)} |", flush=True)


def make_site(folder: Path, theme: Theme, python: Path, size: int) -> int:
    """Write a site, and what it was before some pages moved; return the bytes of its pages."""
    few = few_pages(folder / "few", theme, python)
    before, after = folder / "before", folder / "after"
    for site in (before, after):
        shutil.copytree(few, site, ignore=shutil.ignore_patterns("chapter-*", "tag-*"))
    count, length = size // theme.kinds, 0
    chance = random.Random(1)  # noqa: S311 - no secret
    for first in few.rglob("*.html"):
        if FIRST not in str(first):
            continue
        place = first.relative_to(few).as_posix()
        html = with_menu(first.read_text("utf-8"), theme.menu, min(count, LINKS))
        for number in range(count):
            words = chance.choices(range(10_000), k=200)
            page = html.replace(TEXT, " ".join(f"word{word}" for word in words))
            now = f"-{number:05}"
            length += write(after, place, page, now)
            write(before, place, page, now if number % 20 else f"{now}x")
    run(build(before), keep=False)
    return length


def few_pages(folder: Path, theme: Theme, python: Path) -> Path:
    """Build a few pages of each kind; return the folder of the output."""
    for name, text in theme.files.items():
        for number in range(FEW) if "{}" in name else (0,):
            file = folder / name.replace("{}", f"{number:05}")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("{}", f"{number:05}"), "utf-8")
    run([python, "-m", *theme.command], cwd=folder, keep=False)
    return folder / "out"


def with_menu(html: str, kind: str, links: int) -> str:
    """Return a page with a longer menu: what there is from one link to the next is repeated."""
    second, third, last = (html.index(f"{kind}-{number:05}") for number in (2, 3, FEW - 1))
    item = html[second:third]
    more = (item.replace(f"{2:05}", f"{number:05}") for number in range(FEW, links))
    return html[:last] + "".join(more) + html[last:]


def write(site: Path, place: str, html: str, name: str) -> int:
    """Write a page, which gets its name; return its size."""
    file = site / place.replace(FIRST, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    return file.write_bytes(html.replace(FIRST, name).encode())


def ways_for(folder: Path) -> dict[str, Sequence[str | Path]]:
    """Return the commands to measure; the first writes the sitemap that others read."""
    before, after = folder / "before", folder / "after"
    ways = {
        "build": build(after),
        "check": command("check", after, "--fail-on", "never"),
        "diff": command("diff", before, after, "--content"),
    }
    if shutil.which("npm"):
        ways[PEER] = [node_peers() / ".bin" / "sscli", "--base", BASE, "--root", after, "--stdout"]
    return ways


def build(site: Path) -> Sequence[str | Path]:
    """Return the command that reads a site as plain HTML, away from its project."""
    return command("build", site, "--base-url", BASE, "--generator", "none")


def measure(ways: Mapping[str, Sequence[str | Path]], rounds: int) -> dict[str, list[float]]:
    """Run all ways in turn; return the processor time that each took."""
    return take_turns(ways, lambda way: run(ways[way], keep=False).cpu, rounds)


def command(*arguments: str | Path) -> Sequence[str | Path]:
    """Return a command of ours."""
    return [sys.executable, "-m", "sitemapkit_tools", *arguments]


if __name__ == "__main__":
    main()
