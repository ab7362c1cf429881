"""Builds in several languages: each needs a base URL of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

SHARED = "The builds of two languages have the same base URL"


def check(site: Site, folder: str) -> list[dict[str, Any]]:
    """Return the issues of `sitemapkit check` with a folder of the output."""
    command = [sys.executable, "-m", "sitemapkit_tools", "check", "--json", "--base-url", BASE]
    done = subprocess.run([*command, str(site.out(folder))], capture_output=True, check=False)
    issues: list[dict[str, Any]] = json.loads(done.stdout)["issues"]
    return issues


def build(site: Site, folder: str, **settings: str) -> str:
    """Build in a folder of the output, and return the warnings."""
    return site.build(folder=folder, **settings).warnings


@pytest.mark.parametrize(
    ("first", "second"), [(".", "es"), ("en", "es"), ("en/html", "es/html"), ("en", "pt-br")]
)
def test_two_languages_with_one_base_url_are_noticed_by_the_second_build(
    site: Callable[..., Site], first: str, second: str
) -> None:
    project = site("a")
    assert SHARED not in build(project, first, language="en")
    language = second.removesuffix("/html").replace("-br", "_BR")
    warning = build(project, second, language=language)
    assert warning.count(SHARED) == 1
    assert f"{project.out(first) / 'sitemap.xml'} lists {BASE}a.html" in warning
    assert "html_baseurl" in warning


@pytest.mark.parametrize(
    "base", ["https://example.org/docs/es/", "https://es.example.org/", "https://example.es/"]
)
def test_a_base_url_that_names_the_language_is_right(site: Callable[..., Site], base: str) -> None:
    project = site("a")
    build(project, ".", language="en")
    assert SHARED not in build(project, "es", language="es", html_baseurl=base)


def test_the_default_language_at_the_root_is_right(site: Callable[..., Site]) -> None:
    project = site("a")
    build(project, "en", language="en", html_baseurl=f"{BASE}en/")
    assert SHARED not in build(project, "es", language="es")
    assert SHARED not in build(project, "es-dirhtml", language="es")


def test_a_check_of_all_languages_finds_the_sitemap_of_the_wrong_ones(
    site: Callable[..., Site],
) -> None:
    project = site("a")
    build(project, ".", language="en")
    build(project, "es", language="es")
    build(project, "de", language="de", html_baseurl=f"{BASE}de/")
    build(project, "old", language="en")
    found = [each for each in check(project, ".") if each["id"] == "language-base"]
    assert [each["where"] for each in found] == ["es/sitemap.xml"]
    assert f"{BASE}a.html, which is in 'en'; es/a.html is in 'es'" in found[0]["detail"]
