"""What moves a date and what does not: eight events in the life of a site, on real builds.

Each site has been built once, with a ledger, on Monday; then something happens, and it is built
again on Tuesday. The pages that have a date then are those that the ledger saw change.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config
from pelican import Pelican, signals
from pelican.settings import read_settings
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.slow

MONDAY, TUESDAY = "1715000000", "1715086400"  # 2024-05-06 and 2024-05-07, in seconds
SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LEDGER: dict[str, Any] = {"ledger": "ledger.txt", "lastmod": ["ledger"]}

TEXTS = {
    "index": ("Home", "Welcome. Begin with the leaves."),
    "tea": ("Tea", "Tea is *made* of leaves,\nof water, and of patience:\n\n* black\n* green\n"),
    "water": ("Water", "Soft water is best, at 80 °C for green tea."),
    "about": ("About", "This is the handbook of version VERSION."),
}
"""Title and text of each page; `about` shows the version."""


@dataclass
class Project:
    """The sources of a site, in no generator's own form."""

    texts: dict[str, tuple[str, str]] = field(default_factory=TEXTS.copy)
    theme: int = 0
    version: str = "1.0"
    metadata: str = ""
    eol: str = "\n"


def rebuilt(project: Project) -> None:
    """Nothing has happened."""


def themed(project: Project) -> None:
    project.theme = 1


def added(project: Project) -> None:
    project.texts["cups"] = ("Cups", "Cups are small.")


def retitled(project: Project) -> None:
    project.texts["tea"] = ("All about tea", TEXTS["tea"][1])


def swept(project: Project) -> None:
    project.metadata = "A handbook of tea"


def bumped(project: Project) -> None:
    project.version = "2.0"


def reformatted(project: Project) -> None:
    tea = "Tea\nis *made* of leaves, of water, and of\npatience:\n\n- black\n- green\n\n\n"
    project.texts["tea"] = ("Tea", tea)
    project.eol = "\r\n"


def moved(project: Project) -> None:
    project.texts["infusion"] = project.texts.pop("tea")


EVENTS: dict[Callable[[Project], None], set[str]] = {
    rebuilt: set(),
    themed: set(),
    added: {"cups"},
    retitled: {"tea"},
    swept: set(),
    bumped: {"about"},
    reformatted: set(),
    moved: set(),
}
"""The pages whose date moves at each event."""

IN_THE_TOCTREE = (added, retitled, moved)
"""Events that change titles or links of other pages, which the index shows in Sphinx."""


