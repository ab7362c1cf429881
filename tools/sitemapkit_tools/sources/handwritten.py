"""Sites of HTML files that people write, which are their own sources."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.head import parse_html
from sitemapkit_extras.content import main_content
from sitemapkit_tools.site.made import Made
from sitemapkit_tools.site.tracked import tracked_among
from sitemapkit_tools.sources.project import BaseProject
from textdates import FileOrPart, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemapkit_tools.site.output_dir import OutputDir

_TAKEN_IN = re.compile(r'<!--#include\s+(?P<kind>file|virtual)\s*=\s*"(?P<file>[^"\n]++)"')


class Project(BaseProject):
    """Each tracked page is its own source."""

    name = "hand-written HTML"
    settings_files = ()
    default_output = "."
    is_record_complete = True

    @classmethod
    def of(cls, site: OutputDir) -> Project | None:
        """Return the project of a site whose home page git tracks, if no program has made it."""
        home = Path(site.path("index.html")).absolute()
        is_tracked = "index.html" in site.files and tracked_among([home])
        return cls(home.parent, home.parent) if is_tracked else None

    def recorded(self, site: OutputDir) -> Mapping[str, Made]:
        """Return the main content of each page, which is what the page has for itself."""
        files = {page: self.folder / page for page in site.pages()}
        tracked = tracked_among(files.values())
        return {
            page: Made([Part(file, MainContent())])
            for page, file in files.items()
            if file in tracked
        }

    def front_matter(self, source: Path) -> Mapping[str, object]:  # noqa: ARG002 - it has none
        """Return nothing: what a page states is in its head."""
        return {}

    def includes(self, file: Path, text: str) -> Iterator[FileOrPart]:
        """Yield what the server inserts."""
        for found in _TAKEN_IN.finditer(text):
            name = found["file"]
            yield self.folder / name.lstrip("/") if name[0] == "/" else file.parent / name


class MainContent(Struct, frozen=True, cache_hash=True):
    """The title and main content of an HTML page, as the cut of a `Part`."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return "main content"

    def __call__(self, text: str) -> str | None:
        """Return it, without navigation, headers and footers."""
        title = parse_html(text).css_first("title")
        main = main_content(text)
        shown = (each.html for each in (title, main) if each)
        return "\n".join(filter(None, shown)) or None
