"""Data found only in a document's doctree: saved when it is read, kept between builds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from docutils import nodes
from msgspec import Struct
from sphinx.environment.collectors import EnvironmentCollector

from sitemapkit.html import ENGINES, says_noindex
from sphinx_sitemapkit.parts import NOTES, documented_objects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sitemapkit import Part
    from textdates import FileOrPart

ENV_VERSION = 10
"""Increase it when DocInfo changes its name, place, shape or meaning: it is pickled.

Sphinx then reads all documents again.
"""

_UNSEEN = nodes.Invisible
"""Comments, link targets, definitions of substitutions."""


class DocInfo(Struct, frozen=True):
    """What is saved about a document."""

    noindex: bool
    """Whether a `meta` directive tells search engines, or one of them, not to index the page."""

    included: tuple[FileOrPart, ...]
    """The files that the document includes, by absolute paths, or parts of them."""

    documented: tuple[Part, ...]
    """The Python objects that autodoc documents in it."""


class DocInfoCollector(EnvironmentCollector):
    """Saves a DocInfo of each document when it is read; parallel readers pass theirs on."""

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Save the data of a document that was read."""
        _infos(app.env)[app.env.docname] = DocInfo(
            noindex=any(map(_forbids_indexing, doctree.findall(nodes.meta))),
            included=tuple(_included(doctree, app.env)),
            documented=tuple(documented_objects(app.env)),
        )

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:  # noqa: ARG002
        """Forget a document that is removed or read again."""
        _infos(env).pop(docname, None)

    def merge_other(
        self,
        app: Sphinx,  # noqa: ARG002
        env: BuildEnvironment,
        docnames: AbstractSet[str],
        other: BuildEnvironment,
    ) -> None:
        """Add what a parallel reader saved."""
        theirs = _infos(other)
        _infos(env).update((name, theirs[name]) for name in theirs.keys() & docnames)


def doc_infos(env: BuildEnvironment, documents: Sequence[str]) -> list[DocInfo]:
    """Return the saved data of the documents; nothing if one is missing."""
    infos = _infos(env)
    return [infos[name] for name in documents] if infos.keys() >= {*documents} else []


def _infos(env: BuildEnvironment) -> dict[str, DocInfo]:
    return cast("dict[str, DocInfo]", vars(env).setdefault("sitemapkit_doc_info", {}))


def _forbids_indexing(meta: nodes.meta) -> bool:
    name = str(meta.get("name", "")).lower()
    return name in ENGINES and says_noindex(str(meta.get("content", "")))


def _included(doctree: nodes.document, env: BuildEnvironment) -> Iterator[FileOrPart]:
    """Yield the included files, or noted parts of them, with text in the document.

    Many projects include a file of substitutions or link targets in each document; it adds no text.
    """
    notes: dict[str, list[FileOrPart]] = env.temp_data.get(NOTES) or {}
    read = {*map(os.path.abspath, doctree.settings.record_dependencies.list), *notes}
    if read:
        seen = (each for each in doctree.findall(nodes.Element) if not isinstance(each, _UNSEEN))
        # Extensions set sources of other types.
        named = {s for e in seen for s in (e.source, e.get("source")) if isinstance(s, str)}
        for file in sorted(read & set(map(os.path.abspath, named))):
            yield from dict.fromkeys(notes.get(file, [file]))
