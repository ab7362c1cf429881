"""The sources of a page: documents, their message catalogs, and their dependencies."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util.i18n import CatalogRepository, docname_to_domain

from textdates import Part, file_of
from textdates.parts import PythonObjects, is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from textdates import FileOrPart


_GALLERY_TEXTS = ("GALLERY_HEADER.rst", "GALLERY_HEADER.txt", "README.rst", "README.txt")
"""Names of the text at the top of a gallery."""

_GALLERY_DEFAULTS = {"gallery_dirs": "auto_examples", "examples_dirs": "../examples"}


class SourceFiles:
    """The source files of the documents in an environment."""

    def __init__(self, env: BuildEnvironment, config: Config) -> None:
        """Count how many documents share a catalog."""
        self._env, self._config, self._srcdir = env, config, Path(env.srcdir)
        self._users = Counter(map(self._domain, env.all_docs))
        self._catalogs: dict[str, list[Path]] = defaultdict(list)
        found = CatalogRepository(env.srcdir, config.locale_dirs, config.language, "utf-8")
        for catalog in found.catalogs:
            self._catalogs[catalog.domain].append(Path(catalog.po_path))
        self._examples = dict(_galleries(config, self._srcdir))

    def sources(self, documents: Sequence[str]) -> Iterator[FileOrPart]:
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
        place = self._examples[gallery] / document.relative_to(gallery) if gallery else document
        names = _GALLERY_TEXTS if place.stem == "index" else [f"{place.stem}.py"]
        texts = [file for file in map(place.with_name, names) if gallery and file.is_file()]
        yield texts[0] if texts else document
        if gallery and texts and place.stem == "index":
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


def _galleries(config: Config, srcdir: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the folder of each gallery that sphinx-gallery makes, and that of its examples."""
    stated: Any = getattr(config, "sphinx_gallery_conf", None)
    if not isinstance(stated, dict):
        return
    values: Mapping[str, Any] = {**_GALLERY_DEFAULTS, **stated}
    galleries, examples = (_listed(values[name]) for name in _GALLERY_DEFAULTS)
    for gallery, folder in zip(galleries, examples, strict=False):
        yield srcdir / gallery, Path(os.path.normpath(srcdir / folder))


def _listed(value: Any) -> list[Any]:  # noqa: ANN401 - a setting
    return [value] if isinstance(value, str | os.PathLike) else list(value)
