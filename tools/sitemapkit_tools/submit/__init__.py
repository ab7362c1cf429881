"""Telling search engines what changed."""
