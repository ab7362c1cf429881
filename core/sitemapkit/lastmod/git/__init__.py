"""Dates from git: when the content of a file reached the checked-out branch.

One streamed walk of the history per repository, however many files there are. What git cannot know
has no date: a file that it does not track, a change beyond the boundary of a shallow clone.
"""

from sitemapkit.lastmod.git.dates import GitDates

__all__ = ["GitDates"]
