"""Entries to XML (rules D1-D8, LM1, CP1-CP5, IX1)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sitemapkit.urls import normalize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapkit.entry import Entry

MARKER = "<!-- sitemapkit -->"
"""Stands in every XML file of ours, right after the declaration: only such files are removed."""

HEAD = f'<?xml version="1.0" encoding="UTF-8"?>\n{MARKER}\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_IMAGE = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
URLSET_FOOT = "</urlset>\n"
INDEX_HEAD = f'{HEAD}<sitemapindex xmlns="{_SITEMAP}">\n'
INDEX_FOOT = "</sitemapindex>\n"


def urlset_head(*, images: bool, alternates: bool) -> str:
    """Return the start of a `<urlset>`; a namespace is declared only where it is used (D8)."""
    return (
        f'{HEAD}<urlset xmlns="{_SITEMAP}"'
        f"{_IMAGE if images else ''}{_XHTML if alternates else ''}>\n"
    )


def render_url(entry: Entry) -> str:
    """Return the `<url>` of one entry, with a final newline."""
    parts = [f"<url><loc>{_text(normalize(entry.loc))}</loc>"]
    if entry.lastmod is not None:
        parts.append(f"<lastmod>{lastmod_text(entry.lastmod)}</lastmod>")
    if entry.changefreq is not None:
        parts.append(f"<changefreq>{entry.changefreq}</changefreq>")
    if entry.priority is not None:
        parts.append(f"<priority>{priority_text(entry.priority)}</priority>")
    parts += [
        f"<image:image><image:loc>{_text(normalize(image))}</image:loc></image:image>"
        for image in entry.images
    ]
    parts += [
        f'<xhtml:link rel="alternate" hreflang="{_text(other.hreflang)}"'
        f' href="{_text(normalize(other.href))}"/>'
        for other in entry.alternates
    ]
    parts.append("</url>\n")
    return "".join(parts)


def render_index(children: Iterable[tuple[str, str | None]]) -> str:
    """Return a `<sitemapindex>` of (URL, lastmod or None) pairs (IX1)."""
    rows = [
        f"<sitemap><loc>{_text(loc)}</loc>"
        f"{f'<lastmod>{lastmod}</lastmod>' if lastmod else ''}</sitemap>\n"
        for loc, lastmod in children
    ]
    return f"{INDEX_HEAD}{''.join(rows)}{INDEX_FOOT}"


def priority_text(priority: float) -> str:
    """Return 0.8 as `0.8` and 0.25 as `0.25`: at most two decimals, with a dot (CP3)."""
    text = f"{priority:.2f}"
    return text.removesuffix("0")


def lastmod_text(value: date | int | str) -> str:
    """Return a W3C date or a datetime with seconds and offset (LM1)."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        value = datetime.fromtimestamp(value, UTC)
    if not isinstance(value, datetime):
        return value.isoformat()
    if value.tzinfo is None:
        return value.date().isoformat()
    return value.isoformat(timespec="seconds").replace("+00:00", "Z")


def _text(value: str) -> str:
    return escape(value, {'"': "&quot;", "'": "&apos;"})
