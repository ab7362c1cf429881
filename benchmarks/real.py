"""What real sites pay for dates: `python -m benchmarks.real`.

    python -m benchmarks.real [NAME[=REPOSITORY] ...] [--sites FILE] [--rounds N]

Each site is built from its repository at the commit that `benchmarks/sites.toml` names: plainly,
with sitemapkit, and with what its users would take instead, which for MkDocs and Sphinx writes the
dates of git, too. Each is built twice: first from nothing, then as people build who write, where
nothing has changed: Sphinx by the same command with what it has kept, MkDocs by `mkdocs serve` and
Pelican by `pelican --autoreload` in their process. Figures are seconds of the processor with all
that a build starts, such as git: **without** is the plain build, and the other columns are what a
tool adds to it. All ways take turns, each round is compared with itself, and the figures are the
medians. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measuring import CHILD_ENVIRON, ROOT, added, checkout, python_with, run, take_turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SITES = Path(__file__).with_name("sites.toml")
TWICE = Path(__file__).with_name("twice.py")
BASE = "https://example.org/"


@dataclass(frozen=True)
class Generator:
    """How a generator is run, and with which other tool it dates pages."""

    configuration: str
    commands: Sequence[Sequence[str]]
    """After Python, for one build each, or for both; `{out}` is the folder to write to, which is
    new."""

    plugin: str
    other: str
    other_plugins: Sequence[str]
    other_requirements: Sequence[str]


GENERATORS: Mapping[str, Generator] = {
    "mkdocs": Generator(
        "mkdocs.yml",
        [("-P", str(TWICE), "{result}", "mkdocs", "serve", "--quiet")],
        plugin="sitemapkit",
        other="git-revision-date-localized",
        other_plugins=("git-revision-date-localized",),
        other_requirements=("mkdocs-git-revision-date-localized-plugin",),
    ),
    "pelican": Generator(
        "pelicanconf.py",
        [
            (
                *("-P", str(TWICE), "{result}", "pelican", "--autoreload", "--quiet"),
                *("--settings", "pelicanconf.py", "--output", "{out}"),
            )
        ],
        plugin="sitemapkit",
        other="pelican-sitemap",
        other_plugins=("sitemap",),
        other_requirements=("pelican-sitemap",),
    ),
    "sphinx": Generator(
        "conf.py",
        [("-m", "sphinx", "-q", "-b", "html", ".", "{out}")] * 2,
        plugin="sphinx_sitemapkit",
        other="sphinx-sitemap with sphinx-last-updated-by-git",
        other_plugins=("sphinx_sitemap", "sphinx_last_updated_by_git"),
        other_requirements=("sphinx-sitemap", "sphinx-last-updated-by-git"),
    ),
}


@dataclass(frozen=True)
class Site:
    """A site as the file of sites describes it."""

    name: str
    repository: str
    generator: str
    requirements: Sequence[str] = ()
    commit: str = "HEAD"
    folder: str = "."
    paths: Sequence[str] = ()
    base: str = BASE
    without: Sequence[str] = field(default=())


def main() -> None:
    """Measure the sites that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME[=REPOSITORY]",
        help="these sites, or a path or URL for one",
    )
    parser.add_argument("--sites", type=Path, default=SITES)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    known = read_sites(asked.sites)
    print(HEAD)
    for each in asked.names or known:
        name, _, repository = each.partition("=")
        if name not in known:
            raise SystemExit(f"{asked.sites} has no site {name!r}; it has {', '.join(known)}")
        measure(known[name], repository or known[name].repository, asked.rounds)


def read_sites(file: Path) -> Mapping[str, Site]:
    """Return the sites of a file by name."""
    stated = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Site(name, **values) for name, values in stated.items()}


