"""Small MkDocs sites, written and built for real, and the sitemap that is read back from them."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"

THEME = """<!doctype html>
<html><head><title>{{ page.title }}</title>
{% if page.canonical_url %}<link rel="canonical" href="{{ page.canonical_url }}">{% endif %}
{{ page.meta.head }}
</head><body>{{ page.content }}</body></html>
"""


@dataclass
class Site:
    """A site in a folder: what is written there, and what a build makes of it."""

    root: Path
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def out(self) -> Path:
        """The folder that MkDocs writes to."""
        return self.root / "site"

    def write(self, files: dict[str, str]) -> None:
        """Write text files; paths are relative to the folder of mkdocs.yml."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

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
        self, *arguments: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `mkdocs` with the arguments as a command of its own."""
        return subprocess.run(
            [sys.executable, "-m", "mkdocs", *arguments],
            cwd=self.root,
            env={**os.environ, **(env or {})},
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

    def commit(self, date: str, *paths: str) -> None:
        """Commit the paths, or everything, at `date`; the repository is made when it is missing."""
        if not (self.root / ".git").exists():
            git(self.root, "init", "--quiet", "--initial-branch=main")
        git(self.root, "add", "--force", *(paths or (".",)))
        git(self.root, "commit", "--quiet", "--message=x", f"--date={date}", date=date)


class Recorder(logging.Handler):
    """Keeps what the plugin logs, as `LEVEL text`."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.logger = logging.getLogger("mkdocs.plugins.sitemapkit")

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


def git(folder: Path, *arguments: str, date: str = "2020-01-01T00:00:00Z") -> str:
    """Run git in the folder as nobody in particular, at `date`; return what it prints."""
    nobody = {"NAME": "Nobody", "EMAIL": "nobody@example.org", "DATE": date}
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    people = {
        f"GIT_{who}_{key}": value
        for who in ("AUTHOR", "COMMITTER")
        for key, value in nobody.items()
    }
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **settings, **people},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def new_site(tmp_path: Path) -> Site:
    """An empty folder for a site."""
    return Site(tmp_path / "project")


@pytest.fixture
def site(new_site: Site) -> Callable[..., Site]:
    """Return a function that writes a site: `site({"docs/about.md": "# About"}, site_url=...)`."""

    def make(files: dict[str, str], **settings: Any) -> Site:
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
