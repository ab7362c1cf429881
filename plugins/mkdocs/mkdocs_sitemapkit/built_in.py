"""MkDocs' own sitemap, and one that the user has in its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textdates.bounds import is_file

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

BUILT_IN = "sitemap.xml"
"""MkDocs' own sitemap: a static template that every theme inherits."""


def replace_built_in(config: MkDocsConfig, files: Files, *, is_ours: bool) -> Path | None:
    """Remove MkDocs' own sitemap.xml from a build.

    If `is_ours`, the plugin writes a file of that name, so one of the user's, if there is one, is
    removed as well, and returned. It may be a template or be among the pages.
    """
    template = Path(config.theme.custom_dir or "", BUILT_IN)
    has_template = bool(config.theme.custom_dir) and is_file(template)
    file = files.get_file_from_path(BUILT_IN)
    is_users = False
    if file:
        is_users = file.inclusion.is_included() and file.src_dir not in config.theme.dirs
    if is_ours or not has_template:
        config.theme.static_templates.discard(BUILT_IN)
    # A template that is not static any more is a plain file to MkDocs; so in a build inside
    # another one it is among the files.
    if file and (is_ours or not (has_template or is_users)):
        files.remove(file)
    if not is_ours:
        return None
    if has_template:
        return template
    if file and is_users:
        return Path(file.abs_src_path or file.src_uri)
    return None
