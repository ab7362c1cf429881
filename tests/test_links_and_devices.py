"""Builds of sites full of links that lead nowhere or out, loops, pipes and devices."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .projects import built, write

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="has no such files"),
]


@pytest.fixture(params=["pelican", "sphinx"])
def generator(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(generator: str, tmp_path: Path) -> Path:
    """A committed project."""
    write(generator, tmp_path / "project")
    return tmp_path / "project"


def link(target: str) -> Callable[[Path], None]:
    return lambda place: place.symlink_to(target)


ODD: dict[str, Callable[[Path], None]] = {
    "itself": lambda place: place.symlink_to(place.name),
    "nowhere": link("nowhere at all"),
    "a pipe": os.mkfifo,
    "a device": link("/dev/zero"),
    "its own folder": link("."),
    "the root": link("/"),
    "what the system says": link("/proc/self/environ"),
}


def test_a_project_full_of_them_is_built(folder: Path, generator: str) -> None:
    for number, (what, make) in enumerate(ODD.items()):
        if what not in ("its own folder", "the root"):  # in which generators would look for texts
            for each in filter(Path.is_dir, (folder, folder / "content", folder / "src")):
                make(each / f"{number}.bin")
    (folder / "out").mkdir()
    for number, make in enumerate(ODD.values()):
        make(folder / "out" / f"{number}.html")
        make(folder / "out" / f"sitemap-{number}.xml")
    done = built(generator, folder)
    said = done.stdout + done.stderr
    assert (done.returncode, "Traceback" in said) == (0, False), said[-2_000:]
    text = (folder / "out" / "sitemap.xml").read_text()
    assert "https://example.org/" in text
    assert "PATH=" not in said


@pytest.mark.parametrize("what", ["itself", "a pipe", "a device", "the root"])
@pytest.mark.parametrize("name", ["out/robots.txt", "ledger.txt"])
def test_in_the_place_of_a_file_of_ours_they_are_replaced_or_named(
    folder: Path, generator: str, name: str, what: str
) -> None:
    (folder / "out").mkdir()
    ODD[what](folder / name)
    done = built(generator, folder)
    said = done.stdout + done.stderr
    # Sphinx shows one of its own for what it calls a configuration error.
    assert "Traceback" not in said or "Configuration error!" in said
    assert "PATH=" not in said
    if done.returncode or not (folder / name).is_file():
        assert name in said.replace("\n", "")
    else:
        assert not (folder / name).is_symlink()
