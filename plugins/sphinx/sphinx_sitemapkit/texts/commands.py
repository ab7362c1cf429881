"""Which code the pages about commands are from: of sphinx-click and sphinx-argparse."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util import logging

from textdates.bounds import is_file, real_path
from textdates.parts import functions_behind, original_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx.application import Sphinx

    from sphinx_sitemapkit.texts.includes import Include
    from sphinx_sitemapkit.texts.objects import Object

logger: logging.SphinxLoggerAdapter = logging.getLogger(__name__)

_EXTENSIONS = ("sphinx_click", "sphinx_click.ext", "sphinxarg.ext")

_DIRECTIVE = re.compile(
    r"""(?mx)
    ^ [ \t]* (?: \.\.[ ] | [`:]{3,} \{ )  # of reStructuredText, or of MyST
    (click|argparse) (?: :: | \} )
    [ ]* (.*)  # its argument
    ( (?: \n [ \t]* :[\w-]+: .* )* )  # its options
    """
)
_OPTION = re.compile(r":(module|func|ref|filename):[ ]*(\S+)")


def shown(app: Sphinx) -> tuple[list[Include], list[Object]]:
    """Return the files, and the objects of Python, of the commands in the document that is read."""
    files: list[Include] = []
    objects: list[Object] = []
    if app.extensions.keys().isdisjoint(_EXTENSIONS):
        return files, objects
    text = Path(app.env.doc2path(app.env.docname)).read_text("utf-8-sig", "replace")
    for name, argument, options in _DIRECTIVE.findall(text):
        if name == "argparse":
            stated = dict(_OPTION.findall(options))
            files += _parser(stated, Path(app.srcdir))
            continue
        module, _, command = argument.strip().partition(":")
        try:
            for file, function in functions_behind(module, command):
                objects.append((file, function, "whole"))
        except Exception as error:  # noqa: BLE001 - of the project's code
            logger.debug("%s: where this is defined is not known: %s", argument, error)
    return files, objects


def _parser(options: Mapping[str, str], srcdir: Path) -> list[Include]:
    """Return the function that makes a parser of argparse, as its options name it."""
    module, _, function = options.get("ref", "").rpartition(".")
    module = options.get("module", module)
    function = options.get("func", function).rstrip("()")
    file = getattr(sys.modules.get(module), "__file__", None)
    if "filename" in options:
        named = real_path(srcdir / options["filename"])
        if is_file(named):
            file = named
    original = original_of(file, srcdir) if file else ""
    if not original:
        return []
    return [(original, True, (("pyobject", function),))]
