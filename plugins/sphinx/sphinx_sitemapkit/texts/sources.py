"""The sources of a page: documents, their message catalogs, and their dependencies."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sphinx.util.i18n import CatalogRepository, docname_to_domain

from textdates import Part, file_of
from textdates.bounds import is_file, real_path
from textdates.parts import PythonObjects, is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from textdates import FileOrPart

_GALLERY_TEXTS = ("GALLERY_HEADER.rst", "GALLERY_HEADER.txt", "README.rst", "README.txt")
"""Names of the text at the top of a gallery."""


class Sources:
    """The source files of the documents in an environment."""

    def __init__(self, env: BuildEnvironment, config: Config) -> None:
        """Count how many documents share a catalog."""
        self._env = env
        self._config = config
        self._srcdir = Path(env.srcdir)
        self._users = Counter(map(self._domain, env.all_docs))
        self._catalogs = defaultdict[str, list[Path]](list)
        found = CatalogRepository(env.srcdir, config.locale_dirs, config.language, "utf-8")
        for catalog in found.catalogs:
            self._catalogs[catalog.domain].append(Path(catalog.po_path))
        self._galleries = _galleries(config, self._srcdir)
        """The folders of galleries, and those of their examples."""

    def of(self, documents: Sequence[str]) -> Iterator[FileOrPart]:
        """Yield the documents' own files, and the catalogs of only one document."""
        for name in documents:
            yield from self._written(Path(self._env.doc2path(name)))
            if self._users[self._domain(name)] == 1:
                yield from self._catalogs[self._domain(name)]

    def _written(self, document: Path) -> Iterator[FileOrPart]:
        """Yield what a person wrote: for a page of sphinx-gallery the example itself."""
        for gallery, examples in self._galleries.items():
            if document.is_relative_to(gallery):
                yield from self._in_gallery(document, gallery, examples)
                return
        yield document

    def _in_gallery(self, document: Path, gallery: Path, examples: Path) -> Iterator[FileOrPart]:
        """Yield the example of a page, or the text of an index and the beginning of each example.

        Where there is no such file, the document has a text of its own.
        """
        place = examples / document.relative_to(gallery)
        if place.stem != "index":
            example = place.with_name(f"{place.stem}.py")
            yield example if is_file(example) else document
            return
        texts = [place.with_name(name) for name in _GALLERY_TEXTS]
        text = next(filter(is_file, texts), None)
        if not text:
            yield document
            return
        yield text
        for file in sorted(place.parent.rglob("*.py")):
            page = gallery / file.relative_to(examples).with_suffix("")
            name = page.relative_to(self._srcdir).as_posix()
            if name in self._env.all_docs:
                yield Part(file, PythonObjects(("",)))

    def dependencies(self, documents: Sequence[str], shown: Sequence[FileOrPart]) -> Iterator[Path]:
        """Yield what else the documents show or document, and shared catalogs."""
        known = {real_path(file_of(each)) for each in shown}
        for name in documents:
            for dependency in self._env.dependencies.get(name, ()):
                path = real_path(self._srcdir / dependency)
                if path in known or is_installed(path):
                    continue
                file = Path(path)
                # Compiled catalogs and Docutils settings are no texts.
                if file.suffix != ".mo" and file.name != "docutils.conf":
                    yield file
            if self._users[self._domain(name)] > 1:
                yield from self._catalogs[self._domain(name)]

    def _domain(self, document: str) -> str:
        return docname_to_domain(document, self._config.gettext_compact)


def _galleries(config: Config, srcdir: Path) -> dict[Path, Path]:
    """Return the folders of the examples of sphinx-gallery, by those of the galleries it makes."""
    stated: Any = getattr(config, "sphinx_gallery_conf", None)
    if not isinstance(stated, dict):
        return {}
    settings = cast("dict[str, Any]", stated)
    galleries = _as_list(settings.get("gallery_dirs", "auto_examples"))
    examples = _as_list(settings.get("examples_dirs", "../examples"))
    found: dict[Path, Path] = {}
    for gallery, folder in zip(galleries, examples, strict=False):
        found[srcdir / gallery] = Path(os.path.normpath(srcdir / folder))
    return found


def _as_list(value: Any) -> list[Any]:  # noqa: ANN401 - a setting
    return [value] if isinstance(value, str | os.PathLike) else list(value)
