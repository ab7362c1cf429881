"""Names come from pages, settings and texts: one that no file can have is no file, and no error."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from urllib.parse import quote

import pytest

from textdates.bounds import (
    is_file,
    is_folder,
    is_inside,
    is_link,
    is_there,
    read_file,
    real_path,
    root_of,
)

from .repository import git
from .tools.conftest import run

ROOT = Path(__file__).parent.parent
FOLDERS = ("core", "plugins", "tools")

RAISING = {"is_file", "is_dir", "exists", "is_symlink", "is_mount", "samefile", "stat", "lstat"}
"""Methods of `Path`, some of which raise for a name that is too long, others for a NUL."""

ASKING = {"isfile", "isdir", "exists", "lexists", "islink", "getsize", "getmtime", "realpath"}
"""Functions of `os.path`, of which not all are safe; `bounds` has those that are."""

EXCEPTIONS = {
    # a folder was listed, so its files have names that files can have
    "tools/sitemapkit_tools/site/output_dir.py: each.is_file": "listed",
    "tools/sitemapkit_tools/site/output_dir.py: entry.is_symlink": "listed",
    "tools/sitemapkit_tools/site/output_dir.py: entry.is_dir": "listed; answered",
    "tools/sitemapkit_tools/site/output_dir.py: entry.is_file": "listed; answered",
    "core/textdates/git/worktrees.py: entry.is_symlink": "listed",
    # these are there: it was asked before
    "core/sitemapkit/output/files.py: target.stat": "there",
    "plugins/pelican/pelican_sitemapkit/stated_dates.py: file.stat": "there",
    "tools/sitemapkit_tools/commands/build.py: file.stat": "there",
    # git has them, and answered
    "core/textdates/git/repository.py: (root / os.fsdecode(one)).samefile": "git's",
}


def questions(file: Path) -> set[str]:
    """Return what a module asks of paths other than by `bounds`."""
    found: set[str] = set()
    name = file.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and not (node.args or node.keywords):
            node = node.func  # noqa: PLW2901
            if isinstance(node, ast.Attribute) and node.attr == "resolve":
                found.add(f"{name}: {ast.unparse(node)}")
        if isinstance(node, ast.Attribute):
            is_of_path = ast.unparse(node.value) == "os.path"
            if node.attr in RAISING or (is_of_path and node.attr in ASKING):
                found.add(f"{name}: {ast.unparse(node)}")
    return found


def test_what_is_at_a_path_is_asked_in_one_place_that_never_raises() -> None:
    asked: set[str] = set()
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            if file.name != "bounds.py" or "textdates" not in file.parts:
                asked |= questions(file)
    assert sorted(asked - EXCEPTIONS.keys()) == [], "use textdates.bounds, or say why not"
    assert sorted(EXCEPTIONS.keys() - asked) == [], "nothing needs these exceptions any more"


HOSTILE = {
    "too long": "x" * 300,
    "too long in bytes": "圖" * 90,
    "a path too long": "x/" * 3000,
    "with a NUL": "a\0b",
    "that cannot be encoded": "a\ud800b",
    "below a file": "file/a",
    "in a circle of links": "circle",
    "below a circle of links": "circle/a",
    "nothing": "",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_name_that_no_file_has_is_no_file_and_no_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "circle").symlink_to("circle")
    path = os.path.join(tmp_path, name) if name else ""  # noqa: PTH118 - Path may refuse it
    assert [is_file(path), is_folder(path), is_there(path)] == [False] * 3
    assert is_link(path) == (name == "circle")
    assert isinstance(real_path(path), str)
    assert root_of(path)
    assert isinstance(is_inside(path, tmp_path), bool)
    with pytest.raises(OSError, match=r"."):
        read_file(path, 10)


def test_a_page_that_names_such_files_stops_no_command(tmp_path: Path) -> None:
    elements: list[str] = []
    for name in HOSTILE.values():
        address = quote(name, errors="surrogatepass")
        elements += [f'<img src="{address}.png">', f'<a href="{address}">a</a>']
        edit = f"https://github.com/a/b/edit/main/{address}.md"
        elements += [f'<a href="/{address}/">b</a>', f'<a rel="edit" href="{edit}">edit</a>']
    site = tmp_path / "site"
    site.mkdir()
    head = '<!doctype html><title>Tea</title><main id="{}"><p>Words of tea.</p>'
    for n, name in enumerate(HOSTILE.values()):
        html = head.format(name.replace("\0", "&#0;")) + "".join(elements)
        (site / f"{n}.html").write_text(html, errors="replace")
    (site / "index.html").write_text(head.format("home") + "".join(elements))
    git(tmp_path, "init", "--quiet")
    done = run("build", site, "--base-url", "https://example.org/", "--set", "images=true")
    assert done.code == 0, done.stderr
    assert "bug" not in done.stderr
    assert run("check", site).code in (0, 1)
    assert run("diff", site, site).code == 0
