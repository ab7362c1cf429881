"""sitemapkit for Sphinx: `extensions = ["sphinx_sitemapkit"]` in conf.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit import __version__
from sphinx_sitemapkit.doc_info import ENV_VERSION
from sphinx_sitemapkit.extension import SitemapExtension

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__all__ = ["setup"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension to Sphinx. Raises ConfigError where sphinx-sitemap is loaded too."""
    SitemapExtension().connect(app)
    return {
        "version": __version__,
        "env_version": ENV_VERSION,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
