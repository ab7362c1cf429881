"""Sphinx."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from sitemapkit.options import is_option
from sitemapkit_tools.generators.mkdocs import sources_of
from sitemapkit_tools.generators.project import BaseProject, as_index
from sitemapkit_tools.generators.settings import as_list
from sitemapkit_tools.site.judgement import SPHINX_INDEX
from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapkit_tools.generators.settings import Table
    from sitemapkit_tools.site.output_dir import OutputDir
    from textdates import FileOrPart

_INCLUDE = re.compile(
    r"""(?x)[ \t]*
    (?: \.\.[ ] (?:literal)?include [ ]?::                # reStructuredText
      | [`:]{3,} [ \t]* \{ (?:literal)?include \}         # MyST
      | :file: )                                          # of `raw`, or of a table
    [ \t]+ (?P<file> [^<\s] .* )                         # in <>, one that Docutils brings
    """
)
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_CUT = re.compile(r"[ \t]*:(?:start|end|lines|pyobject|diff)\b")
"""An option by which a page shows a part of the file, or what changed in it."""


class Project(BaseProject):
    """`a.rst`, `a.md` or `a.ipynb` beside conf.py makes `a.html` or, with dirhtml, `a/`."""

    name = "Sphinx"
    settings_files = ("conf.py",)
    landmark = SPHINX_INDEX
    option_prefix = "sitemap_"
    default_output = "_build/html"

    @property
    def site_below(self) -> Path:
        """The folder beside the sources, as quickstart has it."""
        return self.folder.parent

    def output_dir(self) -> Path:
        """Return where `make html` writes to, which a command decides and no setting."""
        places = (self.folder, self.folder.parent)
        folders = [place / f"_build/{name}" for place in places for name in ("html", "dirhtml")]
        folders += [self.folder.parent / "build" / name for name in ("html", "dirhtml")]
        return next((each for each in folders if each.is_dir()), folders[0])

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the document of each page; ablog writes its list of posts in place of one."""
        found = sources_of(site, self.folder, ".rst", ".md", ".ipynb")
        if any(file.startswith("_static/ablog/") for file in site.files):
            blog = str(self.settings.table.get("blog_path", "blog"))
            found |= {page: Made() for page in (f"{blog}.html", as_index(blog)) if page in found}
        return found

    def stated_options(self) -> Table:
        """Return the values of our extension, without what begins their names."""
        own = {
            name.removeprefix(self.option_prefix): each
            for name, each in self.settings.table.items()
            if name.startswith(self.option_prefix)
        }
        return {name: each for name, each in own.items() if is_option(name)}

    def copied(self) -> Iterator[tuple[str, Path]]:
        """Yield what `html_extra_path` names, or is in the folders that it names."""
        for path in map(str, as_list(self.settings.table.get("html_extra_path"))):
            place = self.folder / path
            yield place.name if place.is_file() else "", place

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield what a text takes in whole; of parts only a build knows which they are."""
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if not (found := _INCLUDE.match(line)):
                continue
            below = (lines[place] for place in range(number + 1, len(lines)))
            if not any(map(_CUT.match, takewhile(_OPTION.match, below))):
                name = found["file"].strip()
                yield self.folder / name.lstrip("/") if name[0] == "/" else file.parent / name
