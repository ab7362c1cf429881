"""Builds on machines that fail: a disk is full, a clock is wrong, sources have odd names."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

import pytest
from lxml import etree

from .disks import fill, small_disk
from .projects import PROJECTS, built, write
from .repository import commit

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="has no such disks and names"),
]


@pytest.fixture(params=PROJECTS)
def generator(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(generator: str, tmp_path: Path) -> Path:
    """A committed project."""
    write(generator, tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def full(tmp_path: Path) -> Generator[Path]:
    with small_disk(tmp_path / "disk", "16k") as disk:
        yield disk


SOURCES = {
    "mkdocs": ("docs/{}.md", "# A\n\nWords.\n"),
    "pelican": ("content/pages/{}.md", "Title: B{n}\nSlug: {n}\n\nWords.\n"),
    "sphinx": ("src/content/{}.rst", ":orphan:\n\nB\n=\n\nWords.\n"),
}


@pytest.mark.parametrize("name", ["ledger.txt", "report.json"])
def test_a_full_disk_leaves_the_old_file_and_is_named(
    generator: str, folder: Path, full: Path, name: str
) -> None:
    for file in folder.rglob("*"):
        if file.is_file() and ".git" not in file.parts and name in file.read_text():
            moved = re.sub(rf"[./]*{re.escape(name)}", str(full / name), file.read_text())
            file.write_text(moved)
    assert built(generator, folder).returncode == 0
    before = (full / name).read_bytes()
    fill(full)
    path, text = SOURCES[generator]
    for number in range(99):
        (folder / path.format(number)).write_text(text.replace("{n}", f"b{number}"))
    done = built(generator, folder)
    said = done.stdout + done.stderr
    assert done.returncode or generator == "pelican"  # which ends so with `--fatal errors` alone
    assert "Traceback" not in said or "Configuration error!" in said, said[-3_000:]
    assert str(full / name) in said.replace("\n", "")
    assert "No space left" in said
    assert (full / name).read_bytes() == before
    assert {each.name for each in full.iterdir()} == {name, "filled"}


def test_a_clock_that_is_set_back_erases_no_date(
    generator: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert built(generator, folder).returncode == 0
    ledger = folder / "ledger.txt"
    later = re.sub(r"(?m)^(/\S*) \S+ ", r"\1 2050-01-01 ", ledger.read_text())
    assert "2050" in later
    ledger.write_text(later)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1715000000")
    done = built(generator, folder)
    assert done.returncode == 0, done.stderr
    assert ledger.read_text() == later
    assert "2050" not in (folder / "out" / "sitemap.xml").read_text()


NAMES = [
    *("a b", "a%b", "a%20b", "a#b", "a?b", "a&b", "a<b>", "a'b", 'a"b', "a:b", "a\\b", "a|b"),
    *("a\nb", "a\rb", "a\tb", "a\x1b[2Jb", "a\x07b", "a\x7fb", "a\u2028b", "a\u202eb", "\ufeffa"),
    *("größe", "gro\u0308ße", "検索", "😀", "::error::a", "{{ a }}", "{% a %}", "$(id)", "`id`"),
    *("-a", "a=b", "a;b", "a,b", "a@b", "a+b", "a~b", "a*b", "a[b]", "..a", "x" * 200, "ß" * 100),
    *("a\udcffb",),
]


def test_sources_may_have_any_name(generator: str, folder: Path) -> None:
    path, text = SOURCES[generator]
    for number, name in enumerate(NAMES):
        if generator == "pelican" or "\udcff" not in name:  # the others cannot write it
            (folder / path.format(name)).write_text(text.replace("{n}", f"b{number}"))
    commit(folder)
    done = built(generator, folder)
    said = done.stdout + done.stderr
    assert (done.returncode, "Traceback" in said) == (0, False), said[-3_000:]
    root = etree.parse(folder / "out" / "sitemap.xml").getroot()
    locs = [each.text or "" for each in root.iter("{*}loc")]
    for loc in locs:
        assert re.fullmatch(r"https://example\.org/[!-~]*", loc)
        name = os.fsdecode(unquote_to_bytes(loc.removeprefix("https://example.org/")))
        file = folder / "out" / name
        assert file.is_file() or (file / "index.html").is_file(), loc
    assert len(locs) > len(NAMES) - 3, said
