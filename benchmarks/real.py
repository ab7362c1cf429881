"""What a real site's build takes with dates: `python -m benchmarks.real`.

    python -m benchmarks.real [NAME[=REPOSITORY] ...] [--sites FILE] [--rounds N]

Each site is built from its repository as its authors build it: plainly, with sitemapkit, and with
the tool of its generator that writes dates into the sitemap or the pages. Builds take turns, and
each round is compared with itself. Figures are processor time of the build with all that it starts,
such as git. The pages of some sites show Python code, whose old versions are parsed to tell whether
what they show has changed. REPOSITORY, a path or a URL, replaces the one that the file of sites
names. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measuring import CHILD_ENVIRON, added, checkout, felt, python_with, run, take_turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SITES = Path(__file__).with_name("sites.toml")
BASE = "https://example.org/"


@dataclass(frozen=True)
class Generator:
    """How a generator is run, and with which other tool it dates pages."""

    configuration: str
    command: Sequence[str]
    """After Python; `{out}` is the folder to write to."""

    plugin: str
    other: str
    other_plugins: Sequence[str]
    other_requirements: Sequence[str]


GENERATORS: Mapping[str, Generator] = {
    "mkdocs": Generator(
        "mkdocs.yml",
        ("-m", "mkdocs", "build", "--quiet", "--site-dir", "{out}"),
        plugin="sitemapkit",
        other="git-revision-date-localized",
        other_plugins=("git-revision-date-localized",),
        other_requirements=("mkdocs-git-revision-date-localized-plugin",),
    ),
    "pelican": Generator(
        "pelicanconf.py",
        ("-m", "pelican", "--quiet", "--settings", "pelicanconf.py", "--output", "{out}"),
        plugin="sitemapkit",
        other="pelican-sitemap, which knows no dates of changes",
        other_plugins=("sitemap",),
        other_requirements=("pelican-sitemap",),
    ),
    "sphinx": Generator(
        "conf.py",
        ("-m", "sphinx", "-q", "-E", "-b", "html", ".", "{out}"),
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
    without: Sequence[str] = field(default=())


def main() -> None:
    """Measure the sites that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME[=REPOSITORY]", help="instead of all sites"
    )
    parser.add_argument("--sites", type=Path, default=SITES)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    known = read_sites(asked.sites)
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
    ways: Mapping[str, Sequence[str]] = {
        "plain": (),
        "ours": (generator.plugin,),
        "other": generator.other_plugins,
    }
    with TemporaryDirectory() as folder:
        source, out = Path(folder, "source"), Path(folder, "site")
        subprocess.run(["git", "clone", "--quiet", repository, str(source)], check=True)
        subprocess.run(["git", "-C", str(source), "checkout", "-q", site.commit], check=True)
        configuration = source / site.folder / generator.configuration
        original = configuration.read_text(encoding="utf-8")
        for pattern in site.without:
            original = re.sub(pattern, "", original, flags=re.MULTILINE)
        CHILD_ENVIRON["PYTHONPATH"] = os.pathsep.join(str(source / path) for path in site.paths)
        pages = 0

        def build(way: str) -> float:
            nonlocal pages
            configuration.write_text(with_plugins(site.generator, original, ways[way]), "utf-8")
            command = [part.format(out=out) for part in generator.command]
            taken = run([python, *command], cwd=configuration.parent, keep=False)
            if way == "ours":
                pages = (out / "sitemap.xml").read_text("utf-8").count("<loc>")
            return taken.cpu

        take_turns(ways, build, 1)  # bytecode is written, and caches are filled
        taken = take_turns(ways, build, rounds)
    show(site, pages, taken)


def with_plugins(generator: str, configuration: str, plugins: Sequence[str]) -> str:
    """Return a configuration with plugins after its own."""
    if generator == "mkdocs":
        return with_mkdocs_plugins(configuration, plugins)
    name, base = (
        ("PLUGINS", "SITEURL") if generator == "pelican" else ("extensions", "html_baseurl")
    )
    return (
        f"{configuration}\n{name} = [*globals().get({name!r}, []), *{list(plugins)!r}]\n"
        f"{base} = globals().get({base!r}) or {BASE!r}\n"
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


def show(site: Site, pages: int, taken: Mapping[str, Sequence[float]]) -> None:
    """Print what a site's build takes, and how much more with each tool."""
    ours, theirs = (median(added(taken[way], taken["plain"])) for way in ("ours", "other"))
    other = GENERATORS[site.generator].other
    what = f"{site.name}, {pages} pages, {site.generator}"
    felt(what, ours, plain=median(taken["plain"]), other=other, theirs=theirs)


if __name__ == "__main__":
    main()
