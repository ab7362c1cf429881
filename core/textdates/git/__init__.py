"""What git knows: one streamed walk of the history per repository, however many files there are.

The names here are for other readers of repositories, which need git run as safely as we do.
"""

from textdates.git.command import GitError, run_git

__all__ = ["GitError", "run_git"]
