"""From entries to files: what goes into which file, and how all files get into place at once."""
