"""Entry: one `<url>` of a sitemap, as plain slotted records.

Making them must be cheap: an Entry is a struct of msgspec, made in a fifth of the time that
dataclasses and named tuples take, and nothing is checked here. `sitemapkit.output.xml` proves every
entry valid before a byte is written.
"""

from __future__ import annotations

# A struct looks its annotations up when somebody asks for its signature.
from collections.abc import Sequence  # noqa: TC003
from datetime import date  # noqa: TC003
from typing import NamedTuple

from msgspec import Struct

from sitemapkit.options import ChangeFreq  # noqa: TC001
from sitemapkit.video import Video  # noqa: TC001


class Alternate(NamedTuple):
    """One language version of a page (rule HL1); a complete set names every version and itself."""

    hreflang: str
    """A language tag such as `pt-BR`, or `x-default`."""

    href: str
    """Absolute URL of that version."""


class Entry(Struct, gc=False):
    """One `<url>`; only `loc` is required, and what is None is not written."""

    loc: str
    """Absolute http(s) URL of the page (rules L1-L8)."""

    lastmod: date | int | str | None = None
    """Day, aware datetime, seconds since 1970 (UTC) or a W3C datetime of the last change (LM1)."""

    changefreq: ChangeFreq | None = None
    """A hint that search engines mostly ignore (CP1)."""

    priority: float | None = None
    """0.0 to 1.0, relative within the site (CP2)."""

    alternates: Sequence[tuple[str, str]] = ()
    """All language versions, this one included (HL1): Alternates, or plain pairs in their order."""

    images: Sequence[str] = ()
    """Absolute URLs of images on the page, at most 1,000."""

    videos: Sequence[Video] = ()
    """Videos on the page."""

    title: str = ""
    """Title of the page, for news, feeds and the sitemap that people read."""

    published: date | None = None
    """Day or aware datetime of first publication, for news."""
