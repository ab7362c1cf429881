"""Which entry goes to which file, so that one page more or less changes one file and moves none.

A site that does not fit one file is cut by section; a section that does not fit is halved by the
leading bits of a hash of each URL's path, as often as it takes, and only where it takes it. So a
file's name depends on what is in it alone, never on what is in the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from sitemapkit.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SECTIONS = 1_000
"""With more sections than this the site is taken as one: a folder per post is not a section."""

_TOP = "top"
_PLAIN = re.compile(r"[a-z0-9._-]{1,64}")
_AMBIGUOUS = re.compile(r"top|.*-(?:[01]+|x[0-9a-f]{9})")


@dataclass(frozen=True, slots=True)
class Limits:
    """How many URLs and bytes of `<url>` elements a file may hold."""

    urls: int
    size: int


@dataclass(frozen=True, slots=True)
class Item:
    """One entry as the splitter sees it: its URL below the base URL, and its size in bytes."""

    path: str
    size: int


def split(items: Sequence[Item], limits: Limits) -> dict[str, list[int]]:
    """Return the label of each child file and the positions of its items, both in order.

    One file that holds everything has the label "". Raises OutputError for an item that fits
    no file.
    """
    everything = list(range(len(items)))
    if _fits(everything, items, limits):
        return {"": everything}
    shards: dict[str, list[int]] = {}
    for label, members in _sections(items).items():
        _halve(label, members, items, limits, shards)
    return dict(sorted(shards.items()))


def label(section: str) -> str:
    """Return what stands for a section in file names: unique, lower-case, ASCII."""
    if not section:
        return _TOP
    if _PLAIN.fullmatch(section) and not _AMBIGUOUS.fullmatch(section):
        return section
    slug = re.sub(r"[^a-z0-9]+", "-", section.lower())[:40].strip("-")
    digest = blake2b(section.encode(), digest_size=5).hexdigest()[:9]
    return f"{slug or 'section'}-x{digest}"


def section(path: str) -> str:
    """Return the first segment of a path below the base URL, or "" for a top-level page."""
    first, _, rest = path.partition("?")[0].partition("/")
    return first if rest else ""


def _sections(items: Sequence[Item]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        found.setdefault(section(item.path), []).append(position)
    if len(found) > MAX_SECTIONS:
        return {_TOP: list(range(len(items)))}
    labelled: dict[str, list[int]] = {}
    for name, members in found.items():
        labelled.setdefault(label(name), []).extend(members)
    return labelled


def _halve(
    name: str,
    members: list[int],
    items: Sequence[Item],
    limits: Limits,
    shards: dict[str, list[int]],
    bits: str = "",
) -> None:
    if _fits(members, items, limits):
        shards[f"{name}-{bits}" if bits else name] = members
        return
    if len(members) == 1:
        raise OutputError(
            f"the entry of {items[members[0]].path!r} alone has {items[members[0]].size:,} bytes;"
            f" a file may hold {limits.size:,}. Raise max_bytes or list fewer images."
        )
    halves: tuple[list[int], list[int]] = ([], [])
    for position in members:
        halves[_bit(items[position].path, len(bits))].append(position)
    for bit, half in zip("01", halves, strict=True):
        if half:
            _halve(name, half, items, limits, shards, bits + bit)


def _bit(path: str, depth: int) -> int:
    digest = blake2b(path.encode(), digest_size=16).digest()
    return digest[depth // 8] >> (7 - depth % 8) & 1


def _fits(members: Sequence[int], items: Sequence[Item], limits: Limits) -> bool:
    return (
        len(members) <= limits.urls
        and sum(items[position].size for position in members) <= limits.size
    )
