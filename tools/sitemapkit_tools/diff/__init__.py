"""What changed between two sitemaps."""
