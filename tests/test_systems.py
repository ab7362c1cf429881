"""What we ship runs where POSIX is missing, as far as that can be tried without Windows."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import FILES_THAT_NEED_POSIX, NEED_POSIX
from .repository import commit

ROOT = Path(__file__).parents[1]
POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios"}
"""Modules that Windows does not have."""

NO_POSIX = """
import os, signal, sys
import click, feedgenerator, jinja2, lxml, msgspec, protego, urllib3  # as they load here
import concurrent.futures, multiprocessing, shutil, subprocess, sysconfig, tempfile
sysconfig.get_config_vars()
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in "chown fchmod fchown fork geteuid getuid mkfifo pread statvfs".split():
    delattr(os, name)
del signal.SIGALRM
sys.platform = "win32"
"""

BUILD = """
from pathlib import Path
from sitemapkit import Build, Page, read_options
here = Path.cwd()
given = {"formats": ["xml", "gz", "html", "atom"], "ledger": "ledger.txt", "report": "report.json"}
options = read_options(given, where="a test", root=here, base_url="https://example.org/")
build = Build(options)
build.read_history(here)
build.add(Page("tea/", here / "site" / "tea" / "index.html", [here / "tea.md"]))
report = build.write(here / "site")
print([lastmod.source for lastmod in report.dates.values()], report.issues)
"""

CHECK = """
from sitemapkit_tools.cli import cli
cli(["check", "site", "--jobs", "1", "--output", "json=site.json"])
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a page and its source."""
    (tmp_path / "site" / "tea").mkdir(parents=True)
    page = '<html lang="en"><title>Tea</title><main>Tea with \u00fc</main></html>'
    (tmp_path / "site" / "tea" / "index.html").write_text(page, encoding="utf-8")
    (tmp_path / "tea.md").write_text("# Tea\n", encoding="utf-8")
    commit(tmp_path, "2020-01-01T00:00:00Z", "tea.md")
    return tmp_path


def without_posix(code: str, folder: Path) -> str:
    """Return what code prints where modules and functions of POSIX are missing."""
    command = [sys.executable, "-X", "warn_default_encoding", "-c", NO_POSIX + code]
    roots = [str(ROOT / each) for each in ("core", "tools")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(roots)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "EncodingWarning" in line]
    assert not [line for line in ours if "sitemapkit" in line]
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="this plays Windows")
def test_a_site_is_built_dated_and_checked_without_posix(checkout: Path) -> None:
    assert without_posix(BUILD, checkout).strip() == "['git'] []"
    assert "Nothing to fix" in without_posix(CHECK, checkout)


def loaded_at_once(file: Path) -> set[str]:
    """Return the modules that a file imports wherever it is loaded."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {
        name.partition(".")[0]
        for node in tree.body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }


def test_no_file_needs_posix_to_be_loaded() -> None:
    components = ("core", "tools", "plugins", "tests")
    files = [file for component in components for file in (ROOT / component).rglob("*.py")]
    posix = {file.relative_to(ROOT) for file in files if loaded_at_once(file) & POSIX}
    assert posix == {Path("tests", name) for name in FILES_THAT_NEED_POSIX}


def test_what_is_skipped_on_windows_exists() -> None:
    text = "\n".join(file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    assert NEED_POSIX.keys() <= set(re.findall(r"def (test_\w+)", text))
