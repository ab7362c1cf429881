"""The rules of `sitemapkit_tools.rules` at work: one module for each group of the table.

Each function takes a Survey, or a part of it, and yields issues; none of them reads anything.
"""
