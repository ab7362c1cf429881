"""Readers of other communities find the same pages and dates on whole sites, served on loopback."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen
from urllib.robotparser import RobotFileParser

import pytest
from lxml import etree
from protego import Protego
from usp.tree import sitemap_tree_for_homepage

from ..environments import python_with
from ..tools.conftest import run
from ..tools.examples import EXAMPLE_SITES, build_example, locs, moved, serve
from ..tools.servers import Website, running
from .npm import programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Built = Mapping[str, Path]
    Arrange = Callable[[Built, Path, str], None]

HERE = Path(__file__).parent
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The three example sites, built."""
    return {name: build_example(name, tmp_path_factory.mktemp(name)) for name in EXAMPLE_SITES}


def alone(name: str) -> Arrange:
    def arrange(built: Built, out: Path, base: str) -> None:
        if not (moved(built[name], out, base) / "robots.txt").exists():  # it was below another site
            (out / "robots.txt").write_text(f"Sitemap: {base}sitemap.xml\n")

    return arrange


def merged(names: Mapping[str, str], *arguments: str) -> Arrange:
    """Put examples side by side below one address, each in a folder of its own, and merge them."""

    def arrange(built: Built, out: Path, base: str) -> None:
        folders = [
            moved(built[name], out / folder, f"{base}{folder}/") for folder, name in names.items()
        ]
        for folder in folders:
            (folder / "robots.txt").unlink(missing_ok=True)
        outcome = run("merge", *folders, "--out", out, *arguments)
        assert outcome.code == 0, outcome.stderr

    return arrange


TWO = {"mkdocs": "mkdocs", "sphinx": "sphinx"}
VERSIONS = {"1.0": "mkdocs", "2.0": "mkdocs", "latest": "mkdocs"}
SITES: Mapping[str, Arrange] = {
    **{name: alone(name) for name in EXAMPLE_SITES},
    "two generators, an index": merged(TWO, "--as", "index"),
    "two generators, a set": merged(TWO, "--as", "set"),
    "three versions": merged(VERSIONS, "--policy", "all"),
    "the latest of three versions": merged(VERSIONS, "--policy", "latest"),
}


@pytest.mark.environment
@pytest.mark.node
@pytest.mark.parametrize("name", SITES)
def test_all_readers_find_the_same(name: str, built: Built, tmp_path: Path) -> None:
    website = Website()
    with running(website.answer) as server:
        base = f"{server.url}/"
        SITES[name](built, tmp_path, base)
        serve(website, tmp_path)
        answers = [in_this_process(base), in_python(base), in_node(base)]
    pages = {reader: listed(found) for each in answers for reader, found in each["pages"].items()}
    robots = {reader: found for each in answers for reader, found in each["robots"].items()}
    expected = written(tmp_path, base)
    assert len(expected) > 5
    assert pages == dict.fromkeys(pages, expected)
    assert robots == {reader: [f"{base}sitemap.xml"] for reader in robots}
    assert (len(pages), len(robots)) == (6, 6)


def in_this_process(base: str) -> dict[str, Any]:
    with urlopen(f"{base}robots.txt") as robots:  # noqa: S310 - of the site that is served here
        text = robots.read().decode()
    standard = RobotFileParser()
    standard.parse(text.splitlines())
    tree = sitemap_tree_for_homepage(base, use_known_paths=False)
    return {
        "pages": {
            "ultimate-sitemap-parser": [
                (page.url, page.last_modified and page.last_modified.isoformat())
                for page in tree.all_pages()
            ]
        },
        "robots": {
            "protego": list(Protego.parse(text).sitemaps),
            "the standard library": standard.site_maps(),
            "ultimate-sitemap-parser": [tree.sub_sitemaps[0].sub_sitemaps[0].url],
        },
    }


def in_python(base: str) -> dict[str, Any]:
    return answer(python_with("consumers"), HERE / "consumers.py", base)


def in_node(base: str) -> dict[str, Any]:
    folder = programs()
    return answer("node", Path(shutil.copy(HERE / "consumers.mjs", folder)), base)


def answer(*command: str | Path) -> dict[str, Any]:
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def written(out: Path, base: str) -> list[tuple[str, date | None]]:
    """Return the pages and dates that stand in the files, in the order of their URLs."""
    start = out / "sitemap.xml"
    is_index = b"<sitemapindex" in start.read_bytes()
    files = [out / loc.removeprefix(base) for loc in locs(start)] if is_index else [start]
    entries = chain.from_iterable(etree.parse(file).findall("s:url", SITEMAP) for file in files)
    return listed(
        (entry.findtext("s:loc", "", SITEMAP), entry.findtext("s:lastmod", None, SITEMAP))
        for entry in entries
    )


def listed(pages: Iterable[Iterable[str | None]]) -> list[tuple[str, date | None]]:
    """Return pages as they are compared: sorted, dates in UTC, a day as its first second."""
    pairs = ((*page, None)[:2] for page in pages)
    return sorted((loc or "", moment(text)) for loc, text in pairs)


def moment(text: str | None) -> date | None:
    if not text:
        return None
    found = datetime.fromisoformat(text)
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
