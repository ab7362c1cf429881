"""The message catalogs of documents, and what they translate."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import locale
from sphinx.util.i18n import CatalogRepository, docname_to_domain
from sphinx.util.nodes import extract_messages

from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx


def is_translated(app: Sphinx, doctree: nodes.document) -> bool:
    """Return whether the document that was just read shows a translated message or figure."""
    language = app.config.language
    folders = [str(Path(app.srcdir, folder)) for folder in app.config.locale_dirs]
    domain = docname_to_domain(app.env.docname, app.config.gettext_compact)
    catalog, is_found = locale.init(folders, language, domain)
    if is_found:
        for _node, message in extract_messages(doctree):  # as they were before their translation
            if catalog.gettext(message).strip() not in ("", message):
                return True
    images = doctree.findall(nodes.image)
    return any(f".{language}." in str(image.get("candidates")) for image in images)


class Catalogs:
    """The catalogs of a language, by the documents that they translate."""

    def __init__(self, app: Sphinx, language: str) -> None:
        """Find them, and count how many documents share each."""
        self._app = app
        self._users = Counter(map(self._domain, app.env.all_docs))
        self._is_in_use = cache(_is_in_use)
        self.files: defaultdict[str, list[Path]] = defaultdict(list)
        """By the names that they have without a suffix."""

        self._with_figures = set[str]()
        for image, (documents, _name) in app.env.images.items():
            file = Path(app.srcdir, image.replace(f".{app.config.language}.", "."))
            if is_file(file.with_suffix(f".{language}{file.suffix}")):
                self._with_figures |= documents

        found = CatalogRepository(app.srcdir, app.config.locale_dirs, language, "utf-8")
        for catalog in found.catalogs:
            self.files[catalog.domain].append(Path(catalog.po_path))

    def of(self, document: str) -> Sequence[Path]:
        """Return the catalogs of a document in which something is translated."""
        files = self.files.get(self._domain(document), ())
        return [*filter(self._is_in_use, files)]

    def is_shared(self, document: str) -> bool:
        """Return whether the catalogs of a document translate others too."""
        return self._users[self._domain(document)] > 1

    def translate(self, document: str) -> bool:
        """Return whether they, or a figure, translate something of a document.

        Of the messages in shared ones, comments say whose they are.
        """
        if document in self._with_figures:
            return True
        path = Path(self._app.env.doc2path(document, base=False))
        place = f"/{path.as_posix()}:".encode()
        for file in self.of(document):
            if not self.is_shared(document):
                return True
            for message in file.read_bytes().split(b"\n\n"):
                is_own = place in message or b"#: " not in message
                if is_own and _has_translation(message):
                    return True
        return False

    def _domain(self, document: str) -> str:
        return docname_to_domain(document, self._app.config.gettext_compact)


def _is_in_use(file: Path) -> bool:
    return _has_translation(file.read_bytes())


def _has_translation(messages: bytes) -> bool:
    from textdates import is_same_text  # noqa: PLC0415 - of translations alone

    return not is_same_text(b"", messages, b".po")
