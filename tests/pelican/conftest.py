"""Small Pelican sites, written and built for real, and the sitemap that is read back from them."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from pelican import Pelican
from pelican.settings import read_settings

from pelican_sitemapkit.plugin import logger

from ..programs import GENERATORS, run_python
from ..repository import commit

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
THEME = Path(__file__).parent / "theme"


@dataclass
class Site:
    """A site in a folder: what is written there, and what a build makes of it."""

    root: Path
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def out(self) -> Path:
        """The folder that Pelican writes to."""
        return self.root / "output"

    def write(self, files: dict[str, str]) -> None:
        """Write text files; paths are relative to the folder of the settings."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def all_settings(self, **overrides: Any) -> dict[str, Any]:
        """Return the settings that Pelican is given."""
        return read_settings(
            override={
                "PATH": str(self.root / "content"),
                "OUTPUT_PATH": str(self.out),
                "CACHE_PATH": str(self.root / "cache"),
                **self.settings,
                **overrides,
            }
        )

    def build(self, **overrides: Any) -> list[str]:
        """Build in this process; return the plugin's own log lines.

        Other plugins would stay connected here: `run` is for sites that have any.
        """
        assert self.settings["PLUGINS"] == ["pelican_sitemapkit"]
        with Recorder() as recorder:
            Pelican(self.all_settings(**overrides)).run()
        return recorder.lines

    def run(
        self, *arguments: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `pelican` with the arguments as a command of its own, on a settings file."""
        lines = [f"{name} = {value!r}\n" for name, value in self.settings.items()]
        self.write({"pelicanconf.py": f"PATH = 'content'\n{''.join(lines)}"})
        return self.pelican(*arguments, env=env)

    def pelican(
        self, *arguments: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `pelican` with the arguments in the folder of the site."""
        return self.python("-m", "pelican", *arguments, env=env)

    def python(
        self, *arguments: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run Python in the folder of the site."""
        return run_python(
            *arguments,
            folder=self.root,
            loads=GENERATORS["pelican"],
            env={"COLUMNS": "1000", "NO_COLOR": "1", **(env or {})},
            together=True,
        )

    def entries(self, file: str = "sitemap.xml") -> dict[str, dict[str, str]]:
        """Return what a sitemap of the site says, as {loc: {element: text}}."""
        return {
            url.findtext(f"{SITEMAPS}loc", ""): {
                child.tag.removeprefix(SITEMAPS): child.text or ""
                for child in url[1:]
                if child.tag.startswith(SITEMAPS)
            }
            for url in ET.parse(self.out / file).getroot()
        }

    def elements(self, name: str, file: str = "sitemap.xml") -> list[ET.Element]:
        """Return the elements of one name in a file of the site."""
        return list(ET.parse(self.out / file).iter(name))

    def paths(self, base: str = "https://example.org/") -> list[str]:
        """Return the listed URLs without the base."""
        return [loc.removeprefix(base) for loc in self.entries()]

    def alternates(self, file: str = "sitemap.xml") -> dict[str, dict[str, str]]:
        """Return the language versions that a sitemap states, as {loc: {hreflang: href}}."""
        return {
            url.findtext(f"{SITEMAPS}loc", ""): {
                link.get("hreflang", ""): link.get("href", "") for link in url.iter(f"{XHTML}link")
            }
            for url in ET.parse(self.out / file).getroot()
        }

    def lastmod(self, path: str, base: str = "https://example.org/") -> str | None:
        """Return the date of a listed page."""
        return self.entries()[base + path].get("lastmod")

    def commit(self, date: str, *paths: str) -> None:
        """Commit the paths, or everything, at `date`; the repository is made when it is missing."""
        commit(self.root, date, *paths)


def md(title: str, /, *, body: str = "Text", **metadata: object) -> str:
    """Return a Markdown file with metadata, such as `md("First", date="2024-01-02")`."""
    lines = [f"{name}: {value}\n" for name, value in metadata.items()]
    return f"Title: {title}\n{''.join(lines)}\n{body}\n"


class Recorder(logging.Handler):
    """Keeps what the plugin logs, as `LEVEL text`, and none of it is dropped as a repetition."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.logger: Any = logger

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.getMessage()}")

    def __enter__(self) -> Recorder:
        self.level_before = self.logger.level
        self.logger.setLevel(logging.DEBUG)
        self.logger.disable_filter()
        self.logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.logger.removeHandler(self)
        self.logger.enable_filter()
        self.logger.setLevel(self.level_before)


@pytest.fixture
def new_site(tmp_path: Path) -> Site:
    """An empty folder for a site."""
    return Site(tmp_path / "project")


@pytest.fixture
def site(new_site: Site) -> Callable[..., Site]:
    """Return a function that writes a site: `site({"content/a.md": ...}, SITEURL=...)`."""

    def make(files: dict[str, str] | None = None, **settings: Any) -> Site:
        new_site.write(files or {"content/first.md": md("First", date="2024-01-02")})
        defaults = {
            "SITENAME": "Site",
            "SITEURL": "https://example.org",
            "TIMEZONE": "UTC",
            "THEME": str(THEME),
            "PLUGINS": ["pelican_sitemapkit"],
            "FEED_ALL_ATOM": None,
            "CATEGORY_FEED_ATOM": None,
            "TRANSLATION_FEED_ATOM": None,
        }
        new_site.settings = {**defaults, **settings}
        return new_site

    return make
