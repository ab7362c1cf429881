"""What the MkDocs plugin costs: CPU of whole builds with and without it, and beside a peer.

    python -m benchmarks.mkdocs [--rounds 7] [--pages 1000] [--checkout DIR --docs docs/en/docs]

Two builds differ by more than what the plugin adds. So on tiny pages the loading of the plugin
and each of its events are timed, and the time of its git processes is added; all that is
compared with the rest of the same build, with dates and without. MkDocs' own sitemap, which the
plugin replaces, is timed in builds without it. The names of the files that MkDocs is to write are
asked for before the plugin does it, since MkDocs keeps them and needs them anyway. What such
a plugin needs in any case is measured beside: loading the library that it stands on, one git
process that lists the dates of all files, and a hook that does nothing, whose time is that of the
clocks.

The themes are those that come with MkDocs, Material, and a bare one of a single line.

Dates are compared with the plugin git-revision-date-localized, on a real checkout if one is given,
else on a history made here, by whole builds that take turns: user and system time of a process
with its children. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measuring import (
    added,
    checkout,
    felt,
    long_history,
    python_with,
    ratio,
    repository,
    run,
    take_turns,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PEER = "mkdocs-git-revision-date-localized-plugin"
MATERIAL = "mkdocs-material"


@dataclass(frozen=True)
class Variant:
    """A way to build a site: its name and the plugins it has."""

    name: str
    plugins: list[object]
    hooks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parts:
    """Seconds of processor time in one build."""

    whole: float
    """Of the process and its children."""

    loading: float
    events: float
    git: float
    replaced: float
    """In MkDocs' own sitemap, where it makes one."""

    @property
    def plugin(self) -> float:
        """All that the plugin takes."""
        return self.loading + self.events + self.git

    @property
    def share(self) -> float:
        """The plugin's time as a share of the rest of the build."""
        return self.plugin / (self.whole - self.plugin)


PLAIN = Variant("without plugin", [])
OURS = Variant("sitemapkit", ["sitemapkit"])
NOTHING = Variant("a hook that does nothing", [], ("no_sitemapkit.py",))
UNDATED = Variant("sitemapkit without dates", [{"sitemapkit": {"lastmod": False}}])
THEIRS = Variant("git-revision-date-localized", ["git-revision-date-localized"])

BUILD = """
import json, resource, sys, time
from importlib.metadata import EntryPoint
import mkdocs.__main__, mkdocs.theme
from mkdocs.commands import build
from mkdocs.config import load_config
from mkdocs.plugins import PluginCollection

spent = {"loading": 0, "events": 0, "replaced": 0}
load, register = EntryPoint.load, PluginCollection._register_event
theme_template = build._build_theme_template

def clocked(part, function, *arguments, **more):
    start = time.process_time_ns()
    try:
        return function(*arguments, **more)
    finally:
        spent[part] += time.process_time_ns() - start

def load_clocked(entry):
    return clocked("loading", load, entry) if "sitemapkit" in entry.value else load(entry)

def register_clocked(self, name, method, **more):
    if "sitemapkit" in method.__module__:
        event = method
        def method(*arguments, **more):
            return clocked("events", event, *arguments, **more)
        method.mkdocs_priority = getattr(event, "mkdocs_priority", 0)
    return register(self, name, method, **more)

def theme_template_clocked(name, *arguments):
    part = "replaced" if name == "sitemap.xml" else "others"
    spent.setdefault(part, 0)
    return clocked(part, theme_template, name, *arguments)

def ask_for_paths(env, config, files):
    for file in files:
        file.abs_dest_path

EntryPoint.load = load_clocked
PluginCollection._register_event = register_clocked
build._build_theme_template = theme_template_clocked
config = load_config(sys.argv[1])
config.plugins._register_event("env", ask_for_paths)
build.build(config)
children = resource.getrusage(resource.RUSAGE_CHILDREN)
spent["git"] = int(1e9 * (children.ru_utime + children.ru_stime))
print(json.dumps(spent))
"""

