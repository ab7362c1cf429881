"""Builds of sites full of links that lead nowhere or out, loops, pipes and devices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .repository import commit

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="has no such files"),
]

PELICAN = {
    "pelicanconf.py": 'SITEURL = "https://example.org"\nPATH = "content"\n'
    'PLUGINS = ["sitemapkit"]\nSITEMAP = {"ledger": "ledger.txt", "report": "report.json"}\n',
    "content/a.md": "Title: A\nDate: 2024-01-01\nSlug: a\n\nA\n",
}
SPHINX = {
    "src/conf.py": 'html_baseurl = "https://example.org/"\nextensions = ["sphinx_sitemapkit"]\n'
    'root_doc = "content/a"\nsitemap_ledger = "../ledger.txt"\nsitemap_report = "../report.json"\n',
    "src/content/a.rst": "A\n=\n\nWords.\n",
}
GENERATORS = {
    "pelican": (PELICAN, "pelican -s pelicanconf.py -o out"),
    "sphinx": (SPHINX, "sphinx src out"),  # it walks whatever is in its folder
}


@pytest.fixture(params=GENERATORS)
def project(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A committed project, and the command that builds it into `out`."""
    pytest.importorskip(request.param)
    files, command = GENERATORS[request.param]
    folder = tmp_path / "project"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    commit(folder)
    return folder, command


def built(project: tuple[Path, str]) -> subprocess.CompletedProcess[str]:
    folder, command = project
    return subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=folder,
        env={**os.environ, "COLUMNS": "1000"},  # Pelican breaks its lines, and paths in them
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )


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


def test_a_project_full_of_them_is_built(project: tuple[Path, str]) -> None:
    folder, _ = project
    for number, (what, make) in enumerate(ODD.items()):
        if what not in ("its own folder", "the root"):  # in which generators would look for texts
            for each in filter(Path.is_dir, (folder, folder / "content", folder / "src")):
                make(each / f"{number}.bin")
    (folder / "out").mkdir()
    for number, make in enumerate(ODD.values()):
        make(folder / "out" / f"{number}.html")
        make(folder / "out" / f"sitemap-{number}.xml")
    done = built(project)
    said = done.stdout + done.stderr
    assert (done.returncode, "Traceback" in said) == (0, False), said[-2_000:]
    text = (folder / "out" / "sitemap.xml").read_text()
    assert "https://example.org/" in text
    assert "PATH=" not in said


@pytest.mark.parametrize("what", ["itself", "a pipe", "a device", "the root"])
@pytest.mark.parametrize("name", ["out/robots.txt", "ledger.txt"])
def test_in_the_place_of_a_file_of_ours_they_are_replaced_or_named(
    project: tuple[Path, str], name: str, what: str
) -> None:
    folder, _ = project
    (folder / "out").mkdir()
    ODD[what](folder / name)
    done = built(project)
    said = done.stdout + done.stderr
    # Sphinx shows one of its own for what it calls a configuration error.
    assert "Traceback" not in said or "Configuration error!" in said
    assert "PATH=" not in said
    if done.returncode or not (folder / name).is_file():
        assert name in said.replace("\n", "")
    else:
        assert not (folder / name).is_symlink()
