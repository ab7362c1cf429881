"""What MyST's data of each page, `a.json` of `a/index.html`, say of its text: names are new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sitemapkit_tools.bounds import MAX_JSON, decode_json
from sitemapkit_tools.site.made import Made
from sitemapkit_tools.sources.settings import as_list, as_table
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project


def stated_by_data(project: Project, site: OutputDir) -> Mapping[str, Made]:
    """Return the text of each page whose data name one that is there, and what is only copied."""
    found: dict[str, Made] = {}
    for page in site.pages():
        data = f"{page.removesuffix('index.html').rstrip('/')}.json"
        if page == "index.html":
            data = _data_of_home(project, site)
        if page.startswith("build/"):
            found[page] = Made(kind="static")  # texts offer it for download
        elif data in site.files:
            source = project.folder / _location(project, site, data).lstrip("/")
            if is_file(source):
                found[page] = Made([source])
    return found


def _data_of_home(project: Project, site: OutputDir) -> str:
    """Return the file with the data of the home page, which has the name of its text, or ""."""
    if "myst.xref.json" not in site.files:
        return "index.json"
    home = ("", urlsplit(site.base_url).path.strip("/"))
    for each in as_list(_read(project, site, "myst.xref.json").get("references")):
        reference = as_table(each)
        path = str(reference.get("url", "")).strip("/")
        if reference.get("kind") == "page" and path in home:
            return str(reference.get("data", "")).lstrip("/")
    return ""


def _location(project: Project, site: OutputDir, data: str) -> str:
    """Return the path below the project that the data of a page name, or ""."""
    return str(_read(project, site, data).get("location", ""))


def _read(project: Project, site: OutputDir, name: str) -> Mapping[str, Any]:
    try:
        return decode_json(site.read(name, MAX_JSON), dict[str, Any])
    except (OSError, ValueError) as error:
        project.cannot_read(Path(site.path(name)), error)
        return {}
