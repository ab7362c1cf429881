"""The sources of a page: documents, their message catalogs, and their dependencies."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sphinx.util.i18n import CatalogRepository, docname_to_domain

from textdates import Part, file_of
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
        self._examples = _galleries(config, self._srcdir)

    def of(self, documents: Sequence[str]) -> Iterator[FileOrPart]:
        """Yield the documents' own files, and the catalogs of only one document."""
        for name in documents:
            yield from self._written(Path(self._env.doc2path(name)))
            if self._users[self._domain(name)] == 1:
                yield from self._catalogs[self._domain(name)]

    def _written(self, document: Path) -> Iterator[FileOrPart]:
        """Yield what a person wrote: for a page of sphinx-gallery the example itself.

        An index has a text of its own, and the beginning of each example below it.
        """
        gallery = next(filter(document.is_relative_to, self._examples), None)
        if not gallery:
            yield document
            return
        place = self._examples[gallery] / document.relative_to(gallery)
        is_index = place.stem == "index"
        names = _GALLERY_TEXTS if is_index else (f"{place.stem}.py",)
        text = next(filter(Path.is_file, map(place.with_name, names)), None)
        yield text or document
        if text and is_index:
            for file in sorted(place.parent.rglob("*.py")):
                page = gallery / file.relative_to(self._examples[gallery]).with_suffix("")
                if page.relative_to(self._srcdir).as_posix() in self._env.all_docs:
                    yield Part(file, PythonObjects(("",)))

    def dependencies(self, documents: Sequence[str], shown: Sequence[FileOrPart]) -> Iterator[Path]:
        """Yield what else the documents show or document, and shared catalogs."""
        known = {Path(os.path.realpath(file_of(each))) for each in shown}
        for name in documents:
            for dependency in self._env.dependencies.get(name, ()):
                file = Path(os.path.realpath(self._srcdir / dependency))
                # Compiled catalogs, Docutils settings and installed packages are not sources.
                is_text = file.suffix != ".mo" and file.name != "docutils.conf"
                if is_text and file not in known and not is_installed(str(file)):
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
