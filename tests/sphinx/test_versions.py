"""Versions that Sphinx built one after the other into folders of one site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sphinx

from ..tools.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Site

HOME = "https://example.org/"
VERSIONS = ("1.0", "2.0", "latest")


@pytest.fixture
def served(site: Callable[..., Site]) -> Callable[[str], Path]:
    """Return a function that builds three versions for one URL, the first with a page more."""

    def build(builder: str) -> Path:
        if builder == "dirhtml" and sphinx.version_info[:2] < (8, 1):
            pytest.skip("Sphinx writes wrong canonical links")
        made = site("tuning", "gone", html_baseurl=f"{HOME}latest/", html_theme="alabaster")
        for version in VERSIONS:
            assert made.build(builder, folder=version).warnings == ""
            (made.docs / "gone.rst").unlink(missing_ok=True)
        return made.out("")

    return build


MULTIVERSION = """
def setup(app):
    app.add_config_value("smv_metadata", {"1.0": {}, "2.0": {}}, "")
    app.add_config_value("smv_current_version", "1.0", "")
"""
"""What sphinx-multiversion tells the build of a version."""


def test_a_base_url_without_the_version_that_sphinx_multiversion_builds_is_told(
    site: Callable[..., Site],
) -> None:
    made = site(code=MULTIVERSION)
    for base, is_told in (("", True), ("1.0/", False), ("2.0", False), ("stable", False)):
        said = made.build(html_baseurl=f"{HOME}{base}").warnings
        assert ("does not name a version" in said) is is_told, base


def merge(out: Path) -> str:
    folders = [out / name for name in VERSIONS]
    outcome = run("merge", *folders, "--out", out, "--base-url", HOME)
    assert outcome.code == 0, outcome.stderr
    return outcome.stderr


@pytest.mark.parametrize(("builder", "page"), [("html", "gone.html"), ("dirhtml", "gone/")])
def test_a_page_that_newer_versions_have_lost_is_told_and_nothing_else(
    served: Callable[[str], Path], builder: str, page: str
) -> None:
    out = served(builder)
    told = f"It names {HOME}latest/{page}."
    assert [told in line for line in merge(out).splitlines()] == [True]
    outcome = run("check", out, "--version-folder", "1.0", "--version-folder", "2.0")
    assert f"/1.0/{page}  {told} Only 1.0 has the page." in outcome.stdout
    assert "\n1 error: 2 URLs in 2 sitemaps" in outcome.stdout


def test_versions_with_the_same_pages_have_no_fault(served: Callable[[str], Path]) -> None:
    out = served("dirhtml")
    (out / "1.0" / "gone" / "index.html").unlink()
    assert merge(out) == ""
    outcome = run("check", out, "--version-folder", "1.0", "--fail-on", "note")
    assert outcome.code == 0, outcome.stdout
