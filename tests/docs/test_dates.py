"""The tables of what counts as a change: each row is tried on a real repository."""

from __future__ import annotations

import json
import os
import re
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from textdates import TextDates

from ..environments import python_with
from ..programs import GENERATORS, run_python
from ..repository import commit

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

_CODE = re.compile(r"(`+) ?(.+?) ?\1")
_WEB = "https://tea.example"
_HOME = "https://example.org/"


class Row(NamedTuple):
    """A row of the table of changes of one text."""

    what: str
    file: str
    before: str
    after: str
    new_date: str


class Included(NamedTuple):
    """A row of the table of what pages include."""

    what: str
    tool: str
    page: str
    file: str
    before: str
    after: str
    new_date: str


class Site(NamedTuple):
    """A site whose home page is dated."""

    page: str
    """The file of its home page; empty if the generator makes that."""

    settings: Mapping[str, str]
    """Other files that it needs."""

    command: Sequence[str]
    """A module that builds it, and its arguments."""

    sitemap: str
    environment: str = ""
    """The environment that has what it needs, if that is not the one of the tests."""

    def build(self, folder: Path) -> str | None:
        """Build it; return the date of the home page."""
        python = python_with(self.environment) if self.environment else Path(sys.executable)
        paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
        done = run_python(
            *("-m", *self.command),
            folder=folder,
            loads=GENERATORS[self.command[0]],
            python=python,
            env={"PYTHONPATH": paths},
        )
        assert done.returncode == 0, done.stderr
        urls = {url[0].text: url for url in ET.parse(folder / self.sitemap).getroot()}
        return urls[_HOME].findtext("{*}lastmod")


def mkdocs(*plugins: str | Mapping[str, object]) -> Site:
    """Return a site of MkDocs."""
    settings = {
        "site_name": "Tea",
        "site_url": _HOME,
        "theme": {"name": "material", "font": False},
        "markdown_extensions": [{"pymdownx.snippets": {"url_download": True}}, "mkdocs-click"],
        "plugins": [*plugins, "sitemapkit"],
    }
    files = {"mkdocs.yml": json.dumps(settings)}
    return Site("docs/index.md", files, ["mkdocs", "build", "-q"], "site/sitemap.xml", "material")


SPHINX = Site(
    "index.rst",
    {
        "conf.py": f"html_baseurl = {_HOME!r}\nexclude_patterns = ['out']\n"
        "extensions = ['sphinx.ext.autodoc', 'sphinx_sitemapkit']\n"
    },
    ["sphinx", "-q", "-b", "dirhtml", ".", "out"],
    "out/sitemap.xml",
)
PELICAN = Site(
    "",
    {
        "pelicanconf.py": f"SITEURL = {_HOME!r}\nPATH = 'content'\nTHEME = 'simple'\n"
        "PLUGINS = ['pelican_sitemapkit']\n"
    },
    ["pelican", "-q"],
    "output/sitemap.xml",
)
SITES = {
    "autodoc": SPHINX,
    "include (Sphinx)": SPHINX,
    "include-markdown": mkdocs("include-markdown"),
    "literalinclude": SPHINX,
    "Material's blog": mkdocs({"blog": {"blog_dir": "."}}),
    "mkdocs-click": mkdocs(),
    "mkdocstrings": mkdocs({"mkdocstrings": {"handlers": {"python": {"paths": ["."]}}}}),
    "Pelican, theme `simple`": PELICAN,
    "pymdownx.snippets": mkdocs(),
    "table-reader": mkdocs("table-reader"),
    "toctree": SPHINX,
}
"""The sites of the table, by what puts text on the page."""


def table(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading; `⏎` is a line break."""
    page = Path(__file__).with_name("changes.md").read_text(encoding="utf-8")
    section = page.partition(f"## {heading}")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[_plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def _plain(cell: str) -> str:
    code = _CODE.fullmatch(cell.strip())
    text = code[2] if code else cell.strip()
    return text.replace("⏎", "\n").replace("\\|", "|")


CHANGES = [Row(*cells) for cells in table("What counts, case by case")]
INCLUDED = [Included(*cells) for cells in table("What a page includes, case by case")]


@pytest.mark.parametrize("row", CHANGES, ids=lambda row: row.what)
def test_a_change_has_a_new_date_if_the_table_says_so(row: Row, tmp_path: Path) -> None:
    file = tmp_path / row.file
    for day, text in ((1, row.before), (2, row.after)):
        file.write_text(f"Tea\n\n{text}\n" if row.before[0] not in "-:{" else f"{text}\n")
        commit(tmp_path, f"2024-05-0{day}T12:00:00Z")
    (found,) = TextDates().last_changed([file]).values()
    assert row.new_date in ("yes", "no")
    assert found.day == (2 if row.new_date == "yes" else 1)


@pytest.fixture
def web(tmp_path: Path) -> Generator[tuple[Path, str]]:
    """A folder whose files are served, and the address of the server."""
    folder = tmp_path / "web"
    folder.mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.environment
@pytest.mark.parametrize("row", INCLUDED, ids=lambda row: f"{row.tool}: {row.what}")
def test_what_a_page_takes_in_gives_it_a_new_date_if_the_table_says_so(
    row: Included, tmp_path: Path, web: tuple[Path, str]
) -> None:
    site, folder = SITES[row.tool], tmp_path / "site"
    served, address = web
    name = row.file.removeprefix(f"{_WEB}/")
    files = {site.page: f"# Tea\n\n{row.page.replace(_WEB, address)}\n", **site.settings}
    for day, text in ((1, row.before), (2, row.after)):
        _write(folder, {name: text for name, text in files.items() if name})
        _write(folder if name == row.file else served, {name: f"{text}\n"})
        commit(folder, f"2024-05-0{day}T12:00:00Z")
        date = site.build(folder)
    assert row.new_date in ("yes", "no", "none")
    days = {"yes": "2024-05-02T12:00:00Z", "no": "2024-05-01T12:00:00Z", "none": None}
    assert date == days[row.new_date]


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