HOOK = """
def on_pre_build(config): pass
def on_env(env, config, files): pass
def on_post_page(output, page, config): pass
def on_post_build(config): pass
"""

LOADING = """
import time
import mkdocs.__main__, mkdocs.commands.build, mkdocs.theme, mkdocs.config.defaults
start = time.process_time_ns()
import msgspec
print(time.process_time_ns() - start)
"""


HEADINGS = (
    *("theme", "build without it", "loading", "events", "git", "together", "share"),
    *("share, less MkDocs' own sitemap", "share without dates"),
)


def main() -> None:
    """Measure what the arguments ask for and print the answer."""
    asked = parse_arguments()
    python = python_with("mkdocs", *checkout("mkdocs"), MATERIAL, PEER)
    print(versions(python, "mkdocs", MATERIAL, PEER))
    with TemporaryDirectory() as folder:
        tiny = tiny_site(Path(folder, "tiny"), asked.pages)
        bare = bare_theme(Path(folder, "theme"))
        named = {name: {"name": name} for name in ("mkdocs", "readthedocs", "material")}
        show_parts(python, tiny, {**named, "bare": bare}, asked)
        docs = (
            Path(asked.checkout, asked.docs)
            if asked.checkout
            else long_history(Path(folder, "long"), ".md")
        )
        config = {"docs_dir": str(docs.resolve()), "theme": bare}
        site = write_config(Path(folder, "dates"), config)
        show(
            f"dates of {len(list(docs.rglob('*.md')))} pages of {docs.name}, bare theme",
            measure(python, site, [PLAIN, UNDATED, OURS, THEIRS], asked.rounds),
        )


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="builds of each variant")
    parser.add_argument("--pages", type=int, default=1000, help="number of tiny pages")
    parser.add_argument("--checkout", type=Path, help="a git checkout to date the pages of")
    parser.add_argument("--docs", default="docs", help="its folder of pages")
    return parser.parse_args()


def tiny_site(folder: Path, pages: int) -> Path:
    """Write a site of many small pages in folders of fifty, each changed once, as in a clone."""
    for number in range(pages):
        page = folder / "docs" / f"{number // 50:03}" / f"{number:05}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# Page {number}\n\nA line of text.\n")
    write_config(folder, {})
    repository(folder)
    for file in folder.glob("docs/*/*.md"):
        file.write_text(f"{file.read_text()}And another one.\n")
    repository(folder)
    subprocess.run(["git", "-C", str(folder), "gc", "--quiet"], check=True)
    return folder


def bare_theme(folder: Path) -> dict[str, object]:
    """Write a theme that does next to nothing."""
    folder.mkdir()
    link = '<link rel="canonical" href="{{ page.canonical_url }}">'
    (folder / "main.html").write_text(f"<html><head>{link}</head>{{{{ page.content }}}}</html>")
    return {"name": None, "custom_dir": str(folder)}


def write_config(folder: Path, settings: Mapping[str, object]) -> Path:
    """Write a mkdocs.yml without plugins (YAML is a superset of JSON)."""
    folder.mkdir(parents=True, exist_ok=True)
    own = {"site_name": "Site", "site_url": "https://example.org/"}
    config: dict[str, object] = {**own, "plugins": [], **settings}
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    return folder


def measure(
    python: Path, site: Path, variants: list[Variant], rounds: int
) -> dict[str, list[float]]:
    """Build the site with each variant in turn; return {variant: CPU seconds of each build}."""
    for variant in variants:
        write_variant(site, variant)
    names = [variant.name for variant in variants]
    return take_turns(names, lambda name: cpu_of_build(python, site, name), rounds)


