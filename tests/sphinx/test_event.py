"""The event `sitemap-entry`: a project's own code has the last word on each entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Site


def with_handler(body: str) -> str:
    return f"""
def on_entry(app, name, entry):
    {body}
def setup(app):
    app.connect("sitemap-entry", on_entry)
"""


def test_a_handler_may_change_an_entry(site: Callable[..., Site]) -> None:
    project = site("tutorial/a", code=with_handler("entry.priority = 0.9 if '/' in name else 0.1"))
    project.build()
    assert project.entries() == {
        "index.html": {"priority": "0.1"},
        "tutorial/a.html": {"priority": "0.9"},
    }


def test_a_handler_may_change_the_url(site: Callable[..., Site]) -> None:
    code = with_handler("entry.loc = entry.loc.removesuffix('.html')")
    project = site("a", "übung", code=code)
    project.build()
    assert project.paths() == ["%C3%BCbung", "a", "index"]


def test_a_handler_drops_an_entry_by_returning_false(site: Callable[..., Site]) -> None:
    project = site("a", "b", code=with_handler("return name != 'a'"))
    log = project.build()
    assert project.paths() == ["b.html", "index.html"]
    assert f"not listed: {project.docs}/a.rst (excluded by a handler of the site)" in log.status


def test_a_handler_hears_of_generated_pages_that_are_listed(site: Callable[..., Site]) -> None:
    project = site(code=with_handler("print(name)"), sitemap_include=["genindex.html"])
    assert project.run("-q").stdout.split() == ["index", "genindex"]


def test_a_handler_that_fails_stops_the_sitemap_but_spares_the_environment(
    site: Callable[..., Site],
) -> None:
    project = site("a", code=with_handler("1 / 0"))
    done = project.run("-q")
    assert done.returncode == 1
    assert "no sitemap was written" in done.stderr
    assert "division by zero" in done.stderr
    assert not project.sitemap().exists()
    assert (project.out() / ".doctrees" / "environment.pickle").exists()


def test_an_entry_that_a_handler_makes_impossible_is_left_out_with_a_warning(
    site: Callable[..., Site],
) -> None:
    code = with_handler("entry.loc = entry.loc if name != 'a' else 'not a URL'")
    project = site("a", "b", code=code)
    log = project.build()
    assert project.paths() == ["b.html", "index.html"]
    assert "not a URL" in log.warnings
