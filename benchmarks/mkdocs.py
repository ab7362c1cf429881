"""What the MkDocs plugin costs: CPU of whole builds with and without it, and beside a peer.

    python benchmarks/mkdocs.py [--rounds 7] [--pages 1000] [--checkout DIR --docs docs/en/docs]

The builds take turns, so that a machine that slows down slows all of them; each figure is user and
system time of a whole process with its children, git included. Dates are compared with the plugin
git-revision-date-localized, on a real checkout if one is given, else on a history made here.
Answers in Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[1]
PEER = "mkdocs-git-revision-date-localized-plugin"
HISTORY = 8_000
"""Commits of the history that is made where no checkout is given; FastAPI has about as many."""


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
    python = python_with_peer()
    with TemporaryDirectory() as folder:
        tiny = tiny_site(Path(folder, "tiny"), asked.pages)
        show(
            f"{asked.pages:,} tiny pages, theme mkdocs",
            measure(python, tiny, [PLAIN, OURS], asked.rounds),
        )
        docs = Path(asked.checkout, asked.docs) if asked.checkout else long_history(Path(folder))
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


def python_with_peer() -> Path:
    """Return the Python of an environment with sitemapkit, MkDocs and the peer, made once."""
    folder = ROOT / ".cache" / "environments" / "bench-mkdocs"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, "--editable", f"{ROOT}[mkdocs]", PEER], check=True)
    return python


def tiny_site(folder: Path, pages: int) -> Path:
    """Write a site of many small pages in folders of fifty."""
    for number in range(pages):
        page = folder / "docs" / f"{number // 50:03}" / f"{number:05}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# Page {number}\n\nA line of text.\n")
    write_config(folder, {})
    import_history(folder, ["docs"])
    return folder


def long_history(folder: Path) -> Path:
    """Write 150 pages and a history of commits that change one of them each."""
    root = folder / "long"
    docs = root / "docs"
    docs.mkdir(parents=True)
    for number in range(150):
        (docs / f"{number:03}.md").write_text(f"# Page {number}\n")
    import_history(root, [f"docs/{number % 150:03}.md" for number in range(HISTORY)])
    return docs


def import_history(root: Path, changed: list[str]) -> None:
    """Make a repository: each commit changes one path, the last ones to what lies there now."""
    git = ["git", "-C", str(root)]
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    stream = "\n".join(
        commit(root, path, number, is_old=number < len(changed) - 150)
        for number, path in enumerate(changed)
    )
    subprocess.run([*git, "fast-import", "--quiet"], input=stream + "\n", text=True, check=True)
    subprocess.run([*git, "reset", "--quiet"], check=True)


def commit(root: Path, path: str, number: int, *, is_old: bool) -> str:
    """Return a commit of a file, or of all pages in a folder, as git fast-import reads it."""
    when = 1_600_000_000 + number * 3600
    lines = ["commit refs/heads/main", f"committer A <a@example.org> {when} +0000", "data 1", "x"]
    files = [root / path] if (root / path).is_file() else sorted((root / path).rglob("*.md"))
    for file in files:
        text = file.read_text() + (f"{number}\n" if is_old else "")
        lines += [f"M 100644 inline {file.relative_to(root)}", f"data {len(text)}", text]
    return "\n".join(lines)


def bare_theme(folder: Path) -> dict[str, object]:
    """Write a theme that does next to nothing."""
    folder.mkdir()
    link = '<link rel="canonical" href="{{ page.canonical_url }}">'
    (folder / "main.html").write_text(f"<html><head>{link}</head>{{{{ page.content }}}}</html>")
    return {"name": None, "custom_dir": str(folder)}


def write_config(folder: Path, settings: Mapping[str, object]) -> Path:
    """Write a mkdocs.yml without plugins (YAML is a superset of JSON)."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"site_name": "Site", "site_url": "https://example.org/", "plugins": [], **settings}
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    return folder


def measure(
    python: Path, site: Path, variants: list[Variant], rounds: int
) -> dict[str, list[float]]:
    """Build the site with each variant in turn; return {variant: CPU seconds of each build}."""
    seconds: dict[str, list[float]] = {variant.name: [] for variant in variants}
    for variant in variants:
        write_variant(site, variant)
    for _ in range(rounds):
        for variant in variants:
            seconds[variant.name].append(cpu_of_build(python, site, variant))
    return seconds


def write_variant(site: Path, variant: Variant) -> None:
    """Write the config of one variant."""
    config = {"INHERIT": "mkdocs.yml", "plugins": variant.plugins}
    (site / f"{variant.name}.yml").write_text(json.dumps(config))


def cpu_of_build(python: Path, site: Path, variant: Variant) -> float:
    """Build once; return the user and system seconds of the process and its children."""
    command = [str(python), "-m", "mkdocs", "build", "--quiet", "-f", f"{variant.name}.yml"]
    process = subprocess.Popen(command, cwd=site)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{variant.name}: mkdocs failed")
    return usage.ru_utime + usage.ru_stime


def show(title: str, seconds: dict[str, list[float]]) -> None:
    """Print a Markdown table; the first variant is what the others are compared with."""
    print(
        f"\n### {title}\n\n| build | CPU s, median | added, median | added % |\n|---|---|---|---|"
    )
    base = next(iter(seconds.values()))
    for name, values in seconds.items():
        added = [value - plain for value, plain in zip(values, base, strict=True)]
        share = [100 * more / plain for more, plain in zip(added, base, strict=True)]
        print(f"| {name} | {median(values):.2f} | {median(added):+.3f} | {median(share):+.2f} |")


if __name__ == "__main__":
    main()
