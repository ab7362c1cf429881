"""sitemapkit for Pelican: list `sitemapkit` in PLUGINS, or leave PLUGINS unset.

plugin          the signals and the log
run             one run of Pelican, which may be inside another one
pages           the files that Pelican wrote, as Pages
urls            the URL of a file that Pelican wrote
links           the links that a theme writes
stated_dates    the dates that authors state
texts/          what text each page shows, for dates from git; not loaded without them
settings        the setting SITEMAP
compat          the options of pelican-sitemap in it
pelican_types   types for Pelican's objects
"""

__all__ = ["register"]


def register() -> None:
    """Connect to Pelican's signals.

    Pelican imports every plugin that it finds, used or not. So what takes time or could fail is
    imported here.
    """
    from pelican_sitemapkit import plugin  # noqa: PLC0415 - see above

    plugin.connect()
