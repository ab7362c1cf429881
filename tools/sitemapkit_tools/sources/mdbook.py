"""The first chapter of mdBook, which is `index.html` as well."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemapkit_tools.site.made import Made
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project

_CHAPTER = re.compile(r"\]\(\s*+<?([^()<>\s]++)>?\s*+\)")
_COMMENT = re.compile(r"(?s)<!--.*?(?:-->|\Z)")


def first_chapter(project: Project, site: OutputDir) -> Mapping[str, Made]:
    """Return the source of the home page, and that the page of the chapter is a copy of it."""
    summary = _COMMENT.sub("", project.text(project.texts / "SUMMARY.md"))
    for name in _CHAPTER.findall(summary):
        source = project.texts / posixpath.normpath(unquote(name))
        if not is_file(source):
            continue
        made = {"index.html": Made([source])}
        relative = source.relative_to(project.texts).as_posix()
        twin = re.sub(r"(?i)(^|/)readme\.html$", r"\1index.html", relative[:-3] + ".html")
        if twin in site.files and twin != "index.html":
            made[twin] = Made([source], same_as="index.html")
        return made
    return {}
