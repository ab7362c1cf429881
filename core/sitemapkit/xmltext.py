"""Text in XML: what XML cannot hold is taken out, what it must not hold as it is, is escaped."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CONTROLS = set(range(0x20)) - set(map(ord, "\t\n\r"))
_SURROGATES = range(0xD800, 0xE000)
_ILLEGAL = dict.fromkeys([*_CONTROLS, *_SURROGATES, 0xFFFE, 0xFFFF])
"""What is not XML 1.0's Char (rule D5)."""

_ESCAPES = _ILLEGAL | str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&apos;",
        "\n": " ",
        "\r": " ",
    }
)
"""Line ends become blanks: an entry stays on one line, and some readers know no `&#10;`."""


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
URLSET_FOOT = b"</urlset>\n"


class Namespace(Struct, frozen=True, order=True):
    """The XML namespace of an extension."""

    prefix: str
    url: str

    @property
    def declaration(self) -> str:
        """The attribute of `<urlset>` that declares it."""
        return f' xmlns:{self.prefix}="{self.url}"'

    @property
    def tag(self) -> bytes:
        """How each of its elements begins."""
        return b"<%b:" % self.prefix.encode()


def legal(text: str) -> str:
    """Return the text without the characters that no XML document may hold (rule D5)."""
    return text.translate(_ILLEGAL)


def escaped(text: str) -> str:
    """Return the text as it stands in an element or attribute (rules D4 and D5)."""
    return text.translate(_ESCAPES)


def element(name: str, value: object) -> str:
    """Return an element with text; booleans are `yes` and `no`, as the extensions spell them."""
    text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
    return f"<{name}>{escaped(text)}</{name}>"


def urlset_head(marker: str, namespaces: Iterable[Namespace]) -> bytes:
    """Return what stands before the entries; no namespace is declared but those used (D8)."""
    declared = "".join(namespace.declaration for namespace in sorted(namespaces))
    return f'{DECLARATION}{marker}\n<urlset xmlns="{SITEMAP}"{declared}>\n'.encode()


_PIECES = 3


def framed(starts: Sequence[str], texts: Sequence[str], end: str) -> list[str]:
    """Return three pieces for each text, which are empty where its start or itself is.

    Pieces are joined once, with all the rest of a batch: to make each element a text of its own
    would copy each URL once more, for half the time of it all.
    """
    pieces = [end] * (_PIECES * len(texts))
    pieces[0::_PIECES] = starts
    pieces[1::_PIECES] = texts
    if not (all(texts) and all(starts)):
        for at in range(0, len(pieces), _PIECES):
            if not (pieces[at] and pieces[at + 1]):
                pieces[at : at + _PIECES] = [""] * _PIECES
    return pieces


def shared_out(pieces: Sequence[str], items: Sequence[Sequence[object]]) -> Iterable[Sequence[str]]:
    """Give each entry the pieces of its items; all items have equally many."""
    if not pieces:
        return [()] * len(items)
    each = len(pieces) // sum(map(len, items))
    counts = [each * len(own) for own in items]
    if counts.count(counts[0]) == len(counts):  # as in most sites with languages
        return zip(*[iter(pieces)] * counts[0], strict=True)
    rest = iter(pieces)
    return [tuple(islice(rest, count)) for count in counts]
