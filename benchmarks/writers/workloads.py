"""The URLs that all writers write, as plain tuples.

w1: one page in twenty has umlauts, one in ten a query; date, change frequency and priority.
w2: plain URLs with the same, five languages and two images a page.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitemapkit.model import ChangeFreq

    Page = tuple[str, datetime, ChangeFreq, float]
    Links = Sequence[tuple[str, str]]
    RichPage = tuple[str, datetime, ChangeFreq, float, Links, Sequence[str]]

BASE = "https://www.example.com"
START = datetime(2024, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
FREQUENCIES: Sequence[ChangeFreq] = ("daily", "weekly", "monthly")
LANGUAGES = ("en", "de", "fr", "es", "ja")


def w1(count: int) -> Iterator[Page]:
    """Yield (loc, lastmod, changefreq, priority)."""
    lastmod = START
    for i in range(count):
        section, page = i % 97, f"{i:07}"
        if i % 20 == 7:  # noqa: PLR2004
            loc = f"{BASE}/docs/größe-{section}/page-{page}/"
        elif i % 10 == 3:  # noqa: PLR2004
            loc = f"{BASE}/docs/section-{section}/page-{page}/?ref=a&id={i}"
        else:
            loc = f"{BASE}/docs/section-{section}/page-{page}/"
        lastmod += MINUTE
        yield loc, lastmod, FREQUENCIES[i % 3], (i % 10 + 1) / 10


def w2(count: int) -> Iterator[RichPage]:
    """Yield the same and [(language, URL)], [URL of an image]."""
    lastmod = START
    for i in range(count):
        page = f"{i:07}"
        path = f"/docs/section-{i % 97}/page-{page}/"
        lastmod += MINUTE
        yield (
            f"{BASE}{path}",
            lastmod,
            FREQUENCIES[i % 3],
            (i % 10 + 1) / 10,
            [(language, f"{BASE}/{language}{path}") for language in LANGUAGES],
            [f"https://cdn.example.com/img/{page}-{n}.jpg" for n in (0, 1)],
        )
