"""Sitemap files and robots.txt, read from bytes; nothing here knows where they come from."""
