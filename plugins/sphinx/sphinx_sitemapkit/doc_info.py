"""What only a document's doctree says: saved when Sphinx reads it, and kept between builds."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from docutils import nodes
from msgspec import Struct
from sphinx.environment.collectors import EnvironmentCollector

from sitemapkit.head import ENGINES, says_noindex
from sphinx_sitemapkit.catalogs import is_translated

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_sitemapkit.texts import Noted

ENV_VERSION = 16
"""Increase it when DocInfo changes its name, place, shape or meaning: it is pickled.

Sphinx then reads all documents again.
"""


class DocInfo(Struct, frozen=True):
    """What is saved of a document."""

    noindex: bool
    """Whether a `meta` directive tells search engines, or one of them, not to index the page."""

    is_translated: bool
    """Whether it shows something in the language of the build that its source does not."""

    shown: Noted | None = None
    """What `texts` noted of it. None: no dates from git were wanted."""


class DocInfoCollector(EnvironmentCollector):
    """Saves a DocInfo of each document when it is read; parallel readers pass theirs on."""

    note_shown: Callable[[Sphinx, nodes.document], Noted] | None = None
    """`texts.noted` where dates from git are wanted."""

    def get_outdated_docs(
        self,
        app: Sphinx,  # noqa: ARG002
        env: BuildEnvironment,
        added: set[str],  # noqa: ARG002
        changed: set[str],  # noqa: ARG002
        removed: set[str],  # noqa: ARG002
    ) -> list[str]:
        """Return the documents that were read when no dates from git were wanted, as now."""
        if not self.note_shown:
            return []
        return [name for name, info in doc_infos(env).items() if info.shown is None]

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Save the data of a document that was read."""
        noindex = False
        for meta in doctree.findall(nodes.meta):
            is_for_engines = str(meta.get("name", "")).lower() in ENGINES
            if is_for_engines and says_noindex(str(meta.get("content", ""))):
                noindex = True
        shown = self.note_shown(app, doctree) if self.note_shown else None
        translated = is_translated(app, doctree)
        doc_infos(app.env)[app.env.docname] = DocInfo(noindex, translated, shown)

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:  # noqa: ARG002
        """Forget a document that is removed or read again."""
        doc_infos(env).pop(docname, None)

    def merge_other(
        self,
        app: Sphinx,  # noqa: ARG002
        env: BuildEnvironment,
        docnames: AbstractSet[str],
        other: BuildEnvironment,
    ) -> None:
        """Add what a parallel reader saved."""
        ours = doc_infos(env)
        for name, info in doc_infos(other).items():
            if name in docnames:
                ours[name] = info


def doc_infos(env: BuildEnvironment) -> dict[str, DocInfo]:
    """Return what is saved of documents, by their names."""
    return cast("dict[str, DocInfo]", vars(env).setdefault("sitemapkit_doc_info", {}))
