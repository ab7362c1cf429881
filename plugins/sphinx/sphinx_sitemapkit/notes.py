"""What only a document's tree tells, noted when it is read and kept from build to build."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.environment.collectors import EnvironmentCollector

from sitemapkit.content import digest_text
from sitemapkit.html import ENGINES, says_noindex
from sphinx_sitemapkit.pictures import pictures_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_sitemapkit.pictures import Picture

ENV_VERSION = 2
"""To be raised when what is kept changes its shape or meaning: Sphinx then reads all anew."""

_UNSEEN = nodes.Invisible
"""Comments, link targets, definitions of substitutions."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is kept of a document."""

    digest: str
    """Of the text that readers see, whatever the theme makes of it."""

    noindex: bool
    """A `meta` directive tells search engines, or one of them, to leave the page out."""

    included: tuple[str, ...]
    """Absolute paths of the files whose text the document takes in."""

    pictures: tuple[Picture, ...]


class NoteCollector(EnvironmentCollector):
    """Notes each document when it is read; parallel readers hand over theirs."""

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Note a document that was read."""
        _notes(app.env)[app.env.docname] = Note(
            digest=digest_text(" ".join(_texts(doctree))),
            noindex=any(map(_forbids_indexing, doctree.findall(nodes.meta))),
            included=tuple(_included(doctree)),
            pictures=tuple(pictures_in(doctree)),
        )

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:  # noqa: ARG002
        """Forget a document that is removed or read again."""
        _notes(env).pop(docname, None)

    def merge_other(
        self,
        app: Sphinx,  # noqa: ARG002
        env: BuildEnvironment,
        docnames: AbstractSet[str],
        other: BuildEnvironment,
    ) -> None:
        """Take over what a parallel reader has noted."""
        theirs = _notes(other)
        _notes(env).update((name, theirs[name]) for name in theirs.keys() & docnames)


def notes_of(env: BuildEnvironment, documents: Sequence[str]) -> list[Note]:
    """Return the notes of the documents; none at all if one of them is not known."""
    notes = _notes(env)
    return [notes[name] for name in documents] if notes.keys() >= {*documents} else []


def _notes(env: BuildEnvironment) -> dict[str, Note]:
    return cast("dict[str, Note]", vars(env).setdefault("sitemapkit_notes", {}))


def _texts(doctree: nodes.document) -> Iterator[str]:
    for text in doctree.findall(nodes.Text):
        if not isinstance(text.parent, _UNSEEN):
            yield text


def _forbids_indexing(meta: nodes.meta) -> bool:
    name = str(meta.get("name", "")).lower()
    return name in ENGINES and says_noindex(str(meta.get("content", "")))


def _included(doctree: nodes.document) -> Iterator[str]:
    """Yield the files that Docutils has read and whose text is in the document.

    A file that only defines substitutions or link targets, as many projects include in each of
    their documents, has no text in any of them.
    """
    read = set(map(os.path.abspath, doctree.settings.record_dependencies.list))
    if read:
        shown = (one for one in doctree.findall(nodes.Element) if not isinstance(one, _UNSEEN))
        named = {name for element in shown for name in _sources(element)}
        yield from sorted(read & set(map(os.path.abspath, named)))


def _sources(element: nodes.Element) -> Iterator[str]:
    """Yield the file that an element is written in, and the one that all of its text is from."""
    said: tuple[object, object] = (element.source, element.get("source"))
    yield from (name for name in said if isinstance(name, str))  # extensions put anything there
