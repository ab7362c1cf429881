"""Whether two versions of a source file are the same to a reader of the page.

Front matter, line endings and reflowed lines do not count; in a message catalog, only the
translations do. White space counts where readers see it: in code, and where it makes a paragraph, a
list or the text of an admonition. Markup alone does not count: if words differ, only the words,
images and link targets are compared.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import chain, starmap, zip_longest
from operator import eq
from typing import TYPE_CHECKING

from sitemapkit.lastmod.front_matter import front_matter

if TYPE_CHECKING:
    from sitemapkit.model import Cut

_MYST = r"(?m)^\s*[`~:]{3,}\{[a-z]|^\([^\s()]+\)=$|(?:^|[\s(])\{[a-z:+-]+\}`[\w<~!/]"
"""A sign that Markdown is MyST: a directive, the label of a section or a role."""

MAX_TEXT = 2 * 1024 * 1024
"""Maximum size of texts to compare; any change of a larger file counts."""

MAX_LINES = 50_000
"""The same in lines, which use the memory."""

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx")
_REST = (".rst", ".rest")
_PLAIN = ("", ".txt", ".inc", ".html", ".htm", ".xhtml", ".xml", ".po", ".ipynb")
"""Suffixes of files without meaningful white space; in code it counts."""

_TRANSLATION = r'(?m)^#,.*\bfuzzy\b.*\n(?:[#m].*\n)*|^msgid ".+"\nmsgstr "(.+)"$'
"""A message of a catalog, each of its strings in one piece; without a text where it is fuzzy."""

_PUNCTUATION = str.maketrans("", "", " ,.;?!'()/-")
"""Removes what a line of prose has beside letters and digits."""

_HIDING = (("<!--", "<s", "```{", ":::{"), ("..",))
"""What may hide prose in Markdown (comments, scripts, styles, some directives of MyST) and in
reStructuredText (comments, directives)."""


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
    return len(text) > MAX_LINES and (len(text) > MAX_TEXT or text.count(b"\n") > MAX_LINES)


def _decoded(text: bytes) -> str:
    text = text.replace(b"\r\n", b"\n") if b"\r" in text else text  # to look for one is faster
    return text.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _body(source: str, suffix: str) -> str:
    if suffix == ".po":  # all else in it is not shown
        return "\n".join(sorted(re.findall(_TRANSLATION, source.replace('"\n"', ""))))
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
    if (before := before.rstrip()) == (after := after.rstrip()):
        return True
    if suffix in _PLAIN:
        return before.split() == after.split()
    if suffix not in (*_MARKDOWN, *_REST):
        return list(map(str.rstrip, before.split("\n"))) == list(map(str.rstrip, after.split("\n")))
    return _shows_the_same(before, after, is_rest=suffix in _REST)


def _shows_the_same(old: str, new: str, *, is_rest: bool) -> bool:
    start, end = _same_lines(old, new)
    changed = old[start : len(old) - end], new[start : len(new) - end]
    has_same_words = eq(*map(str.split, changed))
    may_be_hidden = any(new.find(mark, 0, len(new) - end) >= 0 for mark in _HIDING[is_rest])
    if not (has_same_words or may_be_hidden) and _is_prose("\n".join(changed)):  # as mostly
        return False
    from sitemapkit.lastmod.blocks import changed_blocks, pieces_of  # noqa: PLC0415 - as below
    from sitemapkit.lastmod.words import shown_by  # noqa: PLC0415 - many builds need neither

    is_myst = has_same_words and not is_rest and bool(re.search(_MYST, new))
    old, new = changed_blocks(old, new, start, end, is_rest=is_rest)
    before, after = (pieces_of(text, is_rest=is_rest, is_myst=is_myst) for text in (old, new))
    if has_same_words:
        return list(before) == list(after)
    shown = (shown_by(pieces, is_rest=is_rest) for pieces in (before, after))
    return all(starmap(eq, zip_longest(*map(chain.from_iterable, shown))))


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
