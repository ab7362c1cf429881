"""An extension, a format, a source of dates, a rule and a generator, for sitemapkit."""
