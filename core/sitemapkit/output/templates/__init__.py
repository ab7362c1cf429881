"""Jinja2 templates; a user's own file of the same name replaces ours."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def environment(folder: str) -> Environment:
    """Return where templates are found: in the user's `folder`, if there is one, and then here."""
    folders = [*([Path(folder)] if folder else []), Path(__file__).parent]
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
