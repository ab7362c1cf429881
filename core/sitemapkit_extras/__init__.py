"""What few sites ask for: formats for people and agents, images, videos, news and the ledger.

sitemapkit finds all of it by entry points, as it finds what other packages add.
"""
