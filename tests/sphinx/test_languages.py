"""Builds in several languages: each needs a base URL of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from .conftest import BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site


def check(site: Site, folder: str) -> list[dict[str, Any]]:
    """Return the issues of `sitemapkit check` with a folder of the output."""
    command = [sys.executable, "-m", "sitemapkit_tools", "check", "--json", "--base-url", BASE]
    done = subprocess.run([*command, str(site.out(folder))], capture_output=True, check=False)
    issues: list[dict[str, Any]] = json.loads(done.stdout)["issues"]
    return issues


def test_a_check_of_all_languages_finds_the_sitemap_of_the_wrong_ones(
    site: Callable[..., Site],
) -> None:
    project = site("a")
    project.build(folder=".", language="en")
    project.build(folder="es", language="es")
    project.build(folder="de", language="de", html_baseurl=f"{BASE}de/")
    project.build(folder="old", language="en")
    found = [each for each in check(project, ".") if each["id"] == "language-base"]
    assert [each["where"] for each in found] == ["es/sitemap.xml"]
    assert f"{BASE}a.html, which is in 'en'; es/a.html is in 'es'" in found[0]["detail"]
