"""sitemapkit for Sphinx: `extensions = ["sphinx_sitemapkit"]` in conf.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sphinx

from sitemapkit import __version__
from sitemapkit.errors import too_old
from sphinx_sitemapkit.refusal import refused

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__all__ = ["setup"]

OLDEST = "7.3"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension to Sphinx.

    Raises RefusedError where Sphinx is too old or sphinx-sitemap is loaded too.
    """
    problem = too_old("Sphinx", sphinx.__version__, OLDEST)
    if problem:
        raise refused(problem)
    # In an older Sphinx these may fail.
    from sphinx_sitemapkit.doc_info import ENV_VERSION  # noqa: PLC0415
    from sphinx_sitemapkit.extension import SitemapExtension  # noqa: PLC0415

    SitemapExtension().connect(app)
    return {
        "version": __version__,
        "env_version": ENV_VERSION,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
