"""Learn from a site's history when each page's content last changed."""
