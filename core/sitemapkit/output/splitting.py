"""Which entry goes to which file, so that one page more or less changes one file and moves none.

A site that does not fit one file is cut by section. A section that does not fit is halved by the
leading bits of a hash of each URL's path, as often as it takes, and only where it takes it: the
files are the leaves of a binary trie. So what a file holds depends on nothing but the paths that
belong there, and its name never changes because of another file.
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
"""With more sections than this the site is taken as one: a folder a post is not a section."""

_TOP = "top"
_PLAIN = re.compile(r"[a-z0-9._-]{1,64}")
_TAKEN = re.compile(rf"{_TOP}|news|.*-(?:[01]+|x[0-9a-f]{{9}})")  # other labels look like these
_BITS = 64


class Limits(Struct, frozen=True):
    """How many URLs, and how many bytes of `<url>` elements, a file may hold."""

    urls: int
    size: int

    def fit(self, urls: int, size: int) -> bool:
        """Tell whether so much fits one file."""
        return urls <= self.urls and size <= self.size


def split(paths: Sequence[str], sizes: Sequence[int], limits: Limits) -> dict[str, list[int]]:
    """Return the label of each child file, in order, and the positions of its entries.

    `paths` are the URLs below the base URL, all different, `sizes` the bytes of each entry.
    Raises OutputError if an entry fits no file.
    """
    _check_sizes(paths, sizes, limits)
    shards: dict[str, list[int]] = {}
    for name, members in _sections(paths).items():
        for bits, leaf in _leaves(members, paths, sizes, limits):
            shards[f"{name}-{bits}" if bits else name] = leaf
    return dict(sorted(shards.items()))


def section_label(section: str) -> str:
    """Return what stands for a section in file names: lower-case ASCII, and for no other section.

    Lower-case, since `Api` and `api` are one file to many file systems.
    """
    if not section:
        return _TOP
    if _PLAIN.fullmatch(section) and not _TAKEN.fullmatch(section):
        return section
    slug = re.sub(r"[^a-z0-9]+", "-", section.lower())[:40].strip("-")
    digest = blake2b(section.encode(), digest_size=5).hexdigest()[:9]
    return f"{slug or 'section'}-x{digest}"


def section_of(path: str) -> str:
    """Return the first segment of a path below the base URL; "" for a page at the top."""
    first, _, rest = path.partition("?")[0].partition("/")
    return first if rest else ""


def _check_sizes(paths: Sequence[str], sizes: Sequence[int], limits: Limits) -> None:
    largest = max(sizes, default=0)
    if largest > limits.size:
        raise OutputError(
            f"the entry of {paths[sizes.index(largest)]!r} has {largest:,} bytes and fits no file"
            " of `max_bytes`; raise that option or list fewer images of the page"
        )


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
    """Yield the bits that lead to each leaf, and its members in their order."""
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
