"""What the Pelican plugin costs: CPU of whole builds without it, with it, and with pelican-sitemap.

    python -m benchmarks.pelican [--articles 10000] [--rounds 5]

A blog is made of short articles in 20 categories, with 300 tags and 10 authors; its lists show ten
articles a page. Its history has two commits: the second changed one article in ten. The builds take
turns, so that a machine that slows down slows all of them; each figure is user and system time of a
whole process with its children. Since a plugin's share is smaller than what two builds differ by
anyway, the processor time spent in loading it and in its signal handlers is taken as well, by a
clock around each, and set against the rest of the same build. How long it takes to read the heads
of all listed pages is measured on its own. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measuring import (
    Run,
    checkout,
    felt,
    python_with,
    repository,
    run,
    take_turns,
    versions,
)

PEER = "pelican-sitemap==1.2.2"
WORDS = (
    "the",
    "light",
    "of",
    "that",
    "star",
    "left",
    "it",
    "before",
    "anybody",
    "drew",
    "a",
    "map",
)

SETTINGS = """
SITENAME = "Blog"
SITEURL = "https://example.org"
PATH = "content"
TIMEZONE = "Europe/Berlin"
DEFAULT_PAGINATION = 10
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None
DELETE_OUTPUT_DIRECTORY = True
"""

BUILD = """
import importlib, json, sys, time
import blinker
from pelican import Pelican
from pelican.settings import read_settings

package, module, settings = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
start = time.process_time_ns()
if module:
    importlib.import_module(module)
loading = time.process_time_ns() - start
spent, kept, connect = {"collecting": 0, "writing": 0}, [], blinker.Signal.connect

def connect_timed(signal, receiver, *arguments, **more):
    if not receiver.__module__.startswith(package):
        return connect(signal, receiver, *arguments, **more)
    phase = "writing" if signal.name == "pelican_finalized" else "collecting"
    def timed(*arguments, **more):
        start = time.process_time_ns()
        try:
            return receiver(*arguments, **more)
        finally:
            spent[phase] += time.process_time_ns() - start
    timed.__module__ = "timed"
    kept.append(timed)
    return connect(signal, timed, *arguments, **more)

blinker.Signal.connect = connect_timed
Pelican(read_settings("pelicanconf.py", override=settings)).run()
print(json.dumps({**spent, "loading": loading}), file=sys.stderr)
"""

HEADS = """
import sys, time
from pathlib import Path
from sitemapkit.head import read_head
files = [Path(name) for name in sys.stdin.read().split()]
start = time.process_time_ns()
for file in files:
    read_head(file)
print(time.process_time_ns() - start, file=sys.stderr)
"""


@dataclass(frozen=True)
class Variant:
    """A plugin to build with: its name here, its name in PLUGINS, its package and module."""

    name: str
    plugin: str = ""
    package: str = "nothing"
    module: str = ""


@dataclass(frozen=True)
class Build:
    """Seconds of processor time: of the whole process, and of what the plugin does."""

    whole: float
    loading: float
    collecting: float
    writing: float

    @property
    def plugin(self) -> float:
        """All that the plugin takes."""
        return self.loading + self.collecting + self.writing

    @property
    def share(self) -> float:
        """The plugin's time as a share of the rest of the build."""
        return self.plugin / (self.whole - self.plugin)


VARIANTS = (
    Variant("without plugin"),
    Variant("sitemapkit", "sitemapkit", "pelican_sitemapkit", "pelican_sitemapkit.plugin"),
    Variant(
        "pelican-sitemap", "sitemap", "pelican.plugins.sitemap", "pelican.plugins.sitemap.sitemap"
    ),
)


