"""Digests of the documents' own text, kept in the environment from build to build."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.environment.collectors import EnvironmentCollector

from sitemapkit.content import digest_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

ENV_VERSION = 1
"""To be raised when what is kept changes its shape or meaning: Sphinx then reads all anew."""


class DigestCollector(EnvironmentCollector):
    """Digests each document when it is read; parallel readers hand theirs over."""

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Digest the text that readers see, whatever the theme makes of it."""
        texts = (node for node in doctree.findall(nodes.Text) if _is_seen(node))
        _digests(app.env)[app.env.docname] = digest_text(" ".join(texts))

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:  # noqa: ARG002
        """Forget a document that is removed or read again."""
        _digests(env).pop(docname, None)

    def merge_other(
        self,
        app: Sphinx,  # noqa: ARG002
        env: BuildEnvironment,
        docnames: AbstractSet[str],
        other: BuildEnvironment,
    ) -> None:
        """Take over what a parallel reader has digested."""
        _digests(env).update((name, _digests(other)[name]) for name in docnames)


def document_digest(env: BuildEnvironment, documents: Sequence[str]) -> str | None:
    """Return the digest of the page that shows the documents; None if that is not known."""
    known = [_digests(env).get(name, "") for name in documents]
    return digest_text(" ".join(known)) if known and all(known) else None


def _digests(env: BuildEnvironment) -> dict[str, str]:
    return cast("dict[str, str]", vars(env).setdefault("sitemapkit_digests", {}))


def _is_seen(node: nodes.Text) -> bool:
    return not isinstance(node.parent, nodes.Invisible)
