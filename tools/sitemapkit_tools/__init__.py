"""A finished site, on disk or online: build, check, diff, merge, submit, explain.

`write_part` and `write_index` write sitemaps of any size, for scripts.
"""

from sitemapkit_tools.bulk import write_index, write_part

__all__ = ["write_index", "write_part"]
