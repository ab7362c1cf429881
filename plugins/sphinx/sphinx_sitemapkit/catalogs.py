"""The message catalogs of the documents in a build of a translation."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.i18n import CatalogRepository, docname_to_domain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx


class Catalogs:
    """The catalogs of the language that is built, by the documents that they translate."""

    def __init__(self, app: Sphinx) -> None:
        """Find them, and count how many documents share each."""
        config = app.config
        self._compact = config.gettext_compact
        self._users = Counter(map(self._domain, app.env.all_docs))
        self._files = defaultdict[str, list[Path]](list)
        found = CatalogRepository(app.srcdir, config.locale_dirs, config.language, "utf-8")
        for catalog in found.catalogs:
            self._files[catalog.domain].append(Path(catalog.po_path))

    def of(self, document: str) -> Sequence[Path]:
        """Return the catalogs that translate a document."""
        return self._files[self._domain(document)]

    def is_shared(self, document: str) -> bool:
        """Return whether the catalogs of a document translate others too."""
        return self._users[self._domain(document)] > 1

    def _domain(self, document: str) -> str:
        return docname_to_domain(document, self._compact)
