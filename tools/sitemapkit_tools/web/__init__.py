"""A site online: the HTTP client, and what the URLs of the site answer.

Nothing of it can be loaded beside a urllib3 that is not safe with a hostile server: before 2.8, the
size of a chunk may fill the memory, and broken deflate never ends.
"""

from sitemapkit_tools.bounds import require

require("urllib3", "2.8", "is not safe to read a site online with: a server could fill the memory")
