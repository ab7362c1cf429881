"""Programs of other communities from npm, installed once below .cache/ as tests/npm/ locks them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ..locks import locked

CACHE = Path(__file__).parents[2] / ".cache" / "npm"
LOCKED = Path(__file__).parents[1] / "npm"


def programs() -> Path:
    """Return where readers of sitemaps, `robots.txt` and `llms.txt` are, and a checker of pages."""
    return installed("programs")


def axe() -> Path:
    """Return the script of axe-core, which pages load as `axe.js`."""
    return programs() / "node_modules" / "axe-core" / "axe.min.js"


def installed(name: str) -> Path:
    """Return a folder whose `node_modules` has the packages that a folder in tests/npm/ locks.

    It is made once, and again when the lock changes. Without npm the test is skipped.
    """
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed")
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    stamp, lock = folder / "made-from", (LOCKED / name / "package-lock.json").read_text("utf-8")
    with locked(CACHE / f"{name}.lock"):
        if not stamp.exists() or stamp.read_text("utf-8") != lock:
            shutil.copytree(LOCKED / name, folder, dirs_exist_ok=True)
            quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
            alone = "--legacy-peer-deps"  # a reader of sitemaps without the whole of Nuxt
            command = [npm, "ci", *quiet, alone, f"--prefix={folder}"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            stamp.write_text(lock, encoding="utf-8")
    return folder
