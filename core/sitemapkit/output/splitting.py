"""Which entry goes into which file, so that adding or removing a page changes only one file.

A site that does not fit into one file is split by section. A section that does not fit is halved by
the leading bits of a hash of each URL's path, repeatedly and only where necessary: the files are
the leaves of a binary trie. So the content of a file depends only on the paths that belong there,
and its name never changes because of another file.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_SECTIONS = 1_000
"""A site with more sections is treated as one section: a folder for each post is no section."""

_TOP = "top"
_PLAIN = re.compile(r"[a-z0-9._-]{1,64}")
_TAKEN = re.compile(rf"{_TOP}|news|.*-(?:[01]+|x[0-9a-f]{{9}})")  # forms of other labels
_BITS = 64


class Limits(Struct, frozen=True):
    """How many URLs, and how many bytes of `<url>` elements, a file may contain."""

    urls: int
    size: int

    def fit(self, urls: int, size: int) -> bool:
        """Return whether entries of this number and size fit into one file."""
        return urls <= self.urls and size <= self.size


def split(paths: Sequence[str], sizes: Sequence[int], limits: Limits) -> dict[str, list[int]]:
    """Return the positions of the entries of each child file, by its label, in order.

    `paths` are the URLs below the base URL, without duplicates, `sizes` the bytes of each entry.
    Raises OutputError if an entry does not fit into a file.
    """
    largest = max(sizes, default=0)
    if largest > limits.size:
        raise too_large(paths[sizes.index(largest)], largest)
    labelled: dict[str, list[int]] = {}
    for name, members in _sections(paths).items():
        for bits, leaf in _leaves(members, paths, sizes, limits):
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
    if _PLAIN.fullmatch(section) and not _TAKEN.fullmatch(section):
        return section
    slug = re.sub(r"[^a-z0-9]+", "-", section.lower())[:40].strip("-")
    digest = blake2b(section.encode(), digest_size=5).hexdigest()[:9]
    return f"{slug or 'section'}-x{digest}"


def section_of(path: str) -> str:
    """Return the first segment of a path below the base URL, or "" for a top-level page."""
    first, _, rest = path.partition("?")[0].partition("/")
    return first if rest else ""


def _sections(paths: Sequence[str]) -> dict[str, list[int]]:
    sections: dict[str, list[int]] = {}
    for position, path in enumerate(paths):
        sections.setdefault(section_of(path), []).append(position)
    if len(sections) > MAX_SECTIONS:
        return {_TOP: list(range(len(paths)))}
    labelled: dict[str, list[int]] = {}
    for name, members in sections.items():
        labelled.setdefault(section_label(name), []).extend(members)
    return labelled


def _leaves(
    members: list[int], paths: Sequence[str], sizes: Sequence[int], limits: Limits
) -> Iterator[tuple[str, list[int]]]:
    """Yield the bits of each leaf, and its members in their order."""
    hashes: dict[int, int] = {}
    branches = [("", members)]
    while branches:
        bits, branch = branches.pop()
        if limits.fit(len(branch), sum(sizes[i] for i in branch)):
            yield bits, branch
            continue
        hashes = hashes or {i: _hash(paths[i]) for i in members}
        place = _BITS - 1 - len(bits)
        ones = [i for i in branch if hashes[i] >> place & 1]
        zeros = [i for i in branch if not hashes[i] >> place & 1]
        branches += [(f"{bits}{bit}", half) for bit, half in ((0, zeros), (1, ones)) if half]


def _hash(path: str) -> int:
    return int.from_bytes(blake2b(path.encode(), digest_size=_BITS // 8).digest())
