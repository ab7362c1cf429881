"""Indentation, for people who read the XML.

An entry stays one line until it is written: its size, and the places to cut, are found at the
newlines. Where its line is to break stands a byte that no XML document holds, so sizes are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from sitemapkit.output.xml import Rendered

_BREAK = b"\v"


def indented(rendered: Rendered, spaces: int) -> Rendered:
    """Return the entries with so many spaces a level before each element; 0 changes nothing."""
    if not spaces:
        return rendered
    lines = rendered.data.splitlines(keepends=True)
    return replace(rendered, data=b"".join([_spread(line, spaces) for line in lines]))


def broken(head: bytes, data: bytes) -> tuple[bytes, bytes]:
    """Return a head, and indented entries, as they are written.

    The comment after the declaration joins its line, so that depth begins at the second line.
    """
    return head.replace(b"\n", b"", 1), data.replace(_BREAK, b"\n")


def _spread(entry: bytes, spaces: int) -> bytes:
    level, tags = 1, list[bytes]()
    for tag in entry.removeprefix(b"<").split(b"><"):  # text holds neither of the two
        is_end = tag.startswith(b"/")
        level -= is_end
        tags.append(b" " * (spaces * level) + b"<" + tag)
        level += not (is_end or b"</" in tag or tag.endswith(b"/"))
    return (b">" + _BREAK).join(tags)
