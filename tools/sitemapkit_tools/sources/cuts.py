"""Parts of files that generators take in, as the cuts of `Part`s."""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import Struct


class Region(Struct, frozen=True, cache_hash=True):
    """The lines between two marks with a name, without the marks of other regions in it."""

    region: str
    start: str
    """What precedes the name at the beginning, such as `ANCHOR:`."""

    end: str

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return f"region {self.region}"

    def __call__(self, text: str) -> str | None:
        """Return the lines of all regions of this name; None if there is none."""
        kept: list[str] = []
        is_inside = found = False
        for line in text.splitlines():
            words = line.split()
            if self._is_mark(self.start, words):
                is_inside = found = True
            elif self._is_mark(self.end, words):
                is_inside = False
            elif is_inside and self.start not in line and self.end not in line:
                kept.append(line)
        return "\n".join(kept) if found else None

    def _is_mark(self, word: str, words: list[str]) -> bool:
        return f"{word}{self.region}" in words or (word, self.region) in pairwise(words)


class Wording(Struct, frozen=True, cache_hash=True):
    """What a page that is written as a program (JSX, Astro) shows of its own: text and titles."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return "wording"

    def __call__(self, text: str) -> str:
        """Return the text between elements, and literals of several words."""
        found = _WORDING.finditer(_NO_WORDING.sub(" ", text))
        texts = (each["text"] or each["after"] or each["literal"] or "" for each in found)
        shown = (" ".join(each.split()) for each in texts)
        return "\n".join(each for each in shown if each)


_NO_WORDING = re.compile(
    r"""(?mx)
    (?s: <style\b .*? (?: </style> | \Z ) )
    | (?s: <script\b .*? (?: </script> | \Z ) )
    | ^import\s [^\n]*+
    | \bclass(?:Name)? = (?: "[^"]*+" | '[^']*+' )
    """
)
_WORDING = re.compile(
    r"""(?x)
    > (?P<text> [^<>{}]*+ ) (?= [<{] )
    | \} (?P<after> [^<>{}();=]*+ ) (?= < )               # after a value
    | ["'] (?P<literal> (?=[^"'\n\ ]*+[\ ]) [^"'<>{};=\n]*+ ) ["']
    """
)
