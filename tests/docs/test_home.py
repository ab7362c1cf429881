"""The first page of the manual and the README: their lines work when copied, their table is so."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from ..repository import commit
from .reader import PAGES, ROOT, blocks

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.manual

SHOWN = {"index.md": PAGES / "index.md", "README.md": ROOT / "README.md"}
DAY_OF_THE_BUILD = datetime(2026, 11, 8, tzinfo=UTC)


@dataclass(frozen=True)
class Bare:
    """The least that a generator needs for a site, without a base URL or a plugin."""

    settings: str
    page: str
    command: str
    tutorial: str


BARE = {
    "mkdocs.yml": Bare("site_name: Tea\n", "docs/index.md", "mkdocs build -d out", "mkdocs"),
    "pelicanconf.py": Bare(
        'SITENAME = "Tea"\nTIMEZONE = "UTC"\n', "content/pages/tea.md", "pelican -o out", "pelican"
    ),
    "conf.py": Bare('project = "Tea"\n', "index.rst", "sphinx -b html . out", "sphinx"),
}
"""By the file that its settings are in."""


def to_copy(page: Path) -> dict[str, tuple[str, str]]:
    """Return the two texts to copy for each generator: what is typed, and what is set."""
    return {
        after.name: (before.text, after.text)
        for before, after in itertools.pairwise(blocks(page))
        if before.text.startswith("pip install")
    }


def run(command: str, folder: Path, **variables: str) -> None:
    quiet = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=folder,
        env={**os.environ, **quiet, **variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


@pytest.mark.parametrize("name", BARE)
def test_what_is_copied_from_the_first_page_gives_a_sitemap(name: str, tmp_path: Path) -> None:
    """What is typed is what the tutorial types, which is followed from nothing."""
    bare = BARE[name]
    copied = to_copy(PAGES / "index.md")[name]
    assert copied == to_copy(ROOT / "README.md")[name]
    typed, set_up = copied
    tutorial = PAGES / f"tutorial-{bare.tutorial}.md"
    assert typed.strip() in tutorial.read_text(encoding="utf-8")
    file = tmp_path / bare.page
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("Title: Tea\n\nTea\n===\n\nWarm the pot.\n", encoding="utf-8")
    (tmp_path / name).write_text(bare.settings + set_up, encoding="utf-8")
    run(bare.command, tmp_path)
    sitemap = (tmp_path / "out" / "sitemap.xml").read_text(encoding="utf-8")
    assert "<loc>https://example.org/" in sitemap


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """What both sitemaps of the example site say of each page, or why ours does not list it."""
    folder = tmp_path_factory.mktemp("example") / "tea"
    built = shutil.ignore_patterns("site", "__pycache__")
    shutil.copytree(ROOT / "example-sites" / "mkdocs", folder, ignore=built)
    day = datetime(2025, 12, 3, tzinfo=UTC)
    for page in sorted(folder.rglob("*.md")):
        commit(folder, day.isoformat(), str(page.relative_to(folder)))
        day += timedelta(days=17)
    (folder / "theirs.yml").write_text("INHERIT: mkdocs.yml\nplugins: [search]\n")
    now = str(int(DAY_OF_THE_BUILD.timestamp()))
    run("mkdocs build -f theirs.yml -d theirs", folder, SOURCE_DATE_EPOCH=now)
    run("mkdocs build -d ours", folder, SOURCE_DATE_EPOCH=now)
    theirs, ours = (dates(folder / name / "sitemap.xml") for name in ("theirs", "ours"))
    return {path: (theirs[path], ours.get(path, "not listed")) for path in theirs}


def dates(sitemap: Path) -> dict[str, str]:
    """Return the day of each page in a sitemap, by the path of its URL."""
    text = sitemap.read_text(encoding="utf-8")
    found = re.findall(r"<loc>https?://[^/]+(.*?)</loc>\s*<lastmod>([\d-]+)", text)
    return dict(found)


@pytest.mark.parametrize("page", SHOWN.values(), ids=SHOWN)
def test_the_table_of_the_first_page_is_what_both_sitemaps_of_the_example_say(
    page: Path, rows: dict[str, tuple[str, str]]
) -> None:
    text = page.read_text(encoding="utf-8")
    row = re.compile(r"^\| `(/.*)` \| (\S+) \| ([\d-]+|not listed)(?:: .*)? \|$", re.MULTILINE)
    shown = row.findall(text)
    assert len(shown) >= 5
    assert {path: (theirs, ours) for path, theirs, ours in shown}.items() <= rows.items()
