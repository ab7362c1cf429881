"""What MyST's data of each page, `a.json` of `a/index.html`, say of its text: names are new."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapkit_tools.bounds import MAX_JSON, decode_json
from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project


def stated_by_data(project: Project, site: OutputDir) -> Mapping[str, Made]:
    """Return the text of each page whose data name one that is there, and what is only copied."""
    found: dict[str, Made] = {}
    for page in site.pages():
        data = (page.removesuffix("index.html").rstrip("/") or "index") + ".json"
        if page.startswith("build/"):
            found[page] = Made(kind="static")  # texts offer it for download
        elif data in site.files:
            source = project.folder / _location(project, site, data).lstrip("/")
            if os.path.isfile(source):  # noqa: PTH113 - a name of any length
                found[page] = Made([source])
    return found


def _location(project: Project, site: OutputDir, data: str) -> str:
    """Return the path below the project that the data of a page name, or ""."""
    try:
        return str(decode_json(site.read(data, MAX_JSON), dict[str, Any]).get("location", ""))
    except (OSError, ValueError) as error:
        project.cannot_read(Path(site.path(data)), error)
        return ""
