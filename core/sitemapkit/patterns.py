"""Gitignore-style patterns on the URL path below the base URL (gitignore(5), by pathspec)."""

from __future__ import annotations

from pathspec import GitIgnoreSpec

HOME = "index.html"
"""What patterns see as the path of the home page; the pattern `/` means it and nothing else."""


class PathPatterns:
    """A list of patterns; the last one that matches decides, `!` takes back."""

    def __init__(self, patterns: str | tuple[str, ...]) -> None:
        """Compile the patterns. Raises ValueError, which names the first that is not one."""
        lines = (patterns,) if isinstance(patterns, str) else patterns
        self._spec = GitIgnoreSpec.from_lines(f"/{HOME}" if line == "/" else line for line in lines)
        self._empty = not lines

    def match(self, path: str) -> bool:
        """Tell whether the readable URL path, without leading slash, matches."""
        return not self._empty and self._spec.match_file(path or HOME)
