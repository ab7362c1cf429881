"""Where Jekyll's texts say that their pages are: `permalink` is a path that no name tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project


def permalinks(project: Project, site: OutputDir) -> Mapping[str, Made]:
    """Return the text of each page whose text states its path; patterns tell no path."""
    found: dict[str, Made] = {}
    for _, file in project.sources(project.texts, *project.generator.suffixes):
        link = project.front_matter(file).get("permalink")
        if not isinstance(link, str) or ":" in link:
            continue
        path = link.strip("/")
        for page in (path, f"{path}.html", f"{path}/index.html".lstrip("/")):
            if page in site.files:
                # Two texts of one page: neither is known to be its source.
                found[page] = Made() if page in found else Made([file])
    return found
