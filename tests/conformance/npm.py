"""Programs of other communities from npm, installed once below .cache/."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ..locks import locked

CACHE = Path(__file__).parents[2] / ".cache" / "npm"
PROGRAMS = (
    *("@nuxtjs/sitemap@8", "afdocs@0.22", "robots-parser@3", "sitemap@9", "sitemapper@4"),
    "axe-core@4",
)
"""Readers of sitemaps, `robots.txt` and `llms.txt`, and a checker of pages."""


def programs() -> Path:
    """Return a folder whose `node_modules` has all of `PROGRAMS`."""
    return installed("programs", *PROGRAMS)


def axe() -> Path:
    """Return the script of axe-core, which pages load as `axe.js`."""
    return programs() / "node_modules" / "axe-core" / "axe.min.js"


def installed(name: str, *packages: str) -> Path:
    """Return a folder whose `node_modules` has the packages, such as `axe-core@4`.

    It is made once, and again when other packages are wanted. Without npm the test is skipped.
    """
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed")
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "made-from"
    with locked(CACHE / f"{name}.lock"):
        if not stamp.exists() or stamp.read_text() != " ".join(packages):
            quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
            alone = "--legacy-peer-deps"  # a reader of sitemaps without the whole of Nuxt
            command = [npm, "install", *quiet, alone, f"--prefix={folder}", *packages]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            stamp.write_text(" ".join(packages))
    return folder
