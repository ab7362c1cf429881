"""Gitignore-style patterns on the URL path below the base URL (gitignore(5), by pathspec)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

HOME = "index.html"
"""What patterns see as the path of the home page; the pattern `/` means it and nothing else."""


class PathPatterns:
    """A list of patterns; the last one that matches decides, `!` takes back."""

    def __init__(self, patterns: str | tuple[str, ...]) -> None:
        """Compile the patterns; one text may have several, a line each, as .gitignore has.

        Raises ValueError, which names the first that is not one.
        """
        lines = tuple(patterns.splitlines()) if isinstance(patterns, str) else patterns
        self._lines = lines
        self._spec = _compiled(lines) if lines else None

    def deciding(self, path: str) -> str:
        """Return the pattern that decides about the path, or "" if none matches."""
        if self._spec is None:
            return ""
        decided = self._spec.check_file(path or HOME)
        return "" if decided.index is None else self._lines[decided.index]

    def match(self, path: str) -> bool:
        """Tell whether the readable URL path, without leading slash, matches."""
        return self._spec is not None and self._spec.match_file(path or HOME)


def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    # Most sites have no pattern, and to import pathspec takes a tenth of what we take to start.
    from pathspec import GitIgnoreSpec  # noqa: PLC0415

    return GitIgnoreSpec.from_lines(line + HOME if line in ("/", "!/") else line for line in lines)
