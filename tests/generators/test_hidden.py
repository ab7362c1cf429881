"""What hides a page without a sitemap of its generator: its source, if names tell which it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ..repository import commit
from ..tools.conftest import run

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/"
HIDING = (
    *("sitemap: false", "draft: true", "noindex: true", "eleventyExcludeFromCollections: true"),
    *("sitemap:\n  ignore: true", "sitemap:\n  disable: true", "sitemap:\n  exclude: true"),
)


def words(name: str) -> str:
    return f"Words of the page that is called {name}, long enough to be told apart from others."


def html(name: str, more: str = "") -> str:
    mark = '<meta name="generator" content="Eleventy v3.1.8">'
    return (
        f'<!doctype html><html lang="en"><head>{mark}<title>{name}</title></head><body><main>'
        f"<h1>{name}</h1><p>{words(name)}</p>{more}</main></body></html>"
    )


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A finished site of Eleventy without a sitemap, and its sources."""
    put(tmp_path / ".eleventy.js", 'module.exports = c => ({dir: {input: "src"}});\n')
    for name in ("index", "tea", "cup", "pot"):
        put(tmp_path / f"src/{name}.md", f"---\ntitle: {name}\n---\n{words(name)}\n")
        page = "index.html" if name == "index" else f"{name}/index.html"
        put(tmp_path / "_site" / page, html(name))
    return tmp_path


def build(project: Path) -> tuple[list[str], dict[str, str]]:
    """Return the paths that are listed, and why others are not."""
    commit(project)
    outcome = run("build", project / "_site", "--base-url", BASE, "--json")
    assert outcome.code == 0, outcome.stderr
    report = json.loads(outcome.stdout)
    why = {each["url"].removeprefix(BASE): each["reason"] for each in report["excluded"]}
    written = (project / "_site/sitemap.xml").read_text("utf-8")
    paths = [part.partition("</loc>")[0] for part in written.split(f"<loc>{BASE}")[1:]]
    return paths, why


@pytest.mark.parametrize("hiding", HIDING)
def test_the_front_matter_of_a_source_hides_its_page(project: Path, hiding: str) -> None:
    put(project / "src/tea.md", f"---\ntitle: tea\n{hiding}\n---\n{words('tea')}\n")
    listed, why = build(project)
    assert listed == ["", "cup/", "pot/"]
    assert [*why] == ["tea/"]


@pytest.mark.parametrize("hiding", HIDING)
def test_likeness_of_words_dates_a_page_and_never_hides_it(project: Path, hiding: str) -> None:
    (project / "src/tea.md").unlink()
    put(project / "src/other/leaf.md", f"---\ntitle: tea\n{hiding}\n---\n{words('tea')}\n")
    assert build(project) == (["", "cup/", "pot/", "tea/"], {})


def test_an_edit_link_names_the_source(project: Path) -> None:
    (project / "src/tea.md").unlink()
    put(project / "src/other/leaf.md", f"---\ntitle: tea\ndraft: true\n---\n{words('tea')}\n")
    link = '<a href="https://github.com/o/r/edit/main/src/other/leaf.md">Edit</a>'
    put(project / "_site/tea/index.html", html("tea", link))
    assert build(project) == (["", "cup/", "pot/"], {"tea/": "draft"})


def test_a_page_whose_source_is_not_in_the_checkout_is_listed_without_a_date(
    tmp_path: Path,
) -> None:
    put(tmp_path / "myst.yml", "version: 1\n")
    put(tmp_path / "index.md", f"# Tea\n\n{words('tea')}\n")
    for name, location in (("index", "/index.md"), ("api", "/api.md")):
        page = "index.html" if name == "index" else f"{name}/index.html"
        text = html(name).replace("Eleventy v3.1.8", "mystmd")
        put(tmp_path / "_build/html" / page, text)
        put(tmp_path / f"_build/html/{name}.json", json.dumps({"location": location}))
    commit(tmp_path)
    assert run("build", tmp_path / "_build/html", "--base-url", BASE).code == 0
    written = (tmp_path / "_build/html/sitemap.xml").read_text("utf-8")
    assert f"<url><loc>{BASE}api/</loc></url>" in written
    assert f"<url><loc>{BASE}</loc><lastmod>" in written
