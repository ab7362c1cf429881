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
from itertools import compress, groupby
from typing import TYPE_CHECKING

from sitemapkit.errors import OutputError
from sitemapkit.urls import section_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitemapkit.layout import Limits

    PathOf = Callable[[int], str]
    Positions = array[int]  # in an eighth of the memory that a list takes

MAX_SECTIONS = 1_000
"""A site with more sections is treated as one section: a folder for each post is no section."""

_TOP = "top"
_PLAIN = r"[a-z0-9._-]{1,64}"
_TAKEN = rf"{_TOP}|news|.*-(?:[01]+|x[0-9a-f]{{9}})"  # forms of other labels


def split(path_of: PathOf, sizes: Sequence[int], limits: Limits) -> dict[str, Positions]:
    """Return the positions of the entries of each child file, by its label, in order.

    `sizes` are the bytes of each entry, and `path_of` returns the path at a position: its URL below
    the base URL, which no other has. Raises OutputError if an entry does not fit into a file.
    """
    largest = max(sizes, default=0)
    if largest > limits.size:
        raise too_large(path_of(sizes.index(largest)), largest)
    labelled: dict[str, Positions] = {}
    for name, members in _sections(path_of, len(sizes)).items():
        for bits, leaf in _leaves(members, path_of, sizes, limits):
            labelled[f"{name}-{bits}" if bits else name] = leaf
    return dict(sorted(labelled.items()))


def too_large(url: str, size: int) -> OutputError:
    """Return the error for an entry that does not fit into a file."""
    return OutputError(
        f"the entry of {url!r} has {size:,} bytes and does not fit into a file of `max_bytes`;"
        " raise that option or list fewer images of the page"
    )


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

    def section_at(position: int) -> str:
        return section_of(path_of(position).partition("?")[0])

    for section, members in groupby(range(count), section_at):
        sections.setdefault(section, array("I")).extend(members)
    if len(sections) > MAX_SECTIONS:
        return {_TOP: array("I", range(count))}
    labelled: dict[str, Positions] = {}
    for name, positions in sections.items():
        labelled.setdefault(section_label(name), array("I")).extend(positions)
    return labelled


def _leaves(
    members: Positions, path_of: PathOf, sizes: Sequence[int], limits: Limits
) -> Iterator[tuple[str, Positions]]:
    """Yield the bits of each leaf, and its members in their order."""
    branches = [("", members, array("Q"))]
    while branches:
        bits, branch, hashes = branches.pop()
        if limits.fit(len(branch), sum(map(sizes.__getitem__, branch))):
            yield bits, branch
            continue
        for position in () if hashes else branch:
            hashes.frombytes(blake2b(path_of(position).encode(), digest_size=8).digest())
        at, place = divmod(len(bits), 8)
        column = hashes.tobytes()[at :: hashes.itemsize]  # that byte of each
        for bit in (0, 1):
            half = column.translate(bytes((byte >> 7 - place & 1) == bit for byte in range(256)))
            if any(half):
                own = array("I", compress(branch, half))
                branches.append((f"{bits}{bit}", own, array("Q", compress(hashes, half))))
