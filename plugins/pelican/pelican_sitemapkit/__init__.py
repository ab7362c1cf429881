"""sitemapkit for Pelican: list `sitemapkit` in PLUGINS, or leave PLUGINS unset.

settings    the setting SITEMAP, in our words and in pelican-sitemap's
urls        the URL under which readers find what Pelican wrote
run         the pages of one run, collected file by file
plugin      the signals: start, collect, finish, and the log
"""

from pelican_sitemapkit.plugin import register

__all__ = ["register"]
