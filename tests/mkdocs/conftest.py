"""Small MkDocs sites, written and built for real, and the sitemap that is read back from them."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import io
import json
import logging
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import jinja2
import pytest
import yaml

from ..environments import python_with
from ..programs import GENERATORS, run_python
from ..repository import NOBODY, commit, git

if importlib.util.find_spec("mkdocs") is None:
    importlib.import_module("properdocs.replacement")  # it stands in for MkDocs from here on

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.plugins import get_plugin_logger

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

TOOL = "properdocs" if "properdocs.replacement" in sys.modules else "mkdocs"

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "example-sites" / "mkdocs"

SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"

THEME = """<!doctype html>
<html><head><title>{{ page.title }}</title>
{% if page.canonical_url %}<link rel="canonical" href="{{ page.canonical_url }}">{% endif %}
{{ page.meta.head if page }}
</head><body>{{ page.content }}</body></html>
"""


@dataclass
class Site:
    """A site in a folder: what is written there, and what a build makes of it."""

    root: Path
    python: Path = Path(sys.executable)
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def out(self) -> Path:
        """The folder that MkDocs writes to."""
        return self.root / "site"

    @property
    def program(self) -> Path:
        """MkDocs, or what stands in for it."""
        return self.python.parent / TOOL

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write text files; paths are relative to the folder of mkdocs.yml. None: not that one."""
        for name, text in files.items():
            if text is None:
                continue
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def make_older(self, *, but: str = "") -> None:
        """Make all files a minute older, but for those of a folder: those have changed since."""
        for file in self.root.rglob("*"):
            if not but or but not in file.relative_to(self.root).parts:
                before = file.stat().st_mtime - 60
                os.utime(file, (before, before))

    def configure(self, **settings: Any) -> None:
        """Write mkdocs.yml (YAML is a superset of JSON)."""
        self.settings |= settings
        self.write({"mkdocs.yml": json.dumps(self.settings, ensure_ascii=False)})

    def build(self, *, dirty: bool = False, **overrides: Any) -> list[str]:
        """Build in this process as `mkdocs build` does; return the plugin's own log lines."""
        config = load_config(str(self.root / "mkdocs.yml"), **overrides)
        config.plugins.on_startup(command="build", dirty=dirty)
        with Recorder() as recorder:
            build(config, dirty=dirty)
        return recorder.lines

    def run(
        self, *arguments: str, program: str = TOOL, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment as a command of its own."""
        scripts = self.python.parent
        path = {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
        environment = {**NOBODY, **path, **(env or {})}
        command = (str(scripts / program), *arguments)
        if program == "mkdocs":
            return run_python(
                *command,
                folder=self.root,
                loads=GENERATORS["mkdocs"],
                python=self.python,
                env=environment,
            )
        return subprocess.run(
            command,
            cwd=self.root,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def entries(self, file: str = "sitemap.xml") -> dict[str, dict[str, str]]:
        """Return what a sitemap of the site says, as {loc: {element: text}}."""
        root = ET.parse(self.out / file).getroot()
        return {
            url.findtext(f"{SITEMAPS}loc", ""): {
                child.tag.removeprefix(SITEMAPS): child.text or ""
                for child in url[1:]
                if child.tag.startswith(SITEMAPS)
            }
            for url in root
        }

    def paths(self, base: str = "https://example.org/") -> list[str]:
        """Return the listed URLs without the base."""
        return [loc.removeprefix(base) for loc in self.entries()]

    def alternates(
        self, file: str = "sitemap.xml", *, base: str = "https://example.org/"
    ) -> dict[str, dict[str, str]]:
        """Return {path: {language: path}} of the entries' translations."""
        root = ET.parse(self.out / file).getroot()
        return {
            url.findtext(f"{SITEMAPS}loc", "").removeprefix(base): {
                link.get("hreflang", ""): link.get("href", "").removeprefix(base)
                for link in url.iter(f"{XHTML}link")
            }
            for url in root
        }

    def commit(self, date: str, *paths: str) -> None:
        """Commit the paths, or everything, at `date`; the repository is made when it is missing."""
        commit(self.root, date, *paths)

    def git(self, *arguments: str, date: str = "2020-01-01T00:00:00Z") -> None:
        """Run git in the site's folder as nobody in particular, at `date`."""
        git(self.root, *arguments, date=date)


class Recorder(logging.Handler):
    """Keeps what the plugin logs, as `LEVEL text`."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.logger = get_plugin_logger("sitemapkit").logger

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.getMessage()}")

    def __enter__(self) -> Recorder:
        self.level_before = self.logger.level
        self.logger.setLevel(logging.DEBUG)
        self.logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.logger.removeHandler(self)
        self.logger.setLevel(self.level_before)


@pytest.fixture
def new_site(tmp_path: Path) -> Site:
    """An empty folder for a site."""
    return Site(tmp_path / "project")


@pytest.fixture
def site(new_site: Site) -> Callable[..., Site]:
    """Return a function that writes a site: `site({"docs/about.md": "# About"}, site_url=...)`."""

    def make(files: Mapping[str, str | None], **settings: Any) -> Site:
        made = new_site
        made.write({"theme/main.html": THEME, "docs/index.md": "# Home", **files})
        defaults: dict[str, Any] = {
            "site_name": "Site",
            "site_url": "https://example.org/",
            "theme": {"name": None, "custom_dir": "theme"},
            "plugins": ["sitemapkit"],
        }
        made.configure(**{**defaults, **settings})
        return made

    return make


@pytest.fixture
def tea(new_site: Site) -> Site:
    """A copy of the example site in a repository: the leaves were written before the rest."""
    shutil.copytree(
        EXAMPLE, new_site.root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("site")
    )
    new_site.settings = yaml.safe_load((EXAMPLE / "mkdocs.yml").read_text())
    new_site.commit("2023-04-05T06:07:08+02:00", "docs/leaves")
    new_site.commit("2024-05-06T07:08:09Z")
    return new_site


@pytest.fixture(scope="session")
def material() -> Path:
    """The Python of an environment with Material and the plugins that sites use beside it."""
    return python_with("material")


@pytest.fixture(scope="session")
def properdocs() -> Path:
    """The Python of an environment with ProperDocs and without MkDocs."""
    return python_with("properdocs")


def replaceable() -> list[object]:
    """Return the functions that are replaced while a page renders, as they are now."""
    environment = jinja2.Environment
    return [builtins.open, io.open, environment.get_template, environment.select_template]


PLAIN = replaceable()


@pytest.fixture
def nothing_is_replaced_afterwards() -> Generator[None]:
    yield
    assert replaceable() == PLAIN
