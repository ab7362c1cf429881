"""From entries to files: which entry is in which file, and how files are replaced."""
