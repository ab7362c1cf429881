"""Which files sphinx-gallery made its documents of."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textdates import Part
from textdates.bounds import is_file
from textdates.parts import PythonObjects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx

    from textdates import FileOrPart

_TEXTS = ("GALLERY_HEADER.rst", "GALLERY_HEADER.txt", "README.rst", "README.txt")
"""Names of the text at the top of a gallery."""


class Galleries:
    """The galleries of a site, each with the folder of its examples."""

    def __init__(self, app: Sphinx) -> None:
        """Read the settings of sphinx-gallery, if it is in use."""
        self._env = app.env
        self._srcdir = Path(app.srcdir)
        self._examples: dict[Path, Path] = {}
        settings: Any = getattr(app.config, "sphinx_gallery_conf", {})
        if not settings:
            return
        galleries = _as_list(settings.get("gallery_dirs", "auto_examples"))
        folders = _as_list(settings.get("examples_dirs", "../examples"))
        for gallery, examples in zip(galleries, folders, strict=False):
            folder = os.path.normpath(self._srcdir / examples)
            self._examples[self._srcdir / gallery] = Path(folder)

    def written(self, document: Path) -> Sequence[FileOrPart]:
        """Return what a person wrote of the text of a document.

        That is an example, or the text of an index and the beginning of each example. Where there
        is no such file, the document has a text of its own.
        """
        for gallery, examples in self._examples.items():
            if not document.is_relative_to(gallery):
                continue
            place = examples / document.relative_to(gallery)
            if place.stem != "index":
                example = place.with_suffix(".py")
                return [example] if is_file(example) else [document]
            for name in _TEXTS:
                text = place.with_name(name)
                if is_file(text):
                    return [text, *self._beginnings(gallery, examples, place.parent)]
        return [document]

    def _beginnings(self, gallery: Path, examples: Path, folder: Path) -> Sequence[Part]:
        """Return the beginning of each example in a folder that has a page in the gallery."""
        parts: list[Part] = []
        for file in sorted(folder.rglob("*.py")):
            page = gallery / file.relative_to(examples).with_suffix("")
            name = page.relative_to(self._srcdir).as_posix()
            if name in self._env.all_docs:
                parts.append(Part(file, PythonObjects(("",))))
        return parts


def _as_list(value: Any) -> Any:  # noqa: ANN401 - a setting
    return [value] if isinstance(value, str | os.PathLike) else value
