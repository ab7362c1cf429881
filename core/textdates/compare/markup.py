"""Whether two versions of a Markdown or reStructuredText text are the same to a reader.

White space counts where readers see it: in code, and where it makes a paragraph, a list or the text
of an admonition. Markup alone does not count: if words differ, only the words, images and link
targets are compared.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, starmap, zip_longest
from operator import eq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textdates.budget import Budget

_LINK = r"\](?:\(|: )<?((?:\w[\w-]*/)*\w[\w-]*)"
_AS_WRITTEN = r"(?=[#?)>\s]|$)"
_TO_SOURCE = r"\.(?:mdx?|markdown|qmd|rmd|rst|ipynb)" + _AS_WRITTEN
"""A relative link of Markdown, and its end: only where it names a source, it leads to a page."""

_PUNCTUATION = str.maketrans("", "", " ,.;?!'()/-")
"""Removes what a line of prose has beside letters and digits."""

_HIDING = (("<!--", "<s", "```{", ":::{"), ("..",))
"""What may hide prose in Markdown (comments, scripts, styles, some directives of MyST) and in
reStructuredText (comments, directives)."""


def shows_the_same(old: str, new: str, budget: Budget, *, is_rest: bool) -> bool:
    """Return whether two texts show the same; the cheapest look that settles it comes first."""
    start, end = _same_lines(old, new)
    changed = old[start : len(old) - end], new[start : len(new) - end]
    has_same_words = eq(*map(str.split, changed))
    may_be_hidden = any(new.find(mark, 0, len(new) - end) >= 0 for mark in _HIDING[is_rest])
    if not (has_same_words or may_be_hidden) and _is_prose("\n".join(changed)):  # as mostly
        return False
    from textdates.compare.blocks import changed_blocks, pieces_of  # noqa: PLC0415 - as below
    from textdates.compare.words import shown_by  # noqa: PLC0415 - many builds need neither

    old, new = changed_blocks(old, new, start, end, is_rest=is_rest)
    if not budget.take("compared", max(len(old), len(new))):
        return False
    before, after = (pieces_of(text, is_rest=is_rest) for text in (old, new))
    if has_same_words:
        return list(before) == list(after)
    shown = (shown_by(pieces, is_rest=is_rest) for pieces in (before, after))
    same = all(starmap(eq, zip_longest(*map(chain.from_iterable, shown))))
    return same and not (_resolves(old, new) or _resolves(new, old))


def _resolves(old: str, new: str) -> bool:
    """Return whether a link that stays as it is written has got the suffix of a source."""
    written, resolved = (
        [Counter(re.findall(_LINK + end, text)) for text in (old, new)]
        for end in (_AS_WRITTEN, _TO_SOURCE)
    )
    gone, come = written[0] - written[1], resolved[1] - resolved[0]
    return not gone.keys().isdisjoint(come)


def _same_lines(old: str, new: str) -> tuple[int, int]:
    """Return the sizes of the lines that are the same at the start, and at the end."""
    start = old.rfind("\n", 0, _same_size(old, new, 0)) + 1
    end = _same_size(old, new, max(start - 1, 0), from_end=True)
    return start, len(old[len(old) - end :].partition("\n")[2])


def _same_size(old: str, new: str, start: int, *, from_end: bool = False) -> int:
    """Return the number of equal characters at one end, leaving out `start` at the other."""
    same, most = 0, min(len(old), len(new)) - start
    while same < most:  # to compare by halves is faster than by lines
        middle = (same + most + 1) // 2
        part = slice(-middle, -same or None) if from_end else slice(same, middle)
        same, most = (middle, most) if old[part] == new[part] else (same, middle - 1)
    return same


def _is_prose(text: str) -> bool:
    """Return whether a text has no markup."""
    lines = filter(None, (line.strip(" ") for line in text.split("\n")))
    return all(line[0].isalpha() and line.translate(_PUNCTUATION).isalnum() for line in lines)
