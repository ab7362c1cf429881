"""Facts read from a rendered page: may it be indexed, and is it the real one.

Only the head is read and parsed, so a page costs tens of microseconds whatever its size. HTML is
hostile input: the parser is a browser-grade one that never raises on markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser

if TYPE_CHECKING:
    from pathlib import Path

_FIRST_READ = 16 * 1024
_LONGEST_HEAD = 512 * 1024
_HEAD_ENDS = re.compile(rb"</head\b|<body\b", re.IGNORECASE)
_TELLS_SOMETHING = re.compile(
    rb"canonical|http-equiv|robots|bot\b|slurp|yandex|baidu", re.IGNORECASE
)

ENGINES = frozenset(
    {
        *("robots", "googlebot", "bingbot", "msnbot", "slurp", "duckduckbot", "baiduspider"),
        *("yandex", "yandexbot", "seznambot", "naverbot", "yeti", "applebot", "petalbot"),
    }
)
"""Names of `<meta>` elements that tell all search engines, or one of them, what to do."""


class Head(NamedTuple):
    """What the head of a rendered page says to search engines."""

    noindex: bool = False
    """A robots meta element says `noindex` or `none`, to all engines or to one."""

    canonical: str | None = None
    """Target of `<link rel=canonical>`, as written."""

    refresh: str | None = None
    """Target of a `<meta http-equiv=refresh>` that leads to another address, as written."""


NOTHING = Head()


def read_head(file: Path) -> Head:
    """Read the facts of the HTML file's head. Raises OSError if the file cannot be read."""
    with file.open("rb") as stream:
        data = stream.read(_FIRST_READ)
        while not _HEAD_ENDS.search(data) and len(data) < _LONGEST_HEAD:
            more = stream.read(4 * _FIRST_READ)
            if not more:
                break
            data += more
    return parse_head(data)


def parse_head(html: bytes | str) -> Head:
    """Return the facts of the head of a page's HTML; the rest of the page is not looked at."""
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    end = _HEAD_ENDS.search(data)
    head = data[: end.start()] if end else data[:_LONGEST_HEAD]
    if not _TELLS_SOMETHING.search(head):
        return NOTHING
    elements = LexborHTMLParser(head).css("head meta, head link")
    return _facts([(element.tag or "", element.attributes) for element in elements])


def _facts(elements: list[tuple[str, dict[str, str | None]]]) -> Head:
    noindex, canonical, refresh = False, None, None
    for tag, attributes in elements:
        content = attributes.get("content") or ""
        if tag == "link" and canonical is None and "canonical" in _words(attributes.get("rel")):
            canonical = attributes.get("href") or None
        elif (attributes.get("name") or "").strip().lower() in ENGINES:
            noindex = noindex or says_noindex(content)
        elif (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            refresh = refresh or _refresh_target(content)
    return Head(noindex, canonical, refresh)


def says_noindex(content: str) -> bool:
    """Tell whether the content of a robots meta element forbids indexing, in any spelling."""
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,;]+", content.strip().lower()))


def _words(value: str | None) -> list[str]:
    return (value or "").lower().split()


def _refresh_target(content: str) -> str | None:
    """`5; url=/new/` leads to `/new/`; a plain number only reloads the page (HTML, 4.2.5.3)."""
    _, _, rest = content.replace(",", ";", 1).partition(";")
    target = re.sub(r"^\s*url\s*=\s*", "", rest, flags=re.IGNORECASE).strip().strip("'\"")
    return target or None
