"""Text in XML: what XML cannot hold is taken out, what it must not hold as it is, is escaped."""

from __future__ import annotations

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
