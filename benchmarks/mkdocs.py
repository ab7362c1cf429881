"""What the MkDocs plugin costs: CPU of whole builds with and without it, and beside a peer.

    python -m benchmarks.mkdocs [--rounds 7] [--pages 1000] [--checkout DIR --docs docs/en/docs]

The builds take turns, so that a machine that slows down slows all of them; each figure is user and
system time of a whole process with its children, git included. Dates are compared with the plugin
git-revision-date-localized, on a real checkout if one is given, else on a history made here.
Answers in Markdown.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measuring import (
    added,
    checkout,
    long_history,
    python_with,
    ratio,
    repository,
    run,
    take_turns,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

PEER = "mkdocs-git-revision-date-localized-plugin"


@dataclass(frozen=True)
class Variant:
    """A way to build a site: its name and the plugins it has."""

    name: str
    plugins: list[object]


PLAIN = Variant("without plugin", [])
OURS = Variant("sitemapkit", ["sitemapkit"])
UNDATED = Variant("sitemapkit without dates", [{"sitemapkit": {"lastmod": False}}])
THEIRS = Variant("git-revision-date-localized", ["git-revision-date-localized"])


def main() -> None:
    """Measure what the arguments ask for and print the answer."""
    asked = parse_arguments()
    python = python_with("mkdocs", *checkout("mkdocs"), PEER)
    print(versions(python, "mkdocs", PEER))
    with TemporaryDirectory() as folder:
        tiny = tiny_site(Path(folder, "tiny"), asked.pages)
        show(
            f"{asked.pages:,} tiny pages, theme mkdocs",
            measure(python, tiny, [PLAIN, OURS], asked.rounds),
        )
        docs = (
            Path(asked.checkout, asked.docs)
            if asked.checkout
            else long_history(Path(folder, "long"), ".md")
        )
        config = {"docs_dir": str(docs.resolve()), "theme": bare_theme(Path(folder, "theme"))}
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
    """Write a site of many small pages in folders of fifty."""
    for number in range(pages):
        page = folder / "docs" / f"{number // 50:03}" / f"{number:05}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# Page {number}\n\nA line of text.\n")
    write_config(folder, {})
    repository(folder)
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
    for name, values in seconds.items():
        more = median(added(values, base))
        share = 100 * (ratio(values, base) - 1)
        print(f"| {name} | {median(values):.2f} | {more:+.3f} | {share:+.2f} |")
    print(flush=True)


if __name__ == "__main__":
    main()
