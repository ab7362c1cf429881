"""Gitignore-style patterns on the URL path below the base URL (gitignore(5)).

Pages may state patterns too, so these are compiled to expressions that cannot backtrack: each
wildcard takes the first place where what follows it fits, which is always enough, because only the
end of the pattern is bound to a place. An engine that tries all places takes exponential time.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

HOME = "index.html"
"""The path of the home page for patterns; the pattern `/` matches only this page."""

_FOLDER, _ITSELF = 1, 2
"""What a pattern may match: a folder above the path, or, which weighs more, the path itself."""


class PathPatterns:
    """A list of patterns; the last one that matches decides, and `!` negates."""

    def __init__(self, patterns: str | tuple[str, ...]) -> None:
        """Compile the patterns; a string has one per line, as in .gitignore.

        Raises ValueError, which names the first invalid pattern.
        """
        self.lines: list[str] = []
        """The patterns, without comments."""

        self._last_first: list[tuple[str, _Pattern]] = []
        for line in patterns.splitlines() if isinstance(patterns, str) else patterns:
            if not line.strip() or line.startswith("#"):
                continue
            self.lines.append(line)
            pattern = _read(line)
            if pattern:
                self._last_first.insert(0, (line, pattern))

    def deciding(self, path: str) -> str:
        """Return the pattern that decides about the readable URL path, or "" if none matches.

        One for a folder above it decides only if none is for the path itself.
        """
        if not self._last_first:
            return ""
        path = path.removeprefix("/") or HOME
        decided, weight = "", 0
        for line, pattern in self._last_first:
            found = pattern.match(path)
            if found > weight:
                decided, weight = line, found
            if weight == _ITSELF:
                break
        return decided

    def match(self, path: str) -> bool:
        """Return whether the readable URL path, without a leading slash, matches."""
        return self.deciding(path)[:1] not in ("", "!")


class OtherPatterns:
    """Patterns of another kind, in an option that only one generator has; a match excludes."""

    def __init__(
        self,
        option: str,
        matches: Mapping[str, Callable[[str], object]],
        *,
        where: str = "",
        kind: str = "",
    ) -> None:
        """Name the option, and give for each pattern a function that matches the `url` of a page.

        `where` names the option in issues, if a longer name is clearer there; `kind` says before a
        pattern what it is, such as "the regular expression".
        """
        self.option = option
        self.where: str = where or option
        self.kind = kind
        self._matches = matches
        self._used: set[str] = set()

    def deciding(self, url: str) -> str:
        """Return what excludes a page, for `Page.decided_by`, or "" if no pattern matches."""
        first = ""
        for pattern, match in self._matches.items():
            if match(url):  # each of them is of use, though the first alone is named
                self._used.add(pattern)
                first = first or f"{self.option} {pattern!r}"
        return first

    def unmatched(self, urls: Iterable[str]) -> list[str]:
        """Return the patterns that have matched nothing so far, and none of these URLs either."""
        if len(self._used) < len(self._matches):
            for url in urls:
                self.deciding(url)
        return [pattern for pattern in self._matches if pattern not in self._used]


def negated(rules: Iterable[str]) -> PathPatterns:
    """Return the patterns that follow a `!`. Raises ValueError for an invalid one."""
    patterns = [rule.removeprefix("!") for rule in rules if rule.startswith("!")]
    return PathPatterns(tuple(patterns))


def is_regex(line: str) -> bool:
    """Return whether a line has what regular expressions have, and no pattern as in .gitignore."""
    return re.search(_OF_REGEXES, line) is not None


_OF_REGEXES = r"""(?x)
    ^\^ | \$$              # bound to the start or the end
    | \\[.dwsbDWSB/-]      # an escape
    | \.\+ | \| | \(\?     # repetition, alternatives, a group
    """


class _Pattern(Struct, frozen=True):
    """One line, compiled."""

    first: re.Pattern[str]
    """Matches up to the first place that fits; its empty group is before the last run of names."""

    weight: int = 0
    """What the first place tells; 0: that depends on whether the path ends there."""

    last: re.Pattern[str] | None = None
    """Matches the last run of names at the end of a path, if it may be in several places."""

    length: int = 0
    """How many names that run has."""

    def match(self, path: str) -> int:
        """Return what it matches of a path: a folder above it, itself, or 0 for nothing."""
        found = self.first.match(path)
        if not found:
            return 0
        if self.weight:
            return self.weight
        if found.end() == len(path):
            return _ITSELF
        if self.last:
            # `a/**/b` fits `a/b/c/b` twice: at a folder, and at its end, which weighs more. What is
            # before the last run fits as early as it can, so it leaves the end as much as it can.
            names = path.rsplit("/", self.length)[-self.length :]
            start = len(path) - len("/".join(names))
            if start >= found.end(1) and self.last.match(path, start):
                return _ITSELF
        return _FOLDER


def _read(line: str) -> _Pattern | None:
    """Compile a line; None for one that never matches."""
    text = line if line.endswith("\\ ") else line.rstrip()
    text = text.removeprefix("!")
    if text == "/":
        text += HOME
    names = text.split("/")
    is_folder = len(names) > 1 and not names[-1]
    if is_folder:
        names[-1] = "**"
    # A slash before or between names binds a pattern to the root, one at its end does not.
    if len(names) > 1 and not names[0]:
        del names[0]
    elif len(names) == 1 + is_folder:
        names.insert(0, "**")
    try:
        return _compiled(names, is_folder=is_folder)
    except _NeverMatchesError:
        return None
    except (re.error, ValueError) as error:
        detail = error.msg if isinstance(error, re.error) else error
        raise ValueError(f"Invalid git pattern: {detail}") from error


_FOLDERS = "(?:[^/]*/)*?"
"""What `**` stands for: any number of folders, as few as possible."""


def _compiled(names: Sequence[str], *, is_folder: bool) -> _Pattern:
    """Compile the names of a pattern, from `**` to `**` a run that has to be in one place."""
    runs: list[list[str]] = []
    for is_any, group in groupby(names, "**".__eq__):
        if not is_any:
            runs.append([*group])
    is_bound, has_below = names[0] != "**", names[-1] == "**"
    weight = 0
    if is_folder:
        weight = _FOLDER
    elif has_below:
        weight = _ITSELF
    # These need no search, and `a/` is a page that `*` matches though its last name is empty.
    if not runs or (runs == [["*"]] and not is_bound):
        is_in_folder = is_folder or (runs and has_below)
        return _Pattern(re.compile("[^/]*/" if is_in_folder else "(?s:.)"), weight or _ITSELF)
    *before, last = runs
    folders = "" if is_bound else _FOLDERS
    expression = ""
    for run in before:
        expression += f"(?>{folders}{_run(run)}/)"
        folders = _FOLDERS
    end = "/" if has_below else ""
    first = re.compile(f"{expression}()(?>{folders}{_run(last)}{end})")
    if weight or not folders:  # so it is in one place only
        return _Pattern(first, weight)
    return _Pattern(first, weight, re.compile(_run(last) + r"\Z"), len(last))


_END = r"(?=/|\Z)"
"""The end of a name."""


def _run(names: Iterable[str]) -> str:
    return "/".join(map(_name, names))


def _name(name: str) -> str:
    """Return the expression of one name: it matches a whole name or nothing."""
    if name == "*":  # alone it does not match the empty name between two slashes
        return "[^/]+"
    start, *parts = _between_stars(name)
    if not parts:
        return start + _END
    *middle, end = parts
    expression = start
    for part in middle:
        if part:  # there is nothing between the stars of `**`
            expression += f"(?>[^/]*?{part})"
    expression += f"(?>[^/]*?{end}{_END})" if end else "[^/]*"
    return expression


def _between_stars(name: str) -> list[str]:
    """Return the expressions of what is before, between and after the `*` in a name."""
    parts, place = [""], 0
    while place < len(name):
        sign = name[place]
        place += 1
        if sign == "*":
            parts.append("")
        elif sign == "?":
            parts[-1] += "[^/]"
        elif sign == "[":
            expression, place = _brackets(name, place)
            parts[-1] += expression
        elif sign == "\\":
            if place == len(name):
                raise ValueError(f"nothing follows the \\ at the end of {name!r}")
            parts[-1] += re.escape(name[place])
            place += 1
        else:
            parts[-1] += re.escape(sign)
    return parts


class _NeverMatchesError(Exception):
    """A bracket has no end: to git such a pattern matches nothing."""


def _brackets(name: str, place: int) -> tuple[str, int]:
    """Return the expression of what is in brackets from `place` on, and where it ends."""
    is_negated = name[place : place + 1] in ("!", "^")
    place = start = place + is_negated
    signs = ""
    while place == start or name[place : place + 1] != "]":
        if place >= len(name):
            raise _NeverMatchesError
        if name.startswith("[:", place) and ":]" in name[place + 2 :]:
            raise ValueError(f"a class in {name!r}; write its signs, such as a-z")
        # At the beginning or end it is a sign as any other.
        is_range = place > start and name[place] == "-" and name[place + 1 : place + 2] != "]"
        if name[place] == "\\":
            place += 1
        if place == len(name):
            raise _NeverMatchesError
        signs += "-" if is_range else re.escape(name[place])
        place += 1
    return f"[^/{signs}]" if is_negated else f"(?!/)[{signs}]", place + 1
