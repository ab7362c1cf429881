"""The list of Zensical's blog, which has the name of a text but shows posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit_tools.site.made import Made

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.sources.project import Project


def blog_list(project: Project, site: OutputDir) -> Mapping[str, Made]:  # noqa: ARG001 - as others
    """Return that the page of the blog is a list, which its text alone cannot date."""
    if project.settings.find("project.plugins.blog") is None:
        return {}
    folder = project.setting("project.plugins.blog.blog_dir") or "blog"
    return {f"{folder.strip('/')}/index.html": Made(kind="listing")}
