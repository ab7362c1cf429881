"""The line that decided: of a page's head, or of the metadata in its source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sitemapkit import Reason
from sitemapkit_tools.bounds import MAX_PAGE
from textdates.bounds import is_file, read_file

if TYPE_CHECKING:
    from pathlib import Path


class Line(NamedTuple):
    """A line of a file."""

    number: int
    text: str


_ELEMENTS = {
    Reason.NOINDEX: r"<meta\b(?=[^<>]*+>)[^<>]*\b(?:noindex|none|unavailable_after)\b[^<>]*>",
    Reason.REDIRECT: r"<meta\b(?=[^<>]*+>)[^<>]*\brefresh\b[^<>]*>",
    Reason.CANONICAL: r"<link\b(?=[^<>]*+>)[^<>]*\bcanonical\b[^<>]*>",
}
"""What the head of a page has, for each reason that the head gives; an element has an end."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def head_line(page: Path, reason: str) -> Line | None:
    """Return the element in the head of a built page that is the reason why it is not listed."""
    wanted = next((each for name, each in _ELEMENTS.items() if name == reason), None)
    if not wanted or not is_file(page):
        return None
    text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), _read(page))
    found = re.search(wanted, text, re.IGNORECASE)
    if not found:
        return None
    return Line(text.count("\n", 0, found.start()) + 1, " ".join(found[0].split()))


def metadata_line(source: Path, key: str) -> Line | None:
    """Return the line of a source that states a key; `key` may be several of them, with `|`."""
    wanted = re.compile(rf"\W*(?:sitemap[-_.:])?(?:{key})\s*:", re.IGNORECASE)
    lines = enumerate(_read(source).split("\n"), 1) if is_file(source) else ()
    return next((Line(number, line.strip()) for number, line in lines if wanted.match(line)), None)


def _read(file: Path) -> str:
    return read_file(file, MAX_PAGE, cut=True).decode("utf-8", "replace")
