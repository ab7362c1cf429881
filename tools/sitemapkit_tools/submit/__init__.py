"""Notifications of search engines about changes."""
