"""Formats beside those of search engines, one module for each."""
