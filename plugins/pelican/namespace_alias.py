"""Make the plugin discoverable under Pelican's own namespace.

Pelican looks for plugins inside the ``pelican.plugins`` namespace, so the build installs this one
file as ``pelican/plugins/sitemapkit/__init__.py`` (``force-include`` in pyproject.toml). The code
is in ``pelican_sitemapkit``.
"""

from pelican_sitemapkit import register

__all__ = ["register"]
