"""How much work it may be to date texts: counted, not timed.

So the same sources have the same dates on any machine. The walk through the history, the comparer
and the parts of texts share one budget. What is beyond it is not compared, and counts as a change.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Work = Literal["read", "lines", "renamed", "compared", "objects"]


class Limit(NamedTuple):
    """How much of some work may be done."""

    what: str
    once: int
    """In one text, or for one comparison."""

    build: int
    """In all."""


_MIB = 1024 * 1024

# Ten times what those of ten repositories need that need most; of one text, what memory allows.

MAX_TEXT = 2 * _MIB
"""Bytes of a text that is compared with its last version; any change of a larger one counts."""

MAX_LINES = 50_000
"""Lines of such a text, which use the memory."""

MAX_READ = 3 * 1024 * _MIB
"""Bytes of all texts that are compared in one build."""

MAX_RENAMED = 100_000
"""Files of commits that git searches for renames together with small changes."""

MAX_COMPARED = 256 * _MIB
"""Characters of their parts that changed and have markup."""

MAX_OBJECTS = 10_000_000
"""Objects of code, or names of metadata, that are looked for in all versions of texts."""

LIMITS: Mapping[Work, Limit] = {
    "read": Limit("bytes of text", MAX_TEXT, MAX_READ),
    "lines": Limit("lines of text", MAX_LINES, MAX_READ),
    "renamed": Limit("files that may be renamed", MAX_RENAMED // 5, MAX_RENAMED),
    "compared": Limit("characters of changed text", MAX_TEXT, MAX_COMPARED),
    "objects": Limit("objects of code or metadata", MAX_OBJECTS // 100, MAX_OBJECTS),
}


class Budget:
    """The work that is done in one build."""

    def __init__(self, limits: Mapping[Work, Limit] = LIMITS) -> None:
        """Begin with nothing done."""
        self._limits = limits
        self.done: Counter[Work] = Counter()
        self.refused: Counter[Work] = Counter()
        """How often it would have been too much."""

    def take(self, work: Work, amount: int) -> bool:
        """Return whether some work may be done; then it counts as done."""
        limit = self._limits[work]
        if amount > limit.once or self.done[work] + amount > limit.build:
            self.refused[work] += 1
            return False
        self.done[work] += amount
        return True

    def take_text(self, text: bytes) -> bool:
        """Return whether a text may be read."""
        lines = 0
        if len(text) > self._limits["lines"].once:
            lines = text.count(b"\n")
        return self.take("read", len(text)) and self.take("lines", lines)

    def __str__(self) -> str:
        """Return what was refused, in sentences."""
        sentences: list[str] = []
        for work, count in sorted(self.refused.items()):
            limit = self._limits[work]
            sentences.append(
                f"{count:,} times a comparison would need more than {limit.once:,} {limit.what} at"
                f" once, or {limit.build:,} in all."
            )
        return " ".join(sentences)