def show_parts(
    python: Path, site: Path, themes: Mapping[str, object], asked: argparse.Namespace
) -> None:
    """Build the site with each theme, with and without the plugin, and print a Markdown table."""
    print(f"### What the plugin takes of a build of {asked.pages:,} tiny pages, processor time\n")
    print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    for name, theme in themes.items():
        rounds = [
            [parts_of_build(python, site, variant, theme) for variant in (PLAIN, OURS, UNDATED)]
            for _ in range(asked.rounds)
        ]
        plain, ours, _ = by_variant = list(zip(*rounds, strict=True))
        print(f"| {name} | {' | '.join(row(*by_variant))} |", flush=True)
        if name == "material":
            whole = median(build.whole for build in plain)
            plugin = median(build.plugin for build in ours)
            felt(f"{asked.pages:,} tiny pages, MkDocs, Material", plugin, plain=whole)
    (site / NOTHING.hooks[0]).write_text(HOOK)
    nothing = [
        1000 * parts_of_build(python, site, NOTHING, theme).events
        for theme in themes.values()
        for _ in range(asked.rounds)
    ]
    loading = [int(run((python, "-c", LOADING)).output) / 1e6 for _ in range(asked.rounds)]
    log = ("git", "log", "--format=%ct", "--name-only", "-z")
    git = [1000 * run((*log, "--", "docs"), cwd=site).cpu for _ in range(asked.rounds)]
    print(
        f"\nLoading msgspec alone: {median(loading):.1f} ms."
        f" One git process that lists all dates: {median(git):.1f} ms."
        f" A hook that does nothing at the same events: {median(nothing):.1f} ms.\n"
    )


def parts_of_build(python: Path, site: Path, variant: Variant, theme: object) -> Parts:
    """Build once, with clocks."""
    own = {"plugins": variant.plugins, "hooks": variant.hooks, "theme": theme}
    (site / "timed.yml").write_text(json.dumps({"INHERIT": "mkdocs.yml", **own}))
    build = run((python, "-c", BUILD, "timed.yml"), cwd=site)
    spent: dict[str, int] = json.loads(build.output)
    parts = (spent[name] / 1e9 for name in ("loading", "events", "git", "replaced"))
    return Parts(build.cpu, *parts)


def row(plain: Sequence[Parts], ours: Sequence[Parts], undated: Sequence[Parts]) -> list[str]:
    """Return the cells of a table: medians of all rounds."""
    without = median(build.whole for build in plain)
    rounds = zip(ours, plain, strict=True)
    net = median((build.plugin - old.replaced) / old.whole for build, old in rounds)
    return [
        f"{without:.2f} s",
        f"{1000 * median(build.loading for build in ours):.0f} ms",
        f"{1000 * median(build.events for build in ours):.0f} ms",
        f"{1000 * median(build.git for build in ours):.0f} ms",
        f"{1000 * median(build.plugin for build in ours):.0f} ms",
        f"{median(build.share for build in ours):.2%}",
        f"{net:.2%}",
        f"{median(build.share for build in undated):.2%}",
    ]


def write_variant(site: Path, variant: Variant) -> None:
    """Write the config of one variant."""
    config = {"INHERIT": "mkdocs.yml", "plugins": variant.plugins}
    (site / f"{variant.name}.yml").write_text(json.dumps(config))


def cpu_of_build(python: Path, site: Path, name: str) -> float:
    """Build once; return the processor seconds."""
    command = (python, "-m", "mkdocs", "build", "--quiet", "-f", f"{name}.yml")
    return run(command, cwd=site, keep=False).cpu


def show(title: str, seconds: dict[str, list[float]]) -> None:
    """Print a Markdown table; the first variant is what the others are compared with."""
    print(f"### {title}\n\n| build | CPU s, median | added, median | added % |\n|---|---|---|---|")
    base = next(iter(seconds.values()))
    more = {name: median(added(values, base)) for name, values in seconds.items()}
    for name, values in seconds.items():
        share = 100 * (ratio(values, base) - 1)
        print(f"| {name} | {median(values):.2f} | {more[name]:+.3f} | {share:+.2f} |")
    other, plain = THEIRS.name, median(base)
    felt(f"MkDocs, {title}", more[OURS.name], plain=plain, other=other, theirs=more[other])
    print(flush=True)


if __name__ == "__main__":
    main()
