"""What pages show is noted, and its code loaded, only where dates from git are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site

pytestmark = pytest.mark.slow

NAME_MODULES = """
import sys

def name_modules(app, error):
    print("LOADED", *sorted(sys.modules))

def setup(app):
    app.connect("build-finished", name_modules, priority=900)
"""

DATING = ("sphinx_sitemapkit.texts", "textdates.")
"""The packages that find out when a text changed, but for how any file is read."""


def loaded_for_dates(site: Site, *options: str) -> list[str]:
    """Build with options of sphinx-build; return the loaded modules that only dates need."""
    done = site.run("-W", *options)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("LOADED"))
    names = [name for name in line.split() if name.startswith(DATING)]
    return [name for name in names if name != "textdates.bounds"]


@pytest.fixture
def dated(site: Callable[..., Site]) -> Site:
    """A site in git with an included file, an autodoc page and a table of contents."""
    project = site(code=NAME_MODULES, extensions=["sphinx_sitemapkit", "sphinx.ext.autodoc"])
    project.write({"docs/part.txt": "Included.", "src/tea.py": '"""Tea."""\n'})
    project.document("included", head=":orphan:", body=".. include:: part.txt")
    project.document("api", head=":orphan:", body=".. automodule:: tea")
    project.document("index", body=".. toctree::\n\n   included\n")
    project.commit("2021-01-01T00:00:00Z")
    return project


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml"])
@pytest.mark.parametrize(
    "option", ["sitemap_lastmod=0", "sitemap_lastmod=metadata", "sitemap_show_lastmod=0"]
)
def test_a_build_without_dates_from_git_loads_nothing_for_them(
    dated: Site, builder: str, option: str
) -> None:
    assert loaded_for_dates(dated, "-b", builder, "-D", option) == []


def test_nor_does_it_after_a_build_with_dates(dated: Site) -> None:
    assert "sphinx_sitemapkit.texts" in loaded_for_dates(dated)
    assert loaded_for_dates(dated, "-D", "sitemap_lastmod=0") == []


@pytest.mark.parametrize("jobs", ["1", "4"])
def test_dates_wanted_later_are_those_of_a_fresh_build(dated: Site, jobs: str) -> None:
    dated.write({"docs/part.txt": "Included later.", "src/tea.py": '"""Green tea."""\n'})
    dated.commit("2022-02-02T00:00:00Z")
    loaded_for_dates(dated, "-D", "sitemap_lastmod=0", "-j", jobs)
    assert not any(dated.entries().values())
    dated.run("-W", "-j", jobs)
    days = {path: entry["lastmod"][:10] for path, entry in dated.entries().items()}
    assert days == {
        "api.html": "2022-02-02",
        "included.html": "2022-02-02",
        "index.html": "2021-01-01",
    }


def test_a_document_that_was_changed_while_no_dates_were_wanted_is_noted_anew(dated: Site) -> None:
    dated.run("-W")
    dated.document("api", head=":orphan:", body=".. include:: part.txt")
    dated.run("-W", "-D", "sitemap_lastmod=0")
    dated.write({"docs/part.txt": "Included later."})
    dated.commit("2022-02-02T00:00:00Z", "docs/api.rst")
    dated.commit("2023-03-03T00:00:00Z", "docs/part.txt")
    dated.run("-W")
    assert dated.entries()["api.html"]["lastmod"].startswith("2023-03-03")


def test_documents_are_read_once_more_only_if_dates_need_it(dated: Site) -> None:
    dated.run("-D", "sitemap_lastmod=0")
    assert "3 changed" in dated.run().stdout
    for option in ("sitemap_lastmod=auto", "sitemap_lastmod=0", "sitemap_lastmod=auto"):
        assert "0 added, 0 changed" in dated.run("-D", option).stdout
