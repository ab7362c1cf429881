"""Whether two versions of a source file are the same to a reader of the page.

Front matter, line endings and reflowed lines do not count. White space counts where readers see it:
in code, and where it makes a paragraph, a list or the text of an admonition. Markup alone does not
count: if words differ, only the words, images and link targets are compared.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import starmap, takewhile, zip_longest
from operator import eq
from typing import TYPE_CHECKING

from sitemapkit.lastmod.front_matter import front_matter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapkit.model import Cut

MAX_TEXT = 2 * 1024 * 1024
"""Maximum size of texts to compare; any change of a larger file counts."""

MAX_LINES = 50_000
"""The same in lines, which use the memory."""

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx")
_REST = (".rst", ".rest")
_PLAIN = ("", ".txt", ".inc", ".html", ".htm", ".xhtml", ".xml", ".po", ".ipynb")
"""Suffixes of files without meaningful white space; in code it counts."""

_PUNCTUATION = str.maketrans("", "", " ,.;?!'()/-")
"""Removes what a line of prose has beside letters and digits."""

_HIDING = (("<!--", "<s", "```{", ":::{"), ("<", ".."))
"""What may hide prose in Markdown (comments, scripts, styles, some directives of MyST) and in
reStructuredText (comments, directives, link targets)."""


def is_same_text(old: bytes, new: bytes, name: bytes, cut: Cut | None = None) -> bool:
    """Return whether two versions of the file `name`, or a part, are the same to a reader."""
    if any(map(_is_too_large, (old, new))) or b"\0" in old:
        return False
    suffix = name[name.rfind(b".") :].decode("ascii", "replace").lower()
    before, after = (_decoded(text) for text in (old, new))
    if cut:
        with suppress(ValueError, SyntaxError):  # what cannot be cut counts whole
            return _is_same_part(before, after, suffix, cut)
    return _says_the_same(_body(before, suffix), _body(after, suffix), suffix)


def _is_too_large(text: bytes) -> bool:
    size = len(text)
    return size > MAX_LINES and (size > MAX_TEXT or text.count(b"\n") > MAX_LINES)


def _decoded(text: bytes) -> str:
    source = text.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    return source.replace("\r\n", "\n") if b"\r" in text else source


def _body(source: str, suffix: str) -> str:
    start, end = front_matter(source, is_rest=suffix in _REST)
    return source[:start] + source[end:]


def _is_same_part(old: str, new: str, suffix: str, cut: Cut) -> bool:
    before, after = cut(old), cut(new)
    if after is None:
        return _says_the_same(old, new, suffix)
    if before is None:  # the markers were not there yet, but perhaps the words were
        return f" {' '.join(after.split())} " in f" {' '.join(old.split())} "
    return _says_the_same(before, after, suffix)


def _says_the_same(before: str, after: str, suffix: str) -> bool:
    if before == after:
        return True
    if suffix in _PLAIN:
        return before.split() == after.split()
    if suffix not in (*_MARKDOWN, *_REST):
        return list(map(str.rstrip, before.split("\n"))) == list(map(str.rstrip, after.split("\n")))
    return _shows_the_same(before.split("\n"), after.split("\n"), is_rest=suffix in _REST)


def _shows_the_same(old: list[str], new: list[str], *, is_rest: bool) -> bool:
    start = _common_lines(old, new)
    end = _common_lines(old[start:][::-1], new[start:][::-1])
    is_new_prose = _is_new_prose(old[start : len(old) - end], new[start : len(new) - end])
    if is_new_prose and not _may_hide(new, is_rest=is_rest):  # as in most changes
        return False
    from sitemapkit.lastmod.blocks import changed_blocks, pieces_of  # noqa: PLC0415 - as below

    old, new = changed_blocks(old, new, start, end, is_rest=is_rest)
    if is_new_prose and not _may_hide(new, is_rest=is_rest):
        return False
    from sitemapkit.lastmod.words import shown_by  # noqa: PLC0415 - few changes need it

    before, after = (pieces_of(lines, is_rest=is_rest) for lines in (old, new))
    if "\n".join(old).split() == "\n".join(new).split():
        return list(before) == list(after)
    shown = zip_longest(*(shown_by(pieces, is_rest=is_rest) for pieces in (before, after)))
    return all(starmap(eq, shown))


def _common_lines(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many lines are the same at the start."""
    return sum(takewhile(bool, map(eq, old, new)))


def _is_new_prose(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether words of prose changed: then nothing else needs to be compared."""
    is_prose = all(map(_is_prose, [*old, *new]))
    return is_prose and " ".join(old).split() != " ".join(new).split()


def _is_prose(line: str) -> bool:
    """Return whether a line has no markup."""
    text = line.strip(" ")
    return not text or (text[0].isalpha() and text.translate(_PUNCTUATION).isalnum())


def _may_hide(lines: Sequence[str], *, is_rest: bool) -> bool:
    text = "\n".join(lines)
    return any(mark in text for mark in _HIDING[is_rest])
