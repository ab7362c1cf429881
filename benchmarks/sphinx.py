"""What the Sphinx extension costs: CPU of whole builds with and without it, and beside two peers.

    python benchmarks/sphinx.py [--rounds 5] [--generated 60000] [--checkout DIR --docs doc/src]

The builds take turns, so that a machine that slows down slows all of them; each figure is user and
system time of a whole process with its children, git included. Dates are those of the documents of
a real checkout if one is given, else of a history made here; they are compared with the code of
sphinx-last-updated-by-git, called as it calls it. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PEERS = ("sphinx-sitemap", "sphinx-last-updated-by-git")
DOCUMENTS = 400
HISTORY = 8_000
"""Commits of the history that is made where no checkout is given."""

CONF = """
html_theme = "basic"
html_baseurl = "https://example.org/"
html_copy_source = False
templates_path = ["."]
def setup(app):
    pages = [(f"made/{number // 250}/{number}", {}, "bare.html") for number in range(GENERATED)]
    app.connect("html-collect-pages", lambda app: pages)
"""
BARE = '<html><head><link rel="canonical" href="{{ pageurl }}"></head><body>x</body></html>'

OURS_DATES = """
import sys
from pathlib import Path
from sitemapkit.lastmod.git import GitDates
found = GitDates().last_changed(map(Path, sys.stdin.read().split("\\0")))
print(len(found), file=sys.stderr)
"""
THEIR_DATES = """
import sys
from collections import defaultdict
from pathlib import Path
from sphinx_last_updated_by_git import update_file_dates
folders = defaultdict(dict)
for name in sys.stdin.read().split("\\0"):
    folders[Path(name).parent][Path(name).name] = None
for folder, files in folders.items():
    update_file_dates(folder, set(), files)
dates = [date for files in folders.values() for date in files.values() if date]
print(len(dates), file=sys.stderr)
"""


@dataclass(frozen=True)
class Variant:
    """A process to measure: its name, the arguments of Python, what it reads."""

    name: str
    arguments: tuple[str, ...]
    stdin: str = ""


def main() -> None:
    """Measure what the arguments ask for and print the answer."""
    asked = parse_arguments()
    python = python_with_peers()
    with TemporaryDirectory() as folder:
        few = site(Path(folder, "few"), generated=0)
        show(f"{DOCUMENTS:,} documents", measure(python, builds(few), asked.rounds))
        many = site(Path(folder, "many"), generated=asked.generated)
        title = f"{DOCUMENTS:,} documents and {asked.generated:,} generated pages"
        show(title, measure(python, builds(many), asked.rounds))
        docs = Path(asked.checkout, asked.docs) if asked.checkout else long_history(Path(folder))
        files = sorted(str(file.resolve()) for file in docs.rglob("*.rst"))
        dates = (
            Variant("sphinx-last-updated-by-git", ("-c", THEIR_DATES), "\0".join(files)),
            Variant("sitemapkit", ("-c", OURS_DATES), "\0".join(files)),
        )
        show(f"dates of {len(files):,} documents", measure(python, dates, asked.rounds))


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="builds of each variant")
    parser.add_argument("--generated", type=int, default=60_000, help="number of generated pages")
    parser.add_argument("--checkout", type=Path, help="a git checkout to date the documents of")
    parser.add_argument("--docs", default="doc", help="its folder of documents")
    return parser.parse_args()


def python_with_peers() -> Path:
    """Return the Python of an environment with sitemapkit, Sphinx and the peers, made once."""
    folder = ROOT / ".cache" / "environments" / "bench-sphinx"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", f"{ROOT}[sphinx]", *PEERS]
        subprocess.run(install, check=True)
    return python


def site(folder: Path, *, generated: int) -> Path:
    """Write a site of small documents, with an extension that makes so many further pages."""
    folder.mkdir()
    (folder / "conf.py").write_text(CONF.replace("GENERATED", str(generated)))
    (folder / "bare.html").write_text(BARE)
    (folder / "index.rst").write_text("Site\n====\n\n.. toctree::\n   :glob:\n\n   page*\n")
    for number in range(DOCUMENTS - 1):
        text = f"Page {number}\n{'=' * 20}\n\nA line of text.\n"
        (folder / f"page{number:04}.rst").write_text(text)
    git = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "x"], check=True)
    return folder


def builds(folder: Path) -> tuple[Variant, ...]:
    """Return fresh builds of a site: bare, with us, with all pages listed, with the peer."""
    extensions = {
        "without extension": (),
        "sitemapkit": ("-D", "extensions=sphinx_sitemapkit"),
        "sitemapkit, generated pages listed": (
            *("-D", "extensions=sphinx_sitemapkit", "-D", "sitemap_include=made/"),
        ),
        "sphinx-sitemap": ("-D", "extensions=sphinx_sitemap"),
    }
    return tuple(
        Variant(
            name,
            ("-m", "sphinx", "-q", "-E", "-a", *options, str(folder), f"{folder}-{number}"),
        )
        for number, (name, options) in enumerate(extensions.items())
    )


def long_history(folder: Path) -> Path:
    """Write 300 documents in ten folders, and a history of commits that change one of them each."""
    root = folder / "long"
    root.mkdir()
    git = ["git", "-C", str(root)]
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    stream = "\n".join(commit(number) for number in range(HISTORY))
    subprocess.run([*git, "fast-import", "--quiet"], input=stream + "\n", text=True, check=True)
    subprocess.run([*git, "reset", "--quiet", "--hard"], check=True)
    return root


def commit(number: int) -> str:
    """Return a commit that changes one document, as git fast-import reads it."""
    page, text = number % 300, f"Text {number}\n"
    return "\n".join(
        [
            "commit refs/heads/main",
            f"committer A <a@example.org> {1_600_000_000 + number * 3600} +0000",
            *("data 1", "x", f"M 100644 inline {page % 10}/{page:03}.rst"),
            *(f"data {len(text)}", text),
        ]
    )


def measure(python: Path, variants: tuple[Variant, ...], rounds: int) -> dict[str, list[float]]:
    """Run each variant in turn; return {variant: CPU seconds of each run}."""
    seconds: dict[str, list[float]] = {variant.name: [] for variant in variants}
    for _ in range(rounds):
        for variant in variants:
            seconds[variant.name].append(cpu(python, variant))
    return seconds


def cpu(python: Path, variant: Variant) -> float:
    """Run once; return the user and system seconds of the process and its children."""
    process = subprocess.Popen(
        [str(python), *variant.arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    if process.stdin is not None:
        process.stdin.write(variant.stdin)
        process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{variant.name}: failed")
    return usage.ru_utime + usage.ru_stime


def show(title: str, seconds: dict[str, list[float]]) -> None:
    """Print a Markdown table; the first variant is what the others are compared with."""
    print(
        f"\n### {title}\n\n| | CPU s, median | added, median | ratio, median |\n|---|---|---|---|"
    )
    base = next(iter(seconds.values()))
    for name, values in seconds.items():
        added = median(value - first for value, first in zip(values, base, strict=True))
        ratio = median(value / first for value, first in zip(values, base, strict=True))
        print(f"| {name} | {median(values):.2f} | {added:+.3f} | {ratio:.3f} |", flush=True)


if __name__ == "__main__":
    main()
