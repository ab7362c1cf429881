"""sitemapkit for Pelican: list `sitemapkit` in PLUGINS, or leave PLUGINS unset.

settings    the setting SITEMAP, in our words and in pelican-sitemap's
urls        the URL under which readers find what Pelican wrote
notes       what is noted of each file while Pelican writes
pages       the files that Pelican writes, as Pages
run         one run of Pelican, and how runs lie in one another
plugin      the signals: start, collect, finish, and the log
objects     what is read of Pelican's objects
"""

__all__ = ["register"]


def register() -> None:
    """Connect to Pelican's signals.

    Pelican imports each plugin that it finds, also for sites that use another one: so what costs
    time, or could fail, is imported here.
    """
    from pelican_sitemapkit import plugin  # noqa: PLC0415 - see above

    plugin.connect()
