"""A finished site in a directory: its pages, its base URL, and which file answers which URL."""
