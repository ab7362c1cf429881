"""The headings of a text, as tables of contents show them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.front_matter import front_matter

if TYPE_CHECKING:
    from collections.abc import Sequence

_FENCED = r"(?ms)^(`{3,}+).*?(?:^\1|\Z)"
"""Code, whose lines are no headings."""

_HEADING = r"""(?mx)
    ^(?P<marks>\#{1,6})[ \t]+(?P<text>.+)$  # behind number signs
    |
    ^(?:(?P<above>[=#*~^"'+`:.-])(?P=above){2,}[ \t]*\n[ ]*)?  # underlined, perhaps overlined
    (?P<title>\S.*)\n
    (?P<below>[=#*~^"'+`:.-])(?P=below){2,}[ \t]*$
    """


class Headings(Struct, frozen=True):
    """What a table of contents shows of a text, as the cut of a `Part`."""

    levels: int
    """Number of visible heading levels; the title is the first."""

    title: bool = True
    """Whether the title shows: a table may have another one in its place."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return "headings"

    def __call__(self, text: str) -> str:
        """Return the visible headings."""
        _, end = front_matter(text, is_rest=False)
        headings = headings_of(text[end:])
        styles = dict.fromkeys(style for style, _ in headings)
        visible = list(styles)[: self.levels]
        if not self.title:
            headings = headings[1:]
        return "\n\n".join(heading for style, heading in headings if style in visible)


@lru_cache(maxsize=16)  # each version is compared with two others
def headings_of(body: str) -> Sequence[tuple[str, str]]:
    """Return the style and the text of each heading; styles first occur in the order of levels."""
    headings: list[tuple[str, str]] = []
    prose = re.sub(_FENCED, "", body)
    for found in re.finditer(_HEADING, prose):
        style, text = found["marks"], found["text"]
        if style:
            text = text.rstrip(" \t#")
        else:
            above = found["above"] or ""
            style, text = above + found["below"], found["title"]
        headings.append((style, text))
    return headings