def measure(site: Site, repository: str, rounds: int) -> None:
    """Build a site in each way, by turns, and print what came out."""
    generator = GENERATORS[site.generator]
    ours, theirs = checkout(site.generator), generator.other_requirements
    python = python_with(f"real-{site.name}", *ours, *site.requirements, *theirs)
    run([python, "-m", "compileall", "-q", ROOT / "core", ROOT / "plugins"])  # as pip does
    ways: Mapping[str, Sequence[str]] = {
        "plain": (),
        "ours": (generator.plugin,),
        "other": generator.other_plugins,
    }
    pages: set[int] = set()
    with TemporaryDirectory() as folder:
        source, out, result = Path(folder, "source"), Path(folder, "site"), Path(folder, "result")
        subprocess.run(["git", "clone", "--quiet", repository, str(source)], check=True)
        subprocess.run(["git", "-C", str(source), "checkout", "-q", site.commit], check=True)
        configuration = source / site.folder / generator.configuration
        original = configuration.read_text(encoding="utf-8")
        for pattern in site.without:
            original = re.sub(pattern, "", original, flags=re.MULTILINE)
        CHILD_ENVIRON["PATH"] = os.pathsep.join([str(python.parent), os.environ["PATH"]])
        CHILD_ENVIRON["PYTHONPATH"] = os.pathsep.join(str(source / path) for path in site.paths)

        def build(way: str) -> Sequence[float]:
            configuration.write_text(
                with_plugins(site.generator, original, ways[way], site.base), "utf-8"
            )
            shutil.rmtree(out, ignore_errors=True)
            costs: list[float] = []
            for command in generator.commands:
                arguments = [part.format(out=out, result=result) for part in command]
                done = run([python, *arguments], cwd=configuration.parent, keep=False)
                costs.append(done.cpu)
            if result.exists():
                costs, urls = json.loads(result.read_text("utf-8"))
            else:
                urls = urls_in(out)
            if way == "ours":
                pages.add(urls)
            return costs

        taken = take_turns(ways, build, rounds)
    for number, which in enumerate(("first", "again")):
        each = {way: [costs[number] for costs in builds] for way, builds in taken.items()}
        print(row(site, max(pages), which, each), flush=True)


def urls_in(site: Path) -> int:
    """Return how many URLs a site's sitemap has, if it has one."""
    sitemap = site / "sitemap.xml"
    return sitemap.read_text("utf-8").count("<loc>") if sitemap.exists() else 0


def with_plugins(
    generator: str, configuration: str, plugins: Sequence[str], base: str = BASE
) -> str:
    """Return a configuration with plugins after its own."""
    if generator == "mkdocs":
        return with_mkdocs_plugins(configuration, plugins)
    name, url = ("PLUGINS", "SITEURL") if generator == "pelican" else ("extensions", "html_baseurl")
    return (
        f"{configuration}\n{name} = [*globals().get({name!r}, []), *{list(plugins)!r}]\n"
        f"{url} = globals().get({url!r}) or {base!r}\n"
        "sitemap_show_lastmod = True\n"
    )


def with_mkdocs_plugins(configuration: str, plugins: Sequence[str]) -> str:
    """Return a mkdocs.yml with plugins before its own, which are a list or a mapping."""
    if not re.search(r"(?m)^site_url:", configuration):
        configuration = f"site_url: {BASE}\n{configuration}"
    start = re.search(
        r"(?m)^plugins:[ ]*\n(?:[ ]*(?:#.*)?\n)*(?P<indent>[ ]*)(?P<dash>- )?", configuration
    )
    if not start:
        return f"{configuration}\nplugins: {['search', *plugins]}\n"
    lines = (f"- {each}" if start["dash"] else f"{each}: {{}}" for each in plugins)
    added_lines = "".join(f"{start['indent']}{line}\n" for line in lines)
    at = start.start("indent")
    return configuration[:at] + added_lines + configuration[at:]


HEAD = """\
| site | URLs | build | without | sitemapkit | another tool | which |
|---|--:|---|--:|--:|--:|---|"""


def row(site: Site, urls: int, which: str, taken: Mapping[str, Sequence[float]]) -> str:
    """Return a line of the table: what a build takes, and how much more with each tool."""
    plain = median(taken["plain"])
    cells = [f"{site.name}, {site.generator}", f"{urls:,}", which, f"{plain:.2f} s"]
    for way in ("ours", "other"):
        more = median(added(taken[way], taken["plain"]))
        cells.append(f"{more:+.2f} s ({more / plain:+.0%})")
    return f"| {' | '.join([*cells, GENERATORS[site.generator].other])} |"


if __name__ == "__main__":
    main()
