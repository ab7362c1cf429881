"""Sites of HTML files that people write, which are their own sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.parsing import parse_html
from sitemapkit_extras.content import main_content
from sitemapkit_tools.site.made import Made
from sitemapkit_tools.site.tracked import tracked_among
from textdates import Part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project


def written_folder(site: OutputDir) -> Path | None:
    """Return the folder of a site whose first page git tracks, if no program has made it."""
    pages = sorted(site.pages(), key=lambda name: (name != "index.html", name.count("/"), name))
    first = [Path(site.path(name)).absolute() for name in pages[:1]]
    return site.root.absolute() if tracked_among(first) else None


def main_contents(project: Project, site: OutputDir) -> Mapping[str, Made]:
    """Return the main content of each tracked page, which is what the page has for itself."""
    files = {page: project.folder / page for page in site.pages()}
    tracked = tracked_among(files.values())
    found: dict[str, Made] = {}
    for page, file in files.items():
        if file in tracked:
            found[page] = Made([Part(file, MainContent())])
    return found


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
