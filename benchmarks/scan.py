"""What a scan of a finished site costs, and what it finds: `python -m benchmarks.scan [DIR ...]`.

    python -m benchmarks.scan [DIR ...] [--pages 5000] [--rounds 5]

Ours beside the floor, which is reading the files and the heads of their pages with each of the
fast HTML libraries, and beside static-sitemap-cli from npm. Without a DIR a site is made, of pages
of the size and shape that MkDocs' Material theme gives them. All take turns; each is a process of
its own, whose processor time, its start included, is that of the process and its children. Ratios
are medians of those of one round. Answers in Markdown.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.measuring import ENVIRONMENTS, Run, ratio, run, take_turns

if TYPE_CHECKING:
    from collections.abc import Mapping

WALK = """
import os, sys
{}
found = 0
for here, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".html"):
            with open(f"{{here}}/{{name}}", "rb") as stream:
                html = stream.read()
            found += len(read(html[: html.find(b"</head")]))
sys.exit(0 if found else 1)
"""
"""Reads all files and what their heads say, and does nothing with it."""

FLOORS = {
    "selectolax": """
from selectolax.lexbor import LexborHTMLParser
def read(head):
    found = LexborHTMLParser(head).css("html, title, meta, link")
    return [(node.tag, node.attributes, node.text()) for node in found]
""",
    "lxml": """
from lxml import etree
find, parser = etree.XPath("//html|//title|//meta|//link"), etree.HTMLParser()
def read(head):
    found = find(etree.fromstring(head, parser))
    return [(node.tag, dict(node.attrib), node.text) for node in found]
""",
    "turbohtml": """
from turbohtml import parse
def read(head):
    found = parse(head.decode("utf-8", "replace")).select("html, title, meta, link")
    return [(node.tag, dict(node.attrs), node.text) for node in found]
""",
}
OURS = "ours"
PEER = "static-sitemap-cli"
VERSION = "2.2.8"
BASE = "https://example.org/"

HEAD = """<!doctype html>
<html lang="en" class="no-js"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="description" content="Page {number} of a site that is here to be scanned.">
<link rel="canonical" href="{url}"><link rel="prev" href="../"><link rel="next" href="../">
<link rel="icon" href="/assets/favicon.png"><meta name="generator" content="a generator">
<title>Page {number} - A site</title>
<link rel="stylesheet" href="/assets/main.css"><link rel="stylesheet" href="/assets/palette.css">
<link rel="preconnect" href="https://fonts.example.org" crossorigin>
<style>:root{{--text:"Roboto";--code:"Roboto Mono"}}</style>
<script>__md_scope=new URL("..",location),__md_get=(e,_=localStorage)=>JSON.parse(_[e])</script>
</head>
<body dir="ltr"><header><nav>{navigation}</nav></header>
<main><article><h1>Page {number}</h1>{text}</article></main></body></html>
"""
LINK = (
    '<li class="item"><a href="../page-{0}/" class="link"><span class="text">Page {0}</span></a>\n'
)
PARAGRAPH = "<p>Some words <em>of</em> page <code>{0}</code> that somebody may read.</p>\n"


def main() -> None:
    """Print a table for each site."""
    asked = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        for site in asked.sites or [make_site(Path(folder) / "made", asked.pages)]:
            copy = Path(shutil.copytree(site, Path(folder) / "copy", dirs_exist_ok=False))
            pages = sum(1 for _ in copy.rglob("*.html"))
            show(f"{site.name}, {pages:,} pages", measure(ways_for(copy), asked.rounds))
            shutil.rmtree(copy)


def parse_arguments() -> argparse.Namespace:
    """Return the command line's answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sites", nargs="*", type=Path, metavar="DIR")
    parser.add_argument("--pages", type=int, default=5_000, help="of the site that is made")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


def make_site(folder: Path, count: int) -> Path:
    """Write a site of pages of 64 KB, most of it navigation."""
    navigation = "".join(LINK.format(number) for number in range(500))
    for number in range(count):
        page = folder / f"section-{number % 50}" / f"page-{number}" / "index.html"
        page.parent.mkdir(parents=True)
        url = f"{BASE}{page.parent.relative_to(folder).as_posix()}/"
        text = PARAGRAPH.format(number) * 100
        page.write_text(HEAD.format(number=number, url=url, navigation=navigation, text=text))
    return folder


def ways_for(site: Path) -> dict[str, list[str]]:
    """Return the command of each way."""
    ways = {
        f"floor: {library}": [sys.executable, "-c", WALK.format(code), str(site)]
        for library, code in FLOORS.items()
        if find_spec(library)
    }
    run = [sys.executable, "-m", "sitemapkit_tools"]
    ways[OURS] = [*run, "build", str(site), "--base-url", BASE]
    ways["ours, one process"] = [*ways[OURS], "--jobs", "1"]
    ways["ours, check"] = [*run, "check", str(site), "--fail-on", "never"]
    if peer := peer_command():
        ways[f"{PEER} {VERSION}"] = [*peer, "--base", BASE, "--root", str(site), "--stdout"]
    return ways


def peer_command() -> list[str]:
    """Return the command of the peer, which is installed once; nothing where there is no npm."""
    if not shutil.which("npm"):
        return []
    folder = ENVIRONMENTS / "bench-scan"
    script = folder / "node_modules" / ".bin" / "sscli"
    if not script.exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--ignore-scripts", "--silent", f"{PEER}@{VERSION}"]
        subprocess.run([*install, "--prefix", str(folder)], check=True)
    return [str(script)]


def measure(ways: Mapping[str, list[str]], rounds: int) -> dict[str, list[Run]]:
    """Run all ways in turn, several times, after one run that does not count."""
    turns = take_turns(ways, lambda way: run(ways[way], keep=False), rounds + 1)
    return {way: taken[1:] for way, taken in turns.items()}


def show(title: str, samples: Mapping[str, list[Run]]) -> None:
    """Print a table, with each way's ratio to the fastest floor and of it to ours."""
    wall = {way: [one.wall for one in taken] for way, taken in samples.items()}
    cpu = {way: [one.cpu for one in taken] for way, taken in samples.items()}
    floors = [way for way in samples if way.startswith("floor")]
    best = min(floors, key=lambda way: median(cpu[way]))
    print(f"### {title}\n")
    print("| way | wall s | processor s | processor / fastest floor | processor / ours |")
    print("|---|---|---|---|---|")
    for way in samples:
        print(
            f"| {way} | {median(wall[way]):.2f} | {median(cpu[way]):.2f} |"
            f" {ratio(cpu[way], cpu[best]):.2f} | {ratio(cpu[way], cpu[OURS]):.2f} |"
        )
    print(flush=True)


if __name__ == "__main__":
    main()
