"""Which entry goes into which file, so that adding or removing a page changes only one file.

A site that does not fit into one file is split by section. A section that does not fit is halved by
the leading bits of a hash of each URL's path, repeatedly and only where necessary: the files are
the leaves of a binary trie. So the content of a file depends only on the paths that belong there,
and its name never changes because of another file.
"""

from __future__ import annotations

import re
from array import array
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

from sitemapkit.urls import section_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

E = TypeVar("E")
C = TypeVar("C")

MAX_SECTIONS = 1_000
"""A site with more sections is treated as one section: a folder for each post is no section."""

_TOP = "top"
_PLAIN = r"[a-z0-9._-]{1,64}"
_TAKEN = rf"{_TOP}|news|.*-(?:[01]+|x[0-9a-f]{{9}})"  # forms of other labels
_BITS = 64  # of a hash


def split(
    entries: Sequence[E], path_of: Callable[[E], str], content: Callable[[Sequence[E]], C | None]
) -> Iterator[tuple[str, C]]:
    """Yield the label and the content of each child file.

    `path_of` returns the URL of an entry below the base URL; no two have the same. `content`
    returns that of a file of some entries, in their order, or None if they do not fit into one; a
    single entry always fits, or it raises OutputError.
    """
    for label, members in sorted(_sections(entries, path_of).items()):
        whole = content(members)
        if whole is not None:
            yield label, whole
            continue
        keys = array("Q")  # eight bytes each: there may be millions
        for each in members:
            hashed = blake2b(path_of(each).encode(), digest_size=_BITS // 8)
            keys.append(int.from_bytes(hashed.digest(), "big"))
        for bits, leaf in _leaves(members, keys, content, ""):
            yield f"{label}-{bits}", leaf


def section_label(section: str) -> str:
    """Return the unique label of a section in file names, in lower-case ASCII.

    Lower-case, since `Api` and `api` are the same file in many file systems.
    """
    if not section:
        return _TOP
    if re.fullmatch(_PLAIN, section) and not re.fullmatch(_TAKEN, section):
        return section
    slug = re.sub(r"[^a-z0-9]+", "-", section.lower())
    digest = blake2b(section.encode(), digest_size=5).hexdigest()
    return f"{slug[:40].strip('-') or 'section'}-x{digest[:9]}"


def _sections(entries: Sequence[E], path_of: Callable[[E], str]) -> dict[str, Sequence[E]]:
    """Return the entries by the labels of their sections."""
    sections: dict[str, list[E]] = {}
    for entry in entries:
        path, _, _ = path_of(entry).partition("?")
        sections.setdefault(section_of(path), []).append(entry)
        if len(sections) > MAX_SECTIONS:
            return {_TOP: entries}
    return {section_label(section): own for section, own in sections.items()}


def _leaves(
    members: Sequence[E], keys: array[int], content: Callable[[Sequence[E]], C | None], bits: str
) -> Iterator[tuple[str, C]]:
    """Yield the bits and the content of each leaf below the node with these bits."""
    place = _BITS - 1 - len(bits)
    for bit in (0, 1):
        half: list[E] = []
        keys_of_half = array("Q")
        for member, key in zip(members, keys, strict=True):
            if key >> place & 1 == bit:
                half.append(member)
                keys_of_half.append(key)
        if not half:
            continue
        leaf = content(half)
        if leaf is None:
            yield from _leaves(half, keys_of_half, content, f"{bits}{bit}")
        else:
            yield f"{bits}{bit}", leaf
