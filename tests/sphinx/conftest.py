"""Small Sphinx sites, written and built for real, and the sitemap that is read back from them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from sphinx import locale
from sphinx.application import Sphinx, builtin_extensions
from sphinx.util.docutils import docutils_namespace, patch_docutils

from ..programs import GENERATORS, run_python
from ..repository import commit, git

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Mapping

SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
BASE = "https://example.org/docs/"
DEFAULTS = {
    "extensions": ["sphinx_sitemapkit"],
    "html_theme": "basic",
    "html_baseurl": BASE,
    "html_copy_source": False,
}


@dataclass
class Log:
    """What a build said."""

    status: str
    warnings: str


@dataclass
class Site:
    """A documentation project in a folder: what is written there, and what builds make of it."""

    root: Path
    settings: dict[str, Any] = field(default_factory=DEFAULTS.copy)

    @property
    def docs(self) -> Path:
        """The source folder, with conf.py."""
        return self.root / "docs"

    def out(self, builder: str = "html") -> Path:
        """The folder that a builder writes to."""
        return self.root / "out" / builder

    def write(self, files: Mapping[str, str]) -> None:
        """Write text files; paths are relative to the project's folder."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def document(self, name: str, *, head: str = "", body: str = "") -> None:
        """Write a reStructuredText document: field lists and directives, a title, a body."""
        line = "=" * 2 * len(name)
        self.write({f"docs/{name}.rst": f"{head}\n\n{name}\n{line}\n\n{body}\n"})

    def configure(self, code: str = "", **settings: Any) -> None:
        """Write conf.py with the settings, then the code."""
        self.settings |= settings
        lines = [f"{name} = {value!r}" for name, value in self.settings.items()]
        self.write({"docs/conf.py": "\n".join([*lines, code, ""])})

    def build(self, builder: str = "html", *, folder: str = "", **overrides: Any) -> Log:
        """Build in this process, as `sphinx-build -v` does, into a folder of the output."""
        out, status, warnings = self.out(folder or builder), StringIO(), StringIO()
        locale.translators.clear()  # else the language of an earlier build is a fallback
        with patch_docutils(str(self.docs)), docutils_namespace():
            app = Sphinx(
                self.docs,
                self.docs,
                out,
                out / ".doctrees",
                builder,
                confoverrides=overrides,
                status=status,
                warning=warnings,
                verbosity=1,
            )
            app.build()
        return Log(status.getvalue(), warnings.getvalue())

    def run(
        self,
        *options: str,
        builder: str = "html",
        only: str = "",
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run `sphinx-build` as a command of its own; modules in `src` can be imported there."""
        path = os.pathsep.join([str(self.root / "src"), os.environ.get("PYTHONPATH", "")])
        return run_python(
            *("-m", "sphinx", "-b", builder, *options),
            *(str(self.docs), str(self.out(builder))),
            *([str(self.docs / only)] if only else []),
            folder=Path.cwd(),
            loads=(*GENERATORS["sphinx"], *builtin_extensions),
            env={"PYTHONPATH": path, **(env or {})},
        )

    def sitemap(self, builder: str = "html") -> Path:
        """The sitemap of a builder's output, whether or not it is there."""
        return self.out(builder) / "sitemap.xml"

    def entries(
        self, builder: str = "html", *, file: str = "sitemap.xml"
    ) -> dict[str, dict[str, str]]:
        """Return what a sitemap says, as {path below the base: {element: text}}."""
        root = ET.parse(self.out(builder) / file).getroot()
        return {
            url.findtext(f"{SITEMAPS}loc", "").removeprefix(BASE): {
                child.tag.removeprefix(SITEMAPS): child.text or "" for child in url[1:]
            }
            for url in root
        }

    def paths(self, builder: str = "html") -> list[str]:
        """Return the listed URLs without the base."""
        return list(self.entries(builder))

    def commit(self, date: str, *paths: str) -> None:
        """Commit the paths, or everything, at `date`; the repository is made when it is missing."""
        commit(self.root, date, *paths)

    def git(self, *arguments: str, date: str = "2020-01-01T00:00:00Z") -> None:
        """Run git in the project as nobody in particular, at `date`."""
        git(self.root, *arguments, date=date)


@pytest.fixture(autouse=True)
def _outside_of_any_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test depends on where it runs: not on Read the Docs, not on a day that is frozen."""
    for name in [*os.environ]:
        if name.startswith("READTHEDOCS") or name == "SOURCE_DATE_EPOCH":
            monkeypatch.delenv(name)


@pytest.fixture
def new_site(tmp_path: Path) -> Site:
    """An empty folder for a project."""
    return Site(tmp_path / "project")


@pytest.fixture
def site(new_site: Site) -> Callable[..., Site]:
    """Make a site with an index and the named documents, and the settings."""

    def make(*documents: str, code: str = "", **settings: Any) -> Site:
        new_site.configure(code, **settings)
        for name in documents:
            new_site.document(name, head=":orphan:")
        new_site.document("index")
        return new_site

    return make
