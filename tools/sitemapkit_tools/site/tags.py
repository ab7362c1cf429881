"""The elements of a page's head, found in linear time.

A parser builds a tree of a head of which three or four elements matter, and costs many times more.
The head is cut at each `<`; what begins like a tag is one, unless a comment, script, style or
template is open. A tag goes on over a `<` in its quotes; one whose quotes do not close soon is no
tag.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

Attributes = dict[str, str | None]

_OPEN_TO = {
    b"script": b"/script",
    b"style": b"/style",
    b"template": b"/template",
    b"title": b"/title",
}
"""What is no markup until its end comes."""

_WHOLE = re.compile(rb"(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_LONGEST = 30
"""Pieces over which a tag may go on."""

_ATTRIBUTE = re.compile(rb"([^\s\"'<>/=]+)(?:\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_TELLING = {
    b"html": re.compile(rb"lang"),
    b"link": re.compile(rb"canonical|hreflang"),
    b"meta": re.compile(
        rb"robots|bot|http-equiv|slurp|yandex|yeti|baidu"
        rb"|date|modified|published|revised|lastmod|issued|created"
    ),
}
"""What stands in an element that matters; others are not taken apart."""

_NAMES = {name[:4]: name for name in (*_OPEN_TO, *_TELLING)}
_AFTER_NAME = re.compile(rb"[\s/>]|$")


class Tags(NamedTuple):
    """What was found in a head."""

    title: str
    elements: list[tuple[str, Attributes]]
    """The tag of each element that may matter, and its attributes by lower-case name; None stands
    for the value of an attribute without one."""


def head_tags(head: bytes) -> Tags:
    """Return the title and the elements of a head that may matter."""
    pieces, lower = head.split(b"<"), head.lower().split(b"<")
    title: bytes | None = None
    elements: list[tuple[str, Attributes]] = []
    opened, end, beyond = 0, b"", 1
    for number, piece in enumerate(lower):
        if end:
            if _ends(piece, end):
                if end == b"/title" and title is None:
                    title = b"<".join(pieces[opened:number]).partition(b">")[2]
                end = b""
            continue
        name = _NAMES.get(piece[:4])
        if name is None:
            end = b"-->" if piece.startswith(b"!--") and b"-->" not in piece[1:] else b""
        elif number < beyond or not _is_tag(name, piece):
            continue
        elif name in _OPEN_TO:
            opened, end = number, _OPEN_TO[name]
        elif _goes_on(piece) or _TELLING[name].search(piece):
            text, beyond = _whole(pieces, number)
            if text and _TELLING[name].search(text.lower()):
                elements.append((name.decode(), _attributes(text[len(name) : -1])))
    return Tags(" ".join(_text(title or b"").split()), elements)


def _ends(piece: bytes, end: bytes) -> bool:
    return end in piece if end == b"-->" else piece.startswith(end)


def _is_tag(name: bytes, piece: bytes) -> bool:
    """`<link-card>` is no `<link>`."""
    return piece.startswith(name) and bool(_AFTER_NAME.match(piece, len(name)))


def _goes_on(piece: bytes) -> bool:
    """Tell whether quotes in a tag may be open at the `<` that ends its piece."""
    return b">" not in piece or piece.count(b'"') % 2 == 1 or piece.count(b"'") % 2 == 1


def _whole(pieces: list[bytes], number: int) -> tuple[bytes, int]:
    """Return the tag that begins at a piece, and the piece beyond it; b"" if it does not end."""
    for beyond in range(number + 1, min(number + _LONGEST, len(pieces)) + 1):
        if whole := _WHOLE.match(b"<".join(pieces[number:beyond])):
            return whole[0], beyond
    return b"", number + 1


def _attributes(text: bytes) -> Attributes:
    found: Attributes = {}
    for name, *values in _ATTRIBUTE.findall(text):
        value = next((_text(each) for each in values if each), None)
        found.setdefault(name.decode("utf-8", "replace").lower(), value)
    return found


def _text(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return unescape(text) if "&" in text else text
