"""Text in XML: escaping, illegal characters, and markup that several modules share."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

_ILLEGAL = r"[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
"""A character outside XML 1.0's Char (rule D5)."""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}
_ESCAPES = str.maketrans({**_ENTITIES, "\n": " ", "\r": " "})
"""Line ends become spaces: an entry stays on one line, and some readers do not support `&#10;`."""

_LOC = "<loc>([^<]*)</loc>"

_LONG_NUMBER = re.compile("&#(?=[0-9]{9})0*+([0-9]{0,8})[0-9]*+")
"""The reference to a character by a number that Python may refuse to read, and its first digits."""

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


def legal(text: str) -> str:
    """Return the text without the characters that are illegal in XML (rule D5)."""
    if text.isprintable():
        return text
    return re.sub(_ILLEGAL, "", text)


def escaped(text: str) -> str:
    """Return the text as it is written in an element or attribute (rules D4 and D5)."""
    return legal(text).translate(_ESCAPES)


def escaped_url(url: str) -> str:
    """Return the same of a URL in normal form, in which only & and ' need escapes."""
    return url.replace("&", "&amp;").replace("'", "&apos;")


def element(name: str, value: object) -> str:
    """Return an element with text; booleans are written as `yes` and `no`."""
    text = str(value)
    if isinstance(value, bool):
        text = "yes" if value else "no"
    return f"<{name}>{escaped(text)}</{name}>"


def unescaped(text: str) -> str:
    """Return text with its references resolved; `html.unescape` raises for a very long number.

    Eight digits are enough: they name no character either.
    """
    return unescape(_LONG_NUMBER.sub(r"&#0\1", text))


def locs(xml: str) -> list[str]:
    """Return the text of each `<loc>` in a sitemap or index, without a full XML parser."""
    found: list[str] = []
    for text in re.findall(_LOC, xml):
        loc = unescaped(text.strip())
        if loc:
            found.append(loc)
    return found


def urlset_head(marker: str, namespaces: Iterable[Namespace]) -> bytes:
    """Return the text before the entries; only namespaces in use are declared (D8)."""
    declared = "".join(namespace.declaration for namespace in sorted(namespaces))
    return f'{DECLARATION}{marker}\n<urlset xmlns="{SITEMAP}"{declared}>\n'.encode()
