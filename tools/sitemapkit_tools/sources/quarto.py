"""Names that nbdev drops numbers from, and pages that lead elsewhere by a script alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapkit.model import Reason
from sitemapkit_tools.bounds import MAX_SMALL_FILE
from sitemapkit_tools.site.made import Made
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project

_NUMBER = re.compile(r"^[0-9]+[a-z]?_")
_LEADS_ELSEWHERE = re.compile(rb"(?s)<title>Redirect.{0,2000}window\.location\.replace")


def numbered_and_moved(project: Project, site: OutputDir) -> Mapping[str, Made]:
    """Return the notebooks of nbdev's pages, and which pages only lead to others."""
    found: dict[str, Made] = {}
    if is_file(project.folder / "nbdev.yml"):
        for name, source in project.sources(project.folder, *project.generator.suffixes):
            stem = "/".join(_NUMBER.sub("", part) for part in name.split("/"))
            page = f"{stem.rpartition('.')[0]}.html"
            found[page] = Made() if page in found else Made([source])
    for page in site.pages():
        if page not in found and _LEADS_ELSEWHERE.search(site.read(page, MAX_SMALL_FILE)):
            found[page] = Made(excluded=Reason.REDIRECT)
    return found