def mkdocs(folder: Path, project: Project) -> Path:
    """Build with MkDocs: its own theme, or ReadTheDocs' with permalinks."""
    for name, (title, text) in project.texts.items():
        head = f"---\ndescription: {project.metadata}\n---\n" if project.metadata else ""
        write(folder / "docs" / f"{name}.md", f"{head}# {title}\n\n{text}\n", project.eol)
    hook = f"on_page_markdown = lambda text, **_: text.replace('VERSION', '{project.version}')\n"
    write(folder / "hook.py", hook)
    settings = {
        "site_name": f"Handbook {project.version}",
        "site_url": "https://example.org/",
        "copyright": f"Version {project.version}",
        "theme": ("mkdocs", "readthedocs")[project.theme],
        "markdown_extensions": [{"toc": {"permalink": bool(project.theme)}}],
        "hooks": ["hook.py"],
        "plugins": [{"sitemapkit": LEDGER}],
    }
    write(folder / "mkdocs.yml", json.dumps(settings))
    config = load_config(str(folder / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    build_with_mkdocs(config)
    return folder / "site"


def pelican(folder: Path, project: Project) -> Path:
    """Build with Pelican: pages, and one article, so that there are listings."""
    for name, (title, text) in project.texts.items():
        head = f"Title: {title}\nSlug: {name}\n"
        head += f"Description: {project.metadata}\n" if project.metadata else ""
        write(folder / "content/pages" / f"{name}.md", f"{head}\n{text}\n", project.eol)
    write(folder / "content/opening.md", "Title: Opening\nDate: 2024-01-02\n\nWe are open.\n")

    def insert_version(content: Any) -> None:
        text = vars(content).get("_content") or ""
        vars(content)["_content"] = text.replace("VERSION", project.version)

    settings = {
        "PATH": str(folder / "content"),
        "OUTPUT_PATH": str(folder / "output"),
        "SITENAME": f"Handbook {project.version}",
        "SITEURL": "https://example.org",
        "TIMEZONE": "UTC",
        "THEME": ("notmyidea", "simple")[project.theme],
        "PLUGINS": ["pelican_sitemapkit"],
        "SITEMAP": {**LEDGER, "ledger": str(folder / "ledger.txt")},
    }
    with signals.content_object_init.connected_to(insert_version):
        Pelican(read_settings(override=settings)).run()
    return folder / "output"


def sphinx(folder: Path, project: Project) -> Path:
    """Build with Sphinx: its basic theme, or Alabaster."""
    for name, (title, text) in project.texts.items():
        head = f":description: {project.metadata}\n\n" if project.metadata else ""
        others = "".join(f"   {other}\n" for other in sorted(project.texts) if other != "index")
        toctree = f"\n.. toctree::\n\n{others}" if name == "index" else ""
        body = text.replace("VERSION", "|version|")
        page = f"{head}{title}\n{'=' * 20}\n\n{body}\n{toctree}"
        write(folder / "docs" / f"{name}.rst", page, project.eol)
    settings = {
        "project": "Handbook",
        "version": project.version,
        "extensions": ["sphinx_sitemapkit"],
        "html_theme": ("basic", "alabaster")[project.theme],
        "html_baseurl": "https://example.org/",
        **{f"sitemap_{name}": value for name, value in LEDGER.items()},
        "sitemap_ledger": "../ledger.txt",
    }
    write(folder / "docs/conf.py", "".join(f"{k} = {v!r}\n" for k, v in settings.items()))
    docs, out = folder / "docs", folder / "html"
    with patch_docutils(str(docs)), docutils_namespace():
        app = Sphinx(docs, docs, out, out / "cache", "html", status=StringIO(), warning=StringIO())
        app.build()
    return out


def write(file: Path, text: str, eol: str = "\n") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline=eol)


def dated(out: Path) -> dict[str, str]:
    """Return the date of each page that has one, by its name."""
    found: dict[str, str] = {}
    for url in ET.parse(out / "sitemap.xml").getroot():
        loc, lastmod = (url.findtext(f"{SITEMAPS}{name}") for name in ("loc", "lastmod"))
        name = re.sub(r"(/|\.html)$", "", loc or "").rpartition("/")[2]
        if lastmod:
            found["index" if name == "example.org" else name] = lastmod
    return found


GENERATORS = (mkdocs, pelican, sphinx)


@pytest.fixture(scope="module", params=GENERATORS, ids=lambda build: build.__name__)
def monday(request: Any, tmp_path_factory: Any) -> tuple[Callable[[Path, Project], Path], str]:
    """A generator, and the ledger of the first build with it."""
    build, folder = request.param, tmp_path_factory.mktemp(request.param.__name__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", MONDAY)
        out = build(folder, Project())
    assert dated(out) == {}  # all were there before the ledger
    return build, (folder / "ledger.txt").read_text()


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
def test_the_dates_of_exactly_those_pages_move_whose_text_changed(
    event: Callable[[Project], None],
    monday: tuple[Callable[[Path, Project], Path], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build, ledger = monday
    write(tmp_path / "ledger.txt", ledger)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TUESDAY)
    project = Project()
    event(project)
    index = {"index"} if build is sphinx and event in IN_THE_TOCTREE else set[str]()
    assert dated(build(tmp_path, project)) == dict.fromkeys(EVENTS[event] | index, "2024-05-07")
