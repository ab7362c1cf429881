"""What is said where a generator is older than what sitemapkit works with."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .projects import PROJECTS, write

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[1]
AS_OLD = """
import runpy, sys
import {module}
{module}.__version__ = "1.5.3"
sys.argv = {arguments}
runpy.run_module("{module}", run_name="__main__", alter_sys=True)
"""
SAID = {
    "mkdocs": "MkDocs 1.5.3 is too old: sitemapkit needs MkDocs 1.6 or newer; run `pip install",
    "pelican": "Pelican 1.5.3 is too old: sitemapkit needs Pelican 4.9 or newer; run `pip install",
    "sphinx": "Sphinx 1.5.3 is too old: sitemapkit needs Sphinx 7.3 or newer; run `pip install",
}


@pytest.mark.parametrize("generator", SAID)
def test_beside_an_older_generator_one_sentence_says_which_one_is_needed(
    generator: str, tmp_path: Path
) -> None:
    write(generator, tmp_path)
    arguments = PROJECTS[generator][0].split()
    program = AS_OLD.format(module=generator, arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"COLUMNS": "1000", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    oldest = importlib.import_module(f"{generator}_sitemapkit").OLDEST
    assert f"{SAID[generator]} '{generator}>={oldest}'`." in said
    assert "Traceback" not in said
    assert not (tmp_path / "out" / "sitemap.xml").exists()


@pytest.mark.parametrize("generator", SAID)
def test_the_oldest_generator_is_the_one_that_the_extra_of_its_name_asks_for(
    generator: str,
) -> None:
    pytest.importorskip(generator)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras: Mapping[str, list[str]] = project["optional-dependencies"]
    oldest = importlib.import_module(f"{generator}_sitemapkit").OLDEST
    assert re.findall(r">=([\d.]+)", extras[generator][0]) == [oldest]
