"""Whether two versions of a Markdown or reStructuredText text are the same to a reader.

White space counts where readers see it: in code, and where it makes a paragraph, a list or the text
of an admonition. Markup alone does not count: if words differ, only the words, images and link
targets are compared.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, zip_longest
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
    gone = old[start : len(old) - end]
    come = new[start : len(new) - end]
    has_same_words = gone.split() == come.split()
    if not has_same_words and _is_prose(gone) and _is_prose(come):  # as mostly
        above = new[: len(new) - end]
        if not any(mark in above for mark in _HIDING[is_rest]):
            return False
    from textdates.compare.blocks import changed_blocks, pieces_of  # noqa: PLC0415 - as below
    from textdates.compare.words import shown_by  # noqa: PLC0415 - many builds need neither

    old, new = changed_blocks(old, new, start, end, is_rest=is_rest)
    size = max(len(old), len(new))
    if not budget.take("compared", size):
        return False
    before = pieces_of(old, is_rest=is_rest)
    after = pieces_of(new, is_rest=is_rest)
    if has_same_words:
        return list(before) == list(after)
    shown_before = chain.from_iterable(shown_by(before, is_rest=is_rest))
    shown_after = chain.from_iterable(shown_by(after, is_rest=is_rest))
    for one, other in zip_longest(shown_before, shown_after):
        if one != other:
            return False
    return not _resolves(old, new) and not _resolves(new, old)


def _resolves(old: str, new: str) -> bool:
    """Return whether a link that stays as it is written has got the suffix of a source."""
    gone = _links(old, _AS_WRITTEN) - _links(new, _AS_WRITTEN)
    come = _links(new, _TO_SOURCE) - _links(old, _TO_SOURCE)
    return not gone.keys().isdisjoint(come)


def _links(text: str, end: str) -> Counter[str]:
    found = re.findall(_LINK + end, text)
    return Counter(found)


def _same_lines(old: str, new: str) -> tuple[int, int]:
    """Return the sizes of the lines that are the same at the start, and at the end."""
    same = _same_size(old, new)
    start = old.rfind("\n", 0, same) + 1
    above = max(start - 1, 0)  # what is the same from the start is not so from the end, too
    old_backwards = old[above:][::-1]
    new_backwards = new[above:][::-1]
    same = _same_size(old_backwards, new_backwards)
    _, _, end = old[len(old) - same :].partition("\n")
    return start, len(end)


def _same_size(old: str, new: str) -> int:
    """Return the number of characters that are the same from the start."""
    same = 0
    most = min(len(old), len(new))
    while same < most:  # to compare by halves is faster than by lines
        middle = (same + most + 1) // 2
        if old[same:middle] == new[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def _is_prose(text: str) -> bool:
    """Return whether a text has no markup."""
    for written in text.split("\n"):
        line = written.strip(" ")
        if not line:
            continue
        if not line[0].isalpha():  # a sign there may be of markup
            return False
        if not line.translate(_PUNCTUATION).isalnum():
            return False
    return True
