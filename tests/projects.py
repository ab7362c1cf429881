"""A small project of each generator, with a ledger and a report, and its build as a command."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .repository import commit

if TYPE_CHECKING:
    from pathlib import Path

PROJECTS = {
    "mkdocs": (
        "mkdocs build --site-dir out",
        {
            "mkdocs.yml": "site_name: A\nsite_url: https://example.org/\n"
            "plugins: [{sitemapkit: {ledger: ledger.txt, report: report.json}}]\n",
            "docs/index.md": "# A\n\nWords.\n",
        },
    ),
    "pelican": (
        "pelican -s pelicanconf.py -o out",
        {
            "pelicanconf.py": 'SITEURL = "https://example.org"\nPATH = "content"\n'
            'PLUGINS = ["sitemapkit"]\n'
            'SITEMAP = {"ledger": "ledger.txt", "report": "report.json"}\n',
            "content/pages/a.md": "Title: A\n\nWords.\n",
        },
    ),
    "sphinx": (
        "sphinx src out",  # it walks whatever is in its folder
        {
            "src/conf.py": 'html_baseurl = "https://example.org/"\n'
            'extensions = ["sphinx_sitemapkit"]\nroot_doc = "content/a"\n'
            'sitemap_ledger = "../ledger.txt"\nsitemap_report = "../report.json"\n',
            "src/content/a.rst": "A\n=\n\nWords.\n",
        },
    ),
}
"""The command that builds a project into `out`, and its files."""


def write(generator: str, folder: Path) -> None:
    """Write and commit the project of a generator."""
    pytest.importorskip(generator)
    for name, text in PROJECTS[generator][1].items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    commit(folder)


def built(generator: str, folder: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """Build it by a command, which may have words before it."""
    return subprocess.run(
        [*before, sys.executable, "-m", *PROJECTS[generator][0].split()],
        cwd=folder,
        env={**os.environ, "COLUMNS": "1000"},  # Pelican breaks its lines, and paths in them
        capture_output=True,
        text=True,
        errors="backslashreplace",
        timeout=500,
        check=False,
    )
