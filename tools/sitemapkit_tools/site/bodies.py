"""What the body of a page shows, to find those that show the same."""

from __future__ import annotations

import re
from hashlib import blake2b

from sitemapkit.xmltext import unescaped

_MAIN = tuple(re.compile(rb"(?i)<%b\b" % name) for name in (b"main", b"article", b"body"))
_THEME = re.compile(rb"(?i)<(?P<closing>/?)(?P<name>script|style|nav|header|footer)\b")
_TITLE = re.compile(rb"(?i)<title\b[^<>]{0,200}>([^<]{0,2000})")
_IMAGE = re.compile(rb"(?i)<img\b[^<>]{0,2000}")
_TAG = re.compile(rb"<[^<>]*+>")
_WORD = re.compile(r"\w{2,}")
_FEWEST_WORDS = 3


def body_digest(html: bytes) -> bytes:
    """Return a digest of the title and the main text of a page; b"" if it shows hardly any."""
    start = next((found.start() for each in _MAIN if (found := each.search(html))), 0)
    end = html.rfind(b"</main") if html[start : start + 5].lower() == b"<main" else -1
    body = _without_theme(html[start : end if end > start else len(html)])
    text = b" ".join(_TAG.sub(b" ", body).split())  # most of a menu is indentation
    words = " ".join(unescaped(text.decode("utf-8", "replace")).split())
    if len(_WORD.findall(words[:2_000])) < _FEWEST_WORDS:
        return b""
    title = _TITLE.search(html)
    shown = [title[1] if title else b"", words.encode(), *_IMAGE.findall(body)]
    return blake2b(b"\0".join(shown), digest_size=16).digest()


def _without_theme(body: bytes) -> bytes:
    """Return the HTML without elements that no reader takes for content."""
    kept: list[bytes] = []
    position, skipped = 0, b""
    for tag in _THEME.finditer(body):
        name = tag["name"].lower()
        if not skipped and not tag["closing"]:
            kept.append(body[position : tag.start()])
            skipped = name
        elif tag["closing"] and name == skipped:
            position, skipped = tag.start(), b""
    return b"".join([*kept, b"" if skipped else body[position:]])
