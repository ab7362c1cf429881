"""Texts in AsciiDoc or Org, of whose markup little is known."""

from __future__ import annotations

import re
from itertools import starmap, zip_longest
from operator import eq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLOCKS = (
    r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})\w*$",
    r"(?i)\s*#\+begin_(src|example|export|verse|comment)\b",
)
"""The first line of a block in which lines count, or of a comment, in AsciiDoc and Org."""

_COMMENTS = (r"//(?!/)", r"\s*#(\s|$)")


def has_same_flow(old: str, new: str, *, is_org: bool) -> bool:
    """Return whether two texts in AsciiDoc or Org differ in comments and line breaks at most."""
    flows = (filter(None, _flow(text, is_org=is_org)) for text in (old, new))
    return all(starmap(eq, zip_longest(*flows)))


def _flow(text: str, *, is_org: bool) -> Iterator[Sequence[str]]:
    """Yield the words of each paragraph, and each line of code."""
    words, end, is_hidden = list[str](), "", False
    for line in map(str.rstrip, f"{text}\n".split("\n")):
        if end:
            if line.strip().lower() == end:
                end = ""
            elif not is_hidden:
                yield [line]
        elif block := re.match(_BLOCKS[is_org], line):
            yield words
            words, mark = [], block[1].lower()
            end = f"#+end_{mark}" if is_org else mark
            is_hidden = mark == "comment" or mark.startswith("/")
        elif line and not re.match(_COMMENTS[is_org], line):
            words += line.split()
        elif not line:
            yield words
            words = []
