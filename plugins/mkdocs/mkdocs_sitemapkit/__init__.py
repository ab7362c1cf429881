"""sitemapkit for MkDocs and ProperDocs: `plugins: [sitemapkit]` in mkdocs.yml."""

from mkdocs_sitemapkit.plugin import SitemapPlugin

__all__ = ["SitemapPlugin"]
