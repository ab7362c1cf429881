"""Which code the pages about commands are from: of sphinx-click and sphinx-argparse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util import logging

from textdates.parts import functions_behind, module_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from sphinx_sitemapkit.texts.includes import Include
    from sphinx_sitemapkit.texts.objects import Object

logger = logging.getLogger(__name__)

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
        if name == "click":
            module, _, command = argument.strip().partition(":")
            try:
                found = functions_behind(module, command)
                objects.extend((file, function, "whole") for file, function in found)
            except Exception as error:  # noqa: BLE001 - of the project's code
                logger.debug("%s: where this is defined is not known: %s", argument, error)
        else:
            files += _parser(dict(_OPTION.findall(options)), Path(app.srcdir))
    return files, objects


def _parser(options: dict[str, str], srcdir: Path) -> Iterator[Include]:
    """Yield the function that makes a parser of argparse, as its options name it."""
    module, _, function = options.get("ref", "").rpartition(".")
    function = options.get("func", function)
    named = (srcdir / options.get("filename", ".")).resolve()
    files = [str(named)] if named.is_file() else []
    files = files or module_files(options.get("module", module) or ".", srcdir)
    yield from ((file, True, (("pyobject", function.rstrip("()")),)) for file in files)
