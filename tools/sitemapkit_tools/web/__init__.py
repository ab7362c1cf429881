"""A site online: the HTTP client, its cache, and what the URLs of the site answer."""
