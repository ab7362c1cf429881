"""What may not be read or written is named, by each command; nothing is half done."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import pytest

from ..projects import PROJECTS, built, write
from ..repository import git
from .conftest import Outcome

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from .conftest import Site

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="permissions of POSIX, and setpriv"),
]

CAPABILITIES = "-dac_override,-dac_read_search"
"""What lets root read and write whatever it likes."""


@cache
def as_ordinary_user() -> tuple[str, ...]:
    """Return what stands before a command so that permissions count for it."""
    if os.geteuid() != 0:
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("setpriv takes its privileges from root")
    return ("setpriv", "--bounding-set", CAPABILITIES, "--inh-caps", CAPABILITIES)


def run(*arguments: object, folder: Path) -> Outcome:
    command = [*as_ordinary_user(), sys.executable, "-m", "sitemapkit_tools"]
    done = subprocess.run(
        [*command, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@contextmanager
def mode(path: Path, bits: int) -> Generator[None]:
    before = path.stat().st_mode
    path.chmod(bits)
    try:
        yield
    finally:
        path.chmod(before)


READ_BY_ALL = ["sitemap.xml", "about", "guide"]
READ_BY_SOME = ["_redirects", "_headers", "guide/versions.json", "robots.txt"]


@pytest.mark.parametrize("name", [*READ_BY_ALL, *READ_BY_SOME, "about/index.html"])
@pytest.mark.parametrize("bits", [0, 0o444], ids=["unreadable", "listed"])
def test_a_site_that_may_not_all_be_read_is_an_error_that_names_what(
    site: Site, name: str, bits: int
) -> None:
    site.write()
    for each in READ_BY_SOME:
        if not (site.root / each).exists():
            site.put(each, "[]" if each.endswith(".json") else "")
    path = site.root / name
    if bits and path.is_file():
        pytest.skip("a file that may be read")
    with mode(path, bits):
        outcome = run("check", site.root, folder=site.root.parent)
    assert (outcome.code in (1, 2), "Traceback" in outcome.stderr) == (True, False), outcome
    assert name in outcome.stdout + outcome.stderr
    assert "ermission" in outcome.stdout + outcome.stderr


@pytest.mark.parametrize("command", ["build", "diff", "merge"])
@pytest.mark.parametrize("name", READ_BY_ALL)
def test_each_command_names_what_it_may_not_read(site: Site, command: str, name: str) -> None:
    site.write()
    root = site.root
    given = {
        "diff": (root, root),
        "merge": (root, "--out", root, "--as", "set"),
    }.get(command, (root,))
    with mode(root / name, 0):
        outcome = run(command, *given, folder=root.parent)
    assert (outcome.code, "Traceback" in outcome.stderr) == (2, False)
    assert f"{root.name}/{name}" in outcome.stderr


@pytest.mark.parametrize("command", ["build", "merge"])
def test_a_folder_that_may_not_be_written_is_named_and_keeps_its_files(
    site: Site, command: str
) -> None:
    site.write()
    root = site.root
    before = {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
    given = (root, "--out", root, "--as", "set") if command == "merge" else (root,)
    with mode(root, 0o555):
        outcome = run(command, *given, folder=root.parent)
    assert (outcome.code, "Traceback" in outcome.stderr) == (2, False)
    assert "Permission denied. Give the user who builds permission" in outcome.stderr
    assert {file: file.read_bytes() for file in root.rglob("*") if file.is_file()} == before


@pytest.fixture
def project(generator: str, tmp_path: Path) -> Path:
    """A committed project of a generator."""
    write(generator, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("generator", "name"),
    [
        *(("sphinx", name) for name in (".git", ".git/objects", ".git/HEAD", ".git/config")),
        ("mkdocs", ".git/objects"),
        ("pelican", ".git/objects"),
    ],
)
def test_a_repository_that_may_not_be_read_gives_no_dates_and_ends_no_build(
    project: Path, generator: str, name: str
) -> None:
    with mode(project / name, 0):
        done = built(generator, project, *as_ordinary_user())
    said = done.stdout + done.stderr
    assert (done.returncode, "Traceback" in said) == (0, False), said
    text = (project / "out" / "sitemap.xml").read_text()
    assert "<loc>https://example.org/" in text
    assert "<lastmod>" not in text
    assert "git" in said


@pytest.mark.parametrize("generator", PROJECTS)
@pytest.mark.parametrize("name", ["ledger.txt", ".git-blame-ignore-revs"])
def test_a_file_of_ours_that_may_not_be_read_is_named(
    project: Path, generator: str, name: str
) -> None:
    (project / name).write_text("")
    git(project, "add", name)
    with mode(project / name, 0):
        done = built(generator, project, *as_ordinary_user())
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert name in said
    assert "ermission denied" in said


@pytest.mark.parametrize("generator", PROJECTS)
def test_an_output_folder_that_may_not_be_written_is_named(project: Path, generator: str) -> None:
    (project / "out").mkdir()
    with mode(project / "out", 0o555):
        done = built(generator, project, *as_ordinary_user())
    assert done.returncode
    assert "ermission denied" in done.stdout + done.stderr
