"""A site that is rebuilt over and over, by processes that are killed or race each other.

    python rebuilding.py build FOLDER FIRST TIMES    build the versions FIRST, FIRST + 1, ...
    python rebuilding.py kill FOLDER KILLS           kill a building process so often

Every URL names its version, so that a file that mixes two is seen. Versions differ in their
sections, and in whether one file is enough. The second command checks the folder after each kill
and ends with an error at the first file that is torn or missing.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import signal
import sys
import time
from itertools import count
from pathlib import Path

from lxml import etree

from sitemapkit.model import Entry
from sitemapkit.options import read_options
from sitemapkit.output.write import write
from sitemapkit.report import Report

BASE = "https://example.org/"
OPTIONS = read_options(
    {"base_url": BASE, "formats": ["xml", "gz", "txt"], "max_urls": 40}, where="test"
)
SECTIONS = ("abcde", "", "defgh")
ROBOTS = b"User-agent: *\r\nDisallow: /private/\r\n"
LINE = b"\r\n# sitemapkit: sitemap.xml\r\nSitemap: https://example.org/sitemap.xml\r\n"
LONGEST_LIFE = 0.06
"""Seconds after which a building process is killed: it has written three versions or so."""


class WrongError(Exception):
    """What a crawler would find is not whole."""


def build(folder: Path, version: int) -> None:
    """Write one version."""
    sections = SECTIONS[version % len(SECTIONS)]
    paths = [f"{section}/v{version}-{n}/" for section in sections for n in range(60)]
    entries = [Entry(f"{BASE}{path}", version) for path in paths or [f"v{version}-0/"]]
    write(entries, OPTIONS, folder, Report())


def check(folder: Path) -> set[str]:
    """Return the versions found; raise WrongError if a file is torn, mixed or missing."""
    versions: set[str] = set()
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        root, locs = _read(folder / name)
        children = [folder / loc.removeprefix(BASE) for loc in locs]
        if root == "sitemapindex":
            versions |= {_only_version(child, _read(child)[1]) for child in children}
        else:
            versions.add(_only_version(folder / name, locs))
    for text in folder.glob("sitemap*.txt"):
        _only_version(text, text.read_text().splitlines())
    if (folder / "robots.txt").read_bytes() not in (ROBOTS, ROBOTS + LINE):
        raise WrongError("robots.txt")
    return versions


def _read(file: Path) -> tuple[str, list[str]]:
    data = file.read_bytes()
    root = etree.fromstring(gzip.decompress(data) if file.suffix == ".gz" else data)
    locs = [loc.text or "" for loc in root.iter("{*}loc")]
    return etree.QName(root).localname, locs


def _only_version(file: Path, urls: list[str]) -> str:
    versions: set[str] = {found for url in urls for found in re.findall(r"/v(\d+)-\d+/$", url)}
    if len(versions) != 1:
        raise WrongError(f"{file} has the versions {versions}")
    return versions.pop()


def kill_often(folder: Path, kills: int) -> int:
    """Kill a building process at random moments; return how often it left temporary files."""
    (folder / "robots.txt").write_bytes(ROBOTS)
    build(folder, 0)
    interrupted = 0
    for _ in range(kills):
        _kill_one(folder)
        check(folder)
        interrupted += any(folder.glob(".*"))
    build(folder, 3)
    if check(folder) != {"3"} or any(folder.glob(".*")):
        raise WrongError("the last build did not tidy up")
    return interrupted


def _kill_one(folder: Path) -> None:
    process = os.fork()
    if process == 0:
        for version in count(random.randrange(1_000)):  # noqa: S311
            build(folder, version)
    time.sleep(random.uniform(0, LONGEST_LIFE))  # noqa: S311
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def main(command: str, folder: str, first: str, times: str = "0") -> None:
    """Run one of the two commands."""
    if command == "kill":
        interrupted = kill_often(Path(folder), int(first))
        told = f"{first} kills, {interrupted} of them amid new files, nothing lost\n"
        sys.stdout.write(told)
    else:
        for version in range(int(first), int(first) + int(times)):
            build(Path(folder), version)


if __name__ == "__main__":
    main(*sys.argv[1:])
