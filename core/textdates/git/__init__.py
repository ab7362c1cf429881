"""What git knows: one streamed walk of the history per repository, however many files there are.

The names here are for other readers of repositories, which need git run as safely as we do.
"""

from textdates.git.command import GitError, GitProcess, run_git, start_git
from textdates.git.history import Record, read_commits, read_log
from textdates.git.repository import open_repository

__all__ = [
    "GitError",
    "GitProcess",
    "Record",
    "open_repository",
    "read_commits",
    "read_log",
    "run_git",
    "start_git",
]
