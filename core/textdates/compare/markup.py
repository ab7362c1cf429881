"""Whether two versions of a Markdown or reStructuredText text are the same to a reader.

White space counts where readers see it: in code, and where it makes a paragraph, a list or the text
of an admonition. Markup alone does not count: if words differ, only the words, images and link
targets are compared.
"""

from __future__ import annotations

import re
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from textdates.budget import Budget

_LINK = r"\](?:\(|: )<?((?:\w[\w-]*/)*\w[\w-]*)"
_AS_WRITTEN = r"(?=[#?)>\s]|$)"
_TO_SOURCE = r"\.(?:mdx?|markdown|qmd|rmd|rst|ipynb)" + _AS_WRITTEN
"""A relative link of Markdown, and its end: only where it names a source, it leads to a page."""

_TO_ID = r"\]\([^()\s#]*#([^()\s]+)\)"
"""A link of Markdown to an id, by its page."""

_NAME = r"\[([^\[\]]+)\]"
_DEFINED = _NAME + ":"
"""What may be the name of an id in a link, unless the text defines it."""


def shows_the_same(
    old: str, new: str, budget: Budget, *, are_rest: tuple[bool, bool], is_myst: bool
) -> bool:
    """Return whether two texts show the same; the cheapest look that settles it comes first.

    `are_rest` says which of the two is reStructuredText, not Markdown.
    """
    was_rest, is_rest = are_rest
    old = _with_html_comments(old)
    new = _with_html_comments(new)
    start, end = _same_lines(old, new)
    gone = old[start : len(old) - end]
    come = new[start : len(new) - end]
    has_same_words = was_rest == is_rest and gone.split() == come.split()
    from textdates.compare.blocks import changed_blocks, pieces_of  # noqa: PLC0415 - as below
    from textdates.compare.words import shown_by  # noqa: PLC0415 - many builds need neither

    gone, come = changed_blocks(old, new, start, end, is_rest=is_rest)
    if not budget.take("compared", max(len(gone), len(come))):
        return False
    if not has_same_words:
        ids = set(re.findall(_NAME, gone + come)).difference(re.findall(_DEFINED, new))
        gone = _by_id(gone, ids)
        come = _by_id(come, ids)
    before = pieces_of(gone, is_rest=was_rest, is_myst=is_myst)
    after = pieces_of(come, is_rest=is_rest, is_myst=is_myst)
    if has_same_words:
        return list(before) == list(after)
    shown_before = chain.from_iterable(shown_by(before, old, is_rest=was_rest))
    shown_after = chain.from_iterable(shown_by(after, new, is_rest=is_rest))
    for one, other in zip_longest(shown_before, shown_after):
        if one != other:
            return False
    return not _resolves(gone, come) and not _resolves(come, gone)


def _with_html_comments(text: str) -> str:
    """Return a text with the comments of HTML in place of those of MDX."""
    return text.replace("{/*", "<!--").replace("*/}", "-->")


def _by_id(text: str, ids: Collection[str]) -> str:
    """Return a text whose links to some ids do not name their pages."""

    def shorter(link: re.Match[str]) -> str:
        return f"][{link[1]}]" if link[1] in ids else link[0]

    return re.sub(_TO_ID, shorter, text)


def _resolves(old: str, new: str) -> bool:
    """Return whether a link that stays as it is written has got the suffix of a source."""
    gone = _links(old, _AS_WRITTEN) - _links(new, _AS_WRITTEN)
    come = _links(new, _TO_SOURCE) - _links(old, _TO_SOURCE)
    return not gone.isdisjoint(come)


def _links(text: str, end: str) -> set[str]:
    return set(re.findall(_LINK + end, text))


def _same_lines(old: str, new: str) -> tuple[int, int]:
    """Return the sizes of the lines that are the same at the start, and at the end."""
    same = _same_size(old, new)
    start = old.rfind("\n", 0, same) + 1
    above = max(start - 1, 0)  # what is the same from the start is not so from the end, too
    same = _same_size(old[above:][::-1], new[above:][::-1])
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
