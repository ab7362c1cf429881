"""Jinja2 templates; a user's own file of the same name replaces ours."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from sitemapkit.errors import OptionError


def environment(folder: str) -> Environment:
    """Return where templates are found: in the user's `folder`, if one is set, and then here.

    Raises OptionError if it is no folder.
    """
    if folder and not Path(folder).is_dir():
        raise OptionError(
            f"option 'templates': {folder} is no folder; name the one that holds your sitemap.html,"
            " plot.html or sitemap.css"
        )
    folders = [*([Path(folder)] if folder else []), Path(__file__).parent]
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
