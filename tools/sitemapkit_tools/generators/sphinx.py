"""Sphinx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit_tools.generators.mkdocs import sources_of
from sitemapkit_tools.generators.project import BaseProject
from sitemapkit_tools.site.scan import SPHINX_INDEX

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemapkit_tools.site.made import Made
    from sitemapkit_tools.site.output_dir import OutputDir


class Project(BaseProject):
    """`a.rst`, `a.md` or `a.ipynb` beside conf.py makes `a.html` or, with dirhtml, `a/`."""

    name = "Sphinx"
    settings_files = ("conf.py",)
    landmark = SPHINX_INDEX
    default_output = "_build/html"

    def output_dir(self) -> Path:
        """Return where `make html` writes to, which a command decides and no setting."""
        places = (self.folder, self.folder.parent)
        folders = [place / f"_build/{name}" for place in places for name in ("html", "dirhtml")]
        folders += [self.folder.parent / "build" / name for name in ("html", "dirhtml")]
        return next((each for each in folders if each.is_dir()), folders[0])

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the document of each page."""
        return sources_of(site, self.folder, ".rst", ".md", ".ipynb")
