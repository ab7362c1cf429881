"""Which entry goes into which file, so that adding or removing a page changes only one file.

A site that does not fit into one file is split by section. A section that does not fit is halved by
the leading bits of a hash of each URL's path, repeatedly and only where necessary: the files are
the leaves of a binary trie. So the content of a file depends only on the paths that belong there,
and its name never changes because of another file.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from hashlib import blake2b
from itertools import compress
from typing import TYPE_CHECKING, TypeVar

from sitemapkit.urls import section_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    PathOf = Callable[[int], str]
    Positions = array[int]  # in an eighth of the memory that a list takes

T = TypeVar("T")

MAX_SECTIONS = 1_000
"""A site with more sections is treated as one section: a folder for each post is no section."""

_TOP = "top"
_PLAIN = r"[a-z0-9._-]{1,64}"
_TAKEN = rf"{_TOP}|news|.*-(?:[01]+|x[0-9a-f]{{9}})"  # forms of other labels


def split(
    path_of: PathOf, count: int, rendered: Callable[[Positions], T | None]
) -> Iterator[tuple[str, T]]:
    """Yield the label and the content of each child file.

    `path_of` returns the path at a position: its URL below the base URL. Each comes once, sorted.
    `rendered` returns the entries at some positions, or None if they do not fit into a file; a
    single one always fits, or it raises OutputError.
    """
    for name, members in sorted(_sections(path_of, count).items()):
        for bits, leaf in _leaves(members, path_of, rendered):
            yield f"{name}-{bits}" if bits else name, leaf


def section_label(section: str) -> str:
    """Return the unique label of a section in file names, in lower-case ASCII.

    Lower-case, since `Api` and `api` are the same file in many file systems.
    """
    if not section:
        return _TOP
    if re.fullmatch(_PLAIN, section) and not re.fullmatch(_TAKEN, section):
        return section
    slug = re.sub(r"[^a-z0-9]+", "-", section.lower())[:40].strip("-")
    digest = blake2b(section.encode(), digest_size=5).hexdigest()[:9]
    return f"{slug or 'section'}-x{digest}"


def _sections(path_of: PathOf, count: int) -> dict[str, Positions]:
    sections: dict[str, Positions] = {}
    at = 0
    while at < count:
        path = path_of(at)
        section = section_of(path.partition("?")[0])
        # `a/?b` is at the top, between pages of `a`; "0" follows the slash.
        beyond = f"{section}/?" if path < f"{section}/?" else f"{section}0"
        end = bisect_left(range(count), beyond, at, key=path_of) if section else at + 1
        sections.setdefault(section_label(section), array("I")).extend(range(at, end))
        if len(sections) > MAX_SECTIONS:
            return {_TOP: array("I", range(count))}
        at = end
    return sections


def _leaves(
    members: Positions, path_of: PathOf, rendered: Callable[[Positions], T | None]
) -> Iterator[tuple[str, T]]:
    """Yield the bits of each leaf, and its content."""
    branches = [("", members, b"")]
    while branches:
        bits, branch, keys = branches.pop()
        if (leaf := rendered(branch)) is not None:
            yield bits, leaf
            continue
        at, place = divmod(len(bits), 8)
        if place == 0:  # the next byte of each hash
            keys = bytes([blake2b(path_of(i).encode(), digest_size=8).digest()[at] for i in branch])
        for bit in (1, 0):  # the last one is next
            is_own = bytes((byte >> 7 - place & 1) == bit for byte in range(256))
            others = bytes(byte for byte in range(256) if not is_own[byte])
            if half := keys.translate(None, others):
                own = array("I", compress(branch, keys.translate(is_own)))
                branches.append((f"{bits}{bit}", own, half))
