"""The sources of a page: documents, their message catalogs, and their dependencies."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.i18n import docname_to_domain

from sitemapkit.model import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from sitemapkit.model import FileOrPart


class SourceFiles:
    """The source files of the documents in an environment."""

    def __init__(self, env: BuildEnvironment, config: Config) -> None:
        """Count how many documents share a catalog."""
        self._env, self._config, self._srcdir = env, config, Path(env.srcdir)
        self._users = Counter(map(self._domain, env.all_docs))
        folders = (self._srcdir / each / config.language for each in config.locale_dirs)
        messages = (folder / "LC_MESSAGES" for folder in folders)
        self._messages = [folder for folder in messages if folder.is_dir()]

    def sources(self, documents: Sequence[str]) -> Iterator[Path]:
        """Yield the documents' own files, and the catalogs of only one document."""
        for name in documents:
            yield Path(self._env.doc2path(name))
            if self._users[self._domain(name)] == 1:
                yield from self._catalogues(name)

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
                yield from self._catalogues(name)

    def _domain(self, document: str) -> str:
        return docname_to_domain(document, self._config.gettext_compact)

    def _catalogues(self, document: str) -> Iterator[Path]:
        """Yield the files with the document's translation."""
        files = (folder / f"{self._domain(document)}.po" for folder in self._messages)
        return (file for file in files if file.is_file())
