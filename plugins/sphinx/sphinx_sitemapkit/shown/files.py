"""The sources of a page: documents, their message catalogs, and their dependencies."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.i18n import CatalogRepository, docname_to_domain

from textdates import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from textdates import FileOrPart


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

    def sources(self, documents: Sequence[str]) -> Iterator[Path]:
        """Yield the documents' own files, and the catalogs of only one document."""
        for name in documents:
            yield Path(self._env.doc2path(name))
            if self._users[self._domain(name)] == 1:
                yield from self._catalogs[self._domain(name)]

    def dependencies(self, documents: Sequence[str], shown: Sequence[FileOrPart]) -> Iterator[Path]:
        """Yield what else the documents show or document, and shared catalogs."""
        known = {Path(os.path.realpath(file_of(each))) for each in shown}
        for name in documents:
            for dependency in self._env.dependencies.get(name, ()):
                file = Path(os.path.realpath(self._srcdir / dependency))
                # Compiled catalogs and Docutils settings are not sources.
                if file.suffix != ".mo" and file.name != "docutils.conf" and file not in known:
                    yield file
            if self._users[self._domain(name)] > 1:
                yield from self._catalogs[self._domain(name)]

    def _domain(self, document: str) -> str:
        return docname_to_domain(document, self._config.gettext_compact)
