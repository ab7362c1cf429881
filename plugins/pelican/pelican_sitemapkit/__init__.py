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

OLDEST = "4.9"


def register() -> None:
    """Connect to Pelican's signals, unless it is too old.

    Pelican imports every plugin that it finds, used or not. So what takes time or could fail is
    imported here.
    """
    import logging  # noqa: PLC0415 - see above

    import pelican  # noqa: PLC0415 - likewise

    from sitemapkit.errors import too_old  # noqa: PLC0415 - likewise

    problem = too_old("Pelican", pelican.__version__, OLDEST)
    if problem:
        logging.getLogger(__name__).error("sitemapkit: %s", problem)
        return
    from pelican_sitemapkit import plugin  # noqa: PLC0415 - likewise

    plugin.connect()