def main() -> None:
    """Measure what the arguments ask for and print the answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--articles", type=int, default=10_000, help="size of the blog")
    parser.add_argument("--rounds", type=int, default=5, help="builds of each variant")
    asked = parser.parse_args()
    python = python_with("pelican", *checkout("pelican"), "markdown", PEER)
    print(versions(python, "pelican", "markdown", "pelican-sitemap"))
    with TemporaryDirectory() as folder:
        site = blog(Path(folder), asked.articles)
        builds = take_turns(VARIANTS, lambda variant: build(python, site, variant), asked.rounds)
        show(asked.articles, builds, site)
        heads = [read_heads(python, site) for _ in range(asked.rounds)]
        print(f"\nReading the heads of all listed pages alone: {median(heads):.2f} s.")


def blog(folder: Path, articles: int) -> Path:
    """Write the settings, the articles and the history of a blog, the same each time."""
    chance = random.Random(1)  # noqa: S311 - no secret
    (folder / "content").mkdir()
    (folder / "pelicanconf.py").write_text(SETTINGS)
    (folder / ".gitignore").write_text("output-*\n")
    for number in range(articles):
        tags = ", ".join(f"tag-{chance.randrange(300)}x" for _ in range(3))
        paragraphs = (" ".join(chance.choices(WORDS, k=60)) for _ in range(3))
        day = f"{2005 + number % 20}-{1 + number % 12:02}-{1 + number % 28:02}"
        lines = [
            f"Title: Article {number:05}",
            f"Date: {day} {number % 24:02}:{number % 60:02}",
            f"Category: Category {number % 20}c",
            f"Author: Author {number % 10}w",
            f"Tags: {tags}",
            "",
            "\n\n".join(paragraphs),
        ]
        (folder / "content" / f"{number:05}.md").write_text("\n".join(lines))
    repository(folder)
    for number in range(0, articles, 10):
        with (folder / "content" / f"{number:05}.md").open("a") as article:
            article.write("\n\nThis was said later.\n")
    repository(folder)
    return folder


def build(python: Path, site: Path, variant: Variant) -> Build:
    """Build the blog once, in a process of its own."""
    settings = json.dumps(
        {
            "PLUGINS": [variant.plugin] if variant.plugin else [],
            "OUTPUT_PATH": str(site / f"output-{variant.plugin}"),
        }
    )
    command = (python, "-c", BUILD, variant.package, variant.module, settings)
    done = run(command, cwd=site, keep=False)
    spent: dict[str, int] = json.loads(last_line(done))
    parts = (spent[name] / 1e9 for name in ("loading", "collecting", "writing"))
    return Build(done.cpu, *parts)


def read_heads(python: Path, site: Path) -> float:
    """Return the processor time of reading what the listed pages say in their heads."""
    output = site / "output-sitemapkit"
    sitemap = (output / "sitemap.xml").read_text()
    paths = [line.split("</loc>")[0] for line in sitemap.split("<loc>https://example.org/")[1:]]
    files = "\n".join(str(output / (path or "index.html")) for path in paths)
    return int(last_line(run([python, "-c", HEADS], cwd=site, given=files.encode()))) / 1e9


def last_line(done: Run) -> str:
    """Return what a process said last."""
    return done.errors.strip().splitlines()[-1]


def show(articles: int, builds: dict[Variant, list[Build]], site: Path) -> None:
    """Print a Markdown table; shares are of the same build's time without the plugin's."""
    print(f"### A blog of {articles:,} articles, processor time\n")
    print("| blog | URLs | whole build | plugin | loading | with each page | at the end | share |")
    print("|---|---|---|---|---|---|---|---|")
    for variant, made in builds.items():
        file = site / f"output-{variant.plugin}" / "sitemap.xml"
        urls = f"{file.read_text().count('<loc>'):,}" if file.exists() else ""
        figures = [
            f"{median(one.whole for one in made):.1f} s",
            f"{median(one.plugin for one in made):.2f} s",
            f"{median(one.loading for one in made):.2f} s",
            f"{median(one.collecting for one in made):.2f} s",
            f"{median(one.writing for one in made):.2f} s",
            f"{median(one.share for one in made):.2%}",
        ]
        print(f"| {variant.name} | {urls} | {' | '.join(figures)} |")
    plain, ours, theirs = builds.values()
    felt(
        f"{articles:,} articles, Pelican",
        median(one.plugin for one in ours),
        plain=median(one.whole for one in plain),
        other="pelican-sitemap",
        theirs=median(one.plugin for one in theirs),
    )


if __name__ == "__main__":
    main()
