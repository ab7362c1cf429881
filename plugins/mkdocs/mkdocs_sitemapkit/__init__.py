"""sitemapkit for MkDocs and ProperDocs: `plugins: [sitemapkit]` in mkdocs.yml."""

import mkdocs
from mkdocs.exceptions import ConfigurationError

from sitemapkit.errors import too_old

OLDEST = "1.6"
problem: str = too_old("MkDocs", mkdocs.__version__, OLDEST)
if problem:  # in an older MkDocs the plugin cannot be imported
    raise ConfigurationError(problem)

from mkdocs_sitemapkit.plugin import SitemapPlugin  # noqa: E402

__all__ = ["SitemapPlugin"]
