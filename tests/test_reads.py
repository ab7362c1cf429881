"""Each file of a site is read once for its sitemap: a page's head, and the text that git dates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from .repository import commit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WATCHED = """
import atexit, json, os, runpy, sys
read, root = [], os.getcwd() + os.sep
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        path, mode, flags = arguments
        if not (flags & (os.O_WRONLY | os.O_RDWR)):
            read.append(os.path.abspath(os.fsdecode(path)).removeprefix(root))
sys.addaudithook(watch)
atexit.register(lambda: print(json.dumps(read), file=sys.__stdout__))
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""Tells at the end which files of the current folder were opened to be read."""

MKDOCS = {
    "mkdocs.yml": "site_name: S\nsite_url: https://example.org/\nsite_dir: out\nplugins: []\n",
    "ours.yml": '{"INHERIT": "mkdocs.yml", "plugins": ["sitemapkit"]}',
    "docs/a.md": "# A\n",
    "docs/b.md": "# B\n",
}
PELICAN = {
    "pelicanconf.py": 'SITEURL = "https://example.org"\nPATH = "content"\nPLUGINS = []\n',
    "ours.py": 'from pelicanconf import *\nPLUGINS = ["sitemapkit"]\n',
    "content/a.md": "Title: A\nDate: 2024-01-01\nSlug: a\n\nA\n",
    "content/b.md": "Title: B\nDate: 2024-01-01\nSlug: b\n\nB\n",
}
SPHINX = {
    "conf.py": 'html_baseurl = "https://example.org/"\nroot_doc = "a"\n',
    "a.rst": "A\n=\n\n.. toctree::\n\n   b\n",
    "b.rst": "B\n=\n",
}
PAGES = ("a.html", "b.html", "a/index.html", "b/index.html")
SPHINX_BUILD = "sphinx -q -E -a {} . out"


@pytest.mark.parametrize(
    ("files", "plain", "ours"),
    [
        (MKDOCS, "mkdocs build -q", "mkdocs build -q -f ours.yml"),
        (PELICAN, "pelican -q -s pelicanconf.py -o out", "pelican -q -s ours.py -o out"),
        (SPHINX, SPHINX_BUILD.format(""), SPHINX_BUILD.format("-D extensions=sphinx_sitemapkit")),
    ],
    ids=["mkdocs", "pelican", "sphinx"],
)
def test_a_page_and_its_source_are_read_once_at_most(
    tmp_path: Path, files: Mapping[str, str], plain: str, ours: str
) -> None:
    pytest.importorskip(plain.split(maxsplit=1)[0])
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    sources = [name for name in files if name.endswith(("a.md", "b.md", "a.rst", "b.rst"))]
    commit(tmp_path)
    for name in sources:
        (tmp_path / name).write_text(f"{files[name]}\nMore words.\n")
    commit(tmp_path)
    without, read = read_by(tmp_path, plain), read_by(tmp_path, ours)
    assert (tmp_path / "out" / "sitemap.xml").read_text().count("<lastmod>") >= len(sources)
    more = read - without
    assert {name: more[name] for name in sources} == dict.fromkeys(sources, 1)
    pages = [name for name in read if name in {f"out/{p}" for p in PAGES}]
    # A few pages of each kind also tell how a theme of Pelican links.
    times = 2 if plain.startswith("pelican") else 1
    assert {name: more[name] for name in pages} == dict.fromkeys(pages, times)
    assert len(pages) == 2


def read_by(folder: Path, command: str) -> Counter[str]:
    """Return how often a build opens each file below the folder to read it."""
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *command.split()],
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Counter(json.loads(done.stdout.splitlines()[-1]))


def test_diff_reads_pages_as_often_as_check_does(tmp_path: Path) -> None:
    pytest.importorskip("sitemapkit_tools")
    base = "https://example.org/"
    namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    pages = ("index", "a", "b")
    for site in ("old", "new"):
        folder = tmp_path / site
        folder.mkdir()
        rows = ""
        for page in pages:
            address = base if page == "index" else f"{base}{page}.html"
            rows += f"<url><loc>{address}</loc></url>"
            links = '<a href="a.html">a</a> <a href="b.html">b</a>'
            text = f"<title>{page}</title><h1>{page}</h1><p>What people read of {page}.</p>{links}"
            folder.joinpath(f"{page}.html").write_text(text)
        folder.joinpath("sitemap.xml").write_text(f"<urlset {namespace}>{rows}</urlset>")
    compared = read_by(tmp_path, "sitemapkit_tools diff old new --content --format json")
    for site in ("old", "new"):
        checked = read_by(tmp_path, f"sitemapkit_tools check {site} --format json --fail-on never")
        names = [f"{site}/{page}.html" for page in pages[1:]]
        assert {name: compared[name] for name in names} == {name: checked[name] for name in names}
