"""How the listed pages are written, one module for each format."""
