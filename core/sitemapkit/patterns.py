"""Gitignore-style patterns on the URL path below the base URL (gitignore(5), by pathspec)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pathspec import GitIgnoreSpec

HOME = "index.html"
"""The path of the home page for patterns; the pattern `/` matches only this page."""


class PathPatterns:
    """A list of patterns; the last one that matches decides, and `!` negates."""

    def __init__(self, patterns: str | tuple[str, ...]) -> None:
        """Compile the patterns; a string has one per line, as in .gitignore.

        Raises ValueError, which names the first invalid pattern.
        """
        lines = patterns.splitlines() if isinstance(patterns, str) else patterns
        self._lines = tuple(filter(None, lines))  # pathspec does not count empty ones
        self._spec = _compiled(self._lines) if self._lines else None
        self._used: set[int | None] = set()

    def deciding(self, path: str) -> str:
        """Return the pattern that decides about the readable URL path, or "" if none matches."""
        if self._spec is None:
            return ""
        decided = self._spec.check_file(path or HOME)
        self._used.add(decided.index)
        return "" if decided.index is None else self._lines[decided.index]

    def match(self, path: str) -> bool:
        """Return whether the readable URL path, without a leading slash, matches."""
        return self.deciding(path)[:1] not in ("", "!")

    def unused(self) -> list[str]:
        """Return the patterns that have not decided about any path yet."""
        numbered = enumerate(self._lines)
        unused = [line for number, line in numbered if number not in self._used]
        return [line for line in unused if line.strip() and not line.startswith("#")]


class OtherPatterns:
    """Patterns of another kind, in an option that only one generator has; a match excludes."""

    def __init__(
        self,
        option: str,
        matches: Mapping[str, Callable[[str], object]],
        *,
        where: str = "",
        kind: str = "",
        left_out: Sequence[str] = (),
    ) -> None:
        """Name the option, and give for each pattern a function that matches the `url` of a page.

        `where` names the option in issues, if a longer name is clearer there; `kind` says before a
        pattern what it is, such as "the regular expression". `left_out` are URLs of pages that
        are never listed: a pattern for them does no harm.
        """
        self.option = option
        self.where = where or option
        self.kind = kind
        self._matches = matches
        self._left_out = left_out
        self._used: set[str] = set()

    def deciding(self, url: str) -> str:
        """Return what excludes a page, for `Page.decided_by`, or "" if no pattern matches."""
        found = [pattern for pattern, match in self._matches.items() if match(url)]
        self._used.update(found)
        return f"{self.option} {found[0]!r}" if found else ""

    def unmatched(self, urls: Iterable[str]) -> list[str]:
        """Return the patterns that have matched nothing so far, and none of these URLs either."""
        unused = [pattern for pattern in self._matches if pattern not in self._used]
        urls = [*urls] if unused else ()
        return [each for each in unused if not any(map(self._matches[each], urls))]

    def is_needless(self, pattern: str) -> bool:
        """Return whether a pattern matches a page that would be left out anyway."""
        return any(map(self._matches[pattern], self._left_out))


def negated(rules: Iterable[str]) -> PathPatterns:
    """Return the patterns that follow a `!`. Raises ValueError for an invalid one."""
    return PathPatterns(tuple(rule[1:] for rule in rules if rule.startswith("!")))


def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    # Most sites have no patterns, and pathspec takes a tenth of the import time.
    from pathspec import GitIgnoreSpec  # noqa: PLC0415

    try:
        return GitIgnoreSpec.from_lines(
            each + HOME if each in ("/", "!/") else each for each in lines
        )
    except re.error as error:
        raise ValueError(f"Invalid git pattern: {error.msg}") from error
