"""No path that a project names is read where it leads out of the repository.

A reader is whatever takes a path from settings, records, texts or links. Each is given paths in all
spellings; what is opened or listed outside is counted by the interpreter itself.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from sitemapkit_tools.sources.table import GENERATORS
from textdates import file_of

from ..tools.conftest import run
from .test_rules import made, project

if TYPE_CHECKING:
    from pathlib import Path

FOREIGN = "foreign"
"""A folder beside the project, which no remark may name."""


class Reader(NamedTuple):
    """A project in whose files `{path}` is the path of a folder, and one of its pages."""

    generator: str
    files: dict[str, str]
    named: str
    """What a remark says of who names the path."""

    page: str = "a/index.html"


TEXT = "Words of a page.\n"
SETTINGS = {
    "Zensical: docs_dir": Reader(
        "zensical", {"zensical.toml": "project.docs_dir = '{path}'"}, "docs_dir"
    ),
    "Zensical: base_path": Reader(
        "zensical",
        {
            "zensical.toml": "[project.markdown_extensions.pymdownx.snippets]\n"
            "base_path = '{path}'",
            "docs/a.md": "--8<-- 'a.md'\n",
        },
        "snippets.base_path",
    ),
    "Jekyll: source": Reader("jekyll", {"_config.yml": "source: '{path}'"}, "source", "a.html"),
    "mdBook: src": Reader("mdbook", {"book.toml": "book.src = '{path}'"}, "book.src", "a.html"),
    "Hugo: contentDir": Reader("hugo", {"hugo.toml": "contentDir = '{path}'"}, "contentDir"),
    "VitePress: srcDir": Reader(
        "vitepress",
        {
            ".vitepress/config.js": "export default {{ srcDir: '{path}' }}",
            "a.md": TEXT * 9 + "<!--@include: @/a.md-->\n",
        },
        "srcDir",
        "a.html|<title>Words</title>" + TEXT * 9,
    ),
}

RECORDS = {
    "MyST: the data of a page": Reader(
        "myst",
        {"myst.yml": "", "_build/html/a.json": '{{"location": "{path}/a.md"}}'},
        "the source of a page",
    ),
}

INCLUDES = {
    "mdBook": Reader(
        "mdbook",
        {
            "book.toml": "book.src = '.'",
            "SUMMARY.md": "[A](a.md)",
            "a.md": "{{{{#include {path}/a.md}}}}",
        },
        "",
        "a.html",
    ),
    "Quarto": Reader(
        "quarto",
        {"_quarto.yml": "", "a.qmd": "{{{{< include {path}/a.md >}}}}"},
        "",
        "a.html",
    ),
    "Hugo": Reader(
        "hugo", {"hugo.toml": "contentDir = '.'", "a.md": '{{{{< include "{path}/a.md" >}}}}'}, ""
    ),
    "Jekyll": Reader(
        "jekyll",
        {"_config.yml": "", "a.md": "---\n---\n{{% include_relative {path}/a.md %}}"},
        "",
        "a.html",
    ),
    "MyST": Reader(
        "myst",
        {
            "myst.yml": "",
            "_build/html/a.json": '{{"location": "a.md"}}',
            "a.md": "```{{include}} {path}/a.md\n```\n",
        },
        "",
    ),
    "Zensical": Reader(
        "zensical", {"zensical.toml": "project.docs_dir = '.'", "a.md": "--8<-- '{path}/a.md'"}, ""
    ),
    "VitePress": Reader(
        "vitepress",
        {".vitepress/config.js": "", "a.md": TEXT * 9 + "<!--@include: {path}/a.md-->\n"},
        "",
        "a.html|<title>Words</title>" + TEXT * 9,
    ),
    "Docusaurus": Reader(
        "docusaurus",
        {"docusaurus.config.js": "", "a.mdx": TEXT * 9 + "\nimport A from './{path}/a.md'\n"},
        "",
        "a/index.html|<title>Words</title>" + TEXT * 9,
    ),
    "Antora": Reader(
        "antora",
        {"antora-playbook.yml": "", "a.adoc": TEXT * 9 + "\ninclude::{path}/a.md[]\n"},
        "",
        "a.html|<title>Words</title>" + TEXT * 9,
    ),
}
LINKS = {
    "a linked text among all texts": Reader(
        "jekyll", {"_config.yml": "source: docs"}, "a symbolic link", "a.html"
    ),
    "a linked text found by words": Reader(
        "docusaurus",
        {"docusaurus.config.js": ""},
        "a symbolic link",
        "docs/a/index.html|<title>Words</title>" + TEXT * 9,
    ),
    "a chapter behind a link": Reader(
        "mdbook",
        {"book.toml": "book.src = '.'", "SUMMARY.md": "[A](linked/a.md)"},
        "the source of a page",
        "linked/a.html",
    ),
    "linked settings": Reader("hugo", {"config/_default/hugo.toml": ""}, "a symbolic link"),
}

TAKEN_IN = {name: each._replace(named="what it takes in") for name, each in INCLUDES.items()}

ALL = {**SETTINGS, **RECORDS, **TAKEN_IN}

SPELLINGS = {
    "folders above": "../foreign",
    "another way up": "./x/../.././foreign",
    "absolute": "{foreign}",
    "a link": "linked",
    "percent-encoded": "..%2fforeign",
    "percent-encoded dots": "%2e%2e/foreign",
    "backslashes": "..\\foreign",
    "the home folder": "~/foreign",
}

BELOW = (*list(SPELLINGS.values())[4:], "linked")
"""Paths that are below a folder for those who know nothing of links."""

OPENED: list[str] = []
"""What the interpreter opened or listed, while it is watched."""

WATCHED: list[str] = []


def watch(event: str, arguments: tuple[object, ...]) -> None:
    if WATCHED and event in ("open", "os.scandir", "os.listdir"):
        path = arguments[0]
        if isinstance(path, str | bytes | os.PathLike):
            real = os.path.realpath(os.fsdecode(path))
            if real.startswith(WATCHED[0]):
                OPENED.append(real)


sys.addaudithook(watch)


def place(tmp_path: Path) -> tuple[Path, Path]:
    """Return the folders of a project and of what is foreign to it."""
    root, foreign = tmp_path / "project", tmp_path / FOREIGN
    (root / "x").mkdir(parents=True)
    (root / "linked").symlink_to(foreign)
    (root / "docs").mkdir()
    foreign.mkdir()
    (foreign / "a.md").write_text("---\ntitle: Secret\n---\n" + TEXT * 9)
    (foreign / "b.html").write_text("<title>Copied</title>" + TEXT * 9)
    (foreign / "a.py").write_text("def b():\n    pass\n")
    (foreign / "a.yml").write_text("website: {site-url: https://secret.example.org/}\n")
    (foreign / "SUMMARY.md").write_text("[A](a.md)\n")
    return root, foreign


def read(reader: Reader, root: Path, foreign: Path, path: str) -> list[str]:
    """Return the problems of a project, whose pages name no foreign source; nothing is opened."""
    files = {
        name: text.replace("{path}", path).replace("{{", "{").replace("}}", "}")
        for name, text in reader.files.items()
    }
    found = project(root, reader.generator, files)
    WATCHED[:] = [str(foreign)]
    try:
        pages = made(found, reader.page)
        found.base_url()
    finally:
        WATCHED.clear()
    opened = OPENED.copy()
    OPENED.clear()
    assert not opened
    for page in pages.values():
        for source in (*page.sources, *page.included):
            assert os.path.realpath(file_of(source)).startswith(f"{root}{os.sep}")
        assert "Secret" not in page.meta.values()
    said = "\n".join(found.problems)
    assert (FOREIGN if path not in BELOW else str(foreign)) not in said
    return found.problems


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", ALL)
def test_nothing_outside_a_project_is_read(tmp_path: Path, name: str, spelling: str) -> None:
    root, foreign = place(tmp_path)
    (root / ".git").mkdir()
    path = SPELLINGS[spelling].replace("{foreign}", str(foreign))
    problems = read(ALL[name], root, foreign, path)
    if list(SPELLINGS).index(spelling) < 4 and not is_below(name, spelling):
        assert any(f"{ALL[name].named} leads out of {root}" in each for each in problems), problems


def is_below(name: str, spelling: str) -> bool:
    """Return whether an absolute path is one below a folder for this reader."""
    below = ("Quarto", "Sphinx", "Hugo", "MyST", "Docusaurus")
    return spelling == "absolute" and name.startswith(below) and name in {**INCLUDES, **RECORDS}


@pytest.mark.parametrize("name", ALL)
def test_what_is_in_the_repository_is_read(tmp_path: Path, name: str) -> None:
    """The same paths, where one repository holds both."""
    root, _ = place(tmp_path)
    (tmp_path / ".git").mkdir()
    reader = ALL[name]
    files = {
        each: text.replace("{path}", "../foreign").replace("{{", "{").replace("}}", "}")
        for each, text in reader.files.items()
    }
    found = project(root, reader.generator, files)
    pages = made(found, reader.page)
    read = [file_of(each) for page in pages.values() for each in (*page.sources, *page.included)]
    is_read = any(os.path.realpath(each).startswith(str(tmp_path / FOREIGN)) for each in read)
    assert is_read or "secret" in found.base_url(), pages
    assert not [each for each in found.problems if "leads out" in each]


@pytest.mark.parametrize("name", LINKS)
def test_no_link_in_a_project_is_followed_out_of_it(tmp_path: Path, name: str) -> None:
    root, foreign = place(tmp_path)
    (root / "docs/a.md").symlink_to(foreign / "a.md")
    (root / "config/_default").mkdir(parents=True)
    (root / "config/_default/params.yml").symlink_to(foreign / "a.yml")
    problems = read(LINKS[name], root, foreign, "")
    assert any(LINKS[name].named in each for each in problems), problems


# Whoever adds a reader says here who tries it

PATHS = {
    "book.src": "mdBook: src",
    "contentDir": "Hugo: contentDir",
    "project.docs_dir": "Zensical: docs_dir",
    "project.markdown_extensions.pymdownx.snippets.base_path": "Zensical: base_path",
    "source": "Jekyll: source",
    "srcDir": "VitePress: srcDir",
}
"""Settings that name folders of texts, and who is given them."""

OWN = {"jekyll", "mdbook", "quarto", "zensical"}
"""Generators whose own readers take no paths but those of the settings above."""


def test_who_adds_a_setting_that_names_a_path_says_who_is_given_it() -> None:
    named = {row.texts_setting for row in GENERATORS.values()}
    named |= {row.includes_setting for row in GENERATORS.values()}
    assert named - {""} == PATHS.keys()
    assert {*PATHS.values()} <= SETTINGS.keys()


def test_who_adds_includes_or_a_reader_of_paths_says_who_tries_it() -> None:
    tried = {reader.generator for reader in INCLUDES.values()}
    like_others = {"starlight", "astro", "eleventy", "nuxt"}  # as Docusaurus
    assert {name for name, row in GENERATORS.items() if row.includes} == tried | like_others
    readers = {reader.generator for reader in RECORDS.values()}
    assert {name for name, row in GENERATORS.items() if row.own} == readers | OWN


@pytest.mark.parametrize("name", ["sitemap.xml", "index.html"])
@pytest.mark.parametrize("command", ["build", "check", "merge"])
def test_no_link_in_a_finished_site_is_read_out_of_it(
    tmp_path: Path, command: str, name: str
) -> None:
    site, foreign = tmp_path / "site", tmp_path / FOREIGN
    for folder in (site, foreign):
        folder.mkdir()
        (folder / "index.html").write_text("<!doctype html><title>Secret</title><p>Words.")
        assert run("build", folder, "--base-url", "https://example.org/").code == 0
    (site / name).unlink()
    (site / name).symlink_to(foreign / name)
    given = (site, "--out", site) if command == "merge" else (site,)
    outcome = run(command, *given, "--base-url", "https://example.org/")
    said = outcome.stdout + outcome.stderr
    assert outcome.code in (1, 2), outcome
    assert f"{site / name} is " in said
    assert "symbolic link" in said
    assert str(foreign) not in said
    assert "Secret" not in said
