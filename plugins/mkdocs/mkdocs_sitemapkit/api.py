"""The Python objects that pages of mkdocstrings show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.plugins import get_plugin_logger

from sitemapkit import Part
from sitemapkit.lastmod.includes import INSTALLED
from sitemapkit.lastmod.python_objects import PythonObjects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapkit import Page

log = get_plugin_logger("sitemapkit")

_SHOWS_SOURCE = re.compile(r'<details class="(?:mkdocstrings-source|quote)">')
_ID = re.compile(r' id="([^\W\d][\w.]*)("></a>|" class="doc )?')
"""An id that may be the path of an object; without a dot only if it is marked as one."""


def add_objects(pages: Iterable[Page], mkdocstrings: Any) -> None:  # noqa: ANN401
    """Add to each page the objects that it shows; a page made from their file alone shows no more.

    What a class inherits from an installed package changes with that package, and does not count;
    a page that shows nothing else has no date.
    """
    for page in pages:
        if page.content and 'class="doc doc-object' in page.content:
            shown = _parts(page.content, mkdocstrings)
            parts = {f: part for f, part in shown.items() if not f.startswith(INSTALLED)} or shown
            page.sources = [parts.pop(str(own), own) for own in page.sources]
            page.included = [*page.included, *parts.values()]


def _parts(html: str, mkdocstrings: Any) -> dict[str, Part]:  # noqa: ANN401
    """Return what a page shows of each file."""
    names: dict[str, dict[str, None]] = {}
    for identifier in [path for path, mark in _ID.findall(html) if mark or "." in path]:
        try:
            found = mkdocstrings.get_handler("python").collect(identifier, {})  # as it was loaded
            target = found.final_target if found.is_alias else found
            of_file = names.setdefault(str(Path(target.filepath)), {})
            of_file[target.path[len(target.module.path) + 1 :]] = None
        except Exception as error:  # noqa: BLE001 - handlers and their extensions are anyone's
            log.debug("%s: where this is defined is not known: %s", identifier, error)
    source = bool(_SHOWS_SOURCE.search(html))
    return {f: Part(f, PythonObjects(tuple(of_file), source)) for f, of_file in names.items()}
