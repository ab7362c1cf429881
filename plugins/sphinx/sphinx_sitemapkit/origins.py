"""The files that a page is made from: its documents, their catalogues, what they depend on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.i18n import docname_to_domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment


class Origins:
    """The files behind the documents of an environment."""

    def __init__(self, env: BuildEnvironment, config: Config) -> None:
        """Count how many documents share a catalogue."""
        self._env, self._config = env, config
        self._srcdir = Path(env.srcdir)
        self._users = Counter(map(self._domain, env.all_docs))

    def sources(self, documents: Sequence[str]) -> Iterator[Path]:
        """Yield the documents' own files, and the catalogues that are of one document only."""
        for name in documents:
            yield Path(self._env.doc2path(name))
            if self._users[self._domain(name)] == 1:
                yield from self._catalogues(name)

    def dependencies(self, documents: Sequence[str]) -> Iterator[Path]:
        """Yield what the documents show or document, and catalogues that they share."""
        for name in documents:
            for noted in self._env.dependencies.get(name, ()):
                file = (self._srcdir / noted).resolve()
                if file.suffix != ".mo" and file.name != "docutils.conf":  # made, or no content
                    yield file
            if self._users[self._domain(name)] > 1:
                yield from self._catalogues(name)

    def _domain(self, document: str) -> str:
        return docname_to_domain(document, self._config.gettext_compact)

    def _catalogues(self, document: str) -> Iterator[Path]:
        """Yield the files that hold the document's translation."""
        for directory in self._config.locale_dirs:
            messages = self._srcdir / directory / self._config.language / "LC_MESSAGES"
            catalogue = messages / f"{self._domain(document)}.po"
            if catalogue.is_file():
                yield catalogue
