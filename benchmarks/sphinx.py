"""What the Sphinx extension costs: CPU of whole builds with and without it, and beside two peers.

    python -m benchmarks.sphinx [--rounds 5] [--generated 60000] [--checkout DIR --docs doc/src]

The builds take turns, so that a machine that slows down slows all of them; each figure is user and
system time of a whole process with its children, git included. Dates are those of the documents of
a real checkout if one is given, else of a history made here; they are compared with the code of
sphinx-last-updated-by-git, called as it calls it. Answers in Markdown.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

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

PEERS = ("sphinx-sitemap", "sphinx-last-updated-by-git")
DOCUMENTS = 400

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
from textdates import TextDates
found = TextDates().last_changed(map(Path, sys.stdin.read().split("\\0")))
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
    python = python_with("sphinx", *checkout("sphinx"), *PEERS)
    print(versions(python, "sphinx", *PEERS))
    with TemporaryDirectory() as folder:
        few = site(Path(folder, "few"), generated=0)
        show(f"{DOCUMENTS:,} documents", measure(python, builds(few), asked.rounds))
        many = site(Path(folder, "many"), generated=asked.generated)
        title = f"{DOCUMENTS:,} documents and {asked.generated:,} generated pages"
        show(title, measure(python, builds(many), asked.rounds))
        docs = (
            Path(asked.checkout, asked.docs)
            if asked.checkout
            else long_history(Path(folder, "long"), ".rst")
        )
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


def site(folder: Path, *, generated: int) -> Path:
    """Write a site of small documents, with an extension that makes so many further pages."""
    folder.mkdir()
    (folder / "conf.py").write_text(CONF.replace("GENERATED", str(generated)))
    (folder / "bare.html").write_text(BARE)
    (folder / "index.rst").write_text("Site\n====\n\n.. toctree::\n   :glob:\n\n   page*\n")
    for number in range(DOCUMENTS - 1):
        text = f"Page {number}\n{'=' * 20}\n\nA line of text.\n"
        (folder / f"page{number:04}.rst").write_text(text)
    repository(folder)
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


def measure(python: Path, variants: tuple[Variant, ...], rounds: int) -> dict[str, list[float]]:
    """Run each variant in turn; return {variant: CPU seconds of each run}."""

    def cpu(variant: Variant) -> float:
        return run([python, *variant.arguments], given=variant.stdin.encode(), keep=False).cpu

    turns = take_turns(variants, cpu, rounds)
    return {variant.name: seconds for variant, seconds in turns.items()}


def show(title: str, seconds: dict[str, list[float]]) -> None:
    """Print a Markdown table; the first variant is what the others are compared with."""
    print(
        f"### {title}\n\n| run | CPU s, median | added, median | ratio, median |\n|---|---|---|---|"
    )
    base = next(iter(seconds.values()))
    more = {name: median(added(values, base)) for name, values in seconds.items()}
    for name, values in seconds.items():
        print(f"| {name} | {median(values):.2f} | {more[name]:+.3f} | {ratio(values, base):.3f} |")
    if PEERS[0] in seconds:
        all_listed = more["sitemapkit, generated pages listed"]
        felt(
            f"{title}, all listed, Sphinx",
            all_listed,
            plain=median(base),
            other=PEERS[0],
            theirs=more[PEERS[0]],
        )
    print(flush=True)


if __name__ == "__main__":
    main()
