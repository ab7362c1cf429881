"""Which of our code a build loads: what it does not need costs time and is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

HOOK = """
import sys
def on_shutdown():
    print(*sys.modules)
"""

TEXTS = ("textdates", "mkdocs_sitemapkit.texts")
"""What knows texts and their history: packages."""

READING = {"textdates", "textdates.bounds"}
"""How any file is read."""


def loaded(made: Site, lastmod: object) -> set[str]:
    """Build a site in a process of its own; return which modules about texts it loads."""
    made.configure(hooks=["hook.py"], plugins=[{"sitemapkit": {"lastmod": lastmod}}])
    made.commit("2024-05-06T07:08:09Z")
    done = made.run("build", "--strict", "--quiet")
    assert done.returncode == 0, done.stderr
    starts = tuple(f"{name}." for name in TEXTS)
    names = {*done.stdout.split()} - READING
    return {name for name in names if f"{name}.".startswith(starts)}


@pytest.mark.parametrize("lastmod", [False, ["metadata"], ["metadata", "generator"]])
def test_a_build_without_dates_by_texts_loads_nothing_about_texts(
    site: Callable[..., Site], lastmod: object
) -> None:
    made = site({"hook.py": HOOK, "docs/tea.md": "---\nlastmod: 2024-01-02\n---\n# Tea"})
    assert loaded(made, lastmod) == set()
    dated = [said["lastmod"] for said in made.entries().values() if "lastmod" in said]
    assert dated == (["2024-01-02"] if lastmod else [])


def test_a_build_with_dates_by_git_loads_only_what_its_pages_need(
    site: Callable[..., Site],
) -> None:
    made = site({"hook.py": HOOK, "docs/tea.md": "# Tea"})
    found = loaded(made, "auto")
    assert all("lastmod" in said for said in made.entries().values())
    assert [name for name in found if name.startswith("mkdocs_")] == ["mkdocs_sitemapkit.texts"]
    assert found - {"mkdocs_sitemapkit.texts"}
