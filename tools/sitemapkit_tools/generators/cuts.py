"""Parts of files that generators take in, as the cuts of `Part`s."""

from __future__ import annotations

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
        pairs = zip(words, [*words[1:], ""], strict=True)
        return any(one == word and other == self.region for one, other in pairs)
