"""A video as XML, in the order of the extension's schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapkit import dates
from sitemapkit.output.xmltext import element, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapkit.model import Video


def video_element(video: Video) -> str:
    """Return the `<video:video>` of one video, on one line."""
    return f"<video:video>{''.join(_children(video))}</video:video>"


def _children(video: Video) -> Iterator[str]:
    for name in ("thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration"):
        yield _simple(video, name)
    yield _date(video, "expiration_date")
    yield _simple(video, "rating")
    yield _simple(video, "view_count")
    yield _date(video, "publication_date")
    for tag in video.tags:
        yield element("video:tag", tag)
    yield _simple(video, "family_friendly")
    if video.restriction:
        countries = " ".join(video.restriction.countries)
        yield _related("restriction", video.restriction.relationship, countries)
    yield _simple(video, "requires_subscription")
    if video.uploader:
        info = f' info="{escaped(video.uploader.info)}"' if video.uploader.info else ""
        yield f"<video:uploader{info}>{escaped(video.uploader.name)}</video:uploader>"
    if video.platform:
        platforms = " ".join(video.platform.platforms)
        yield _related("platform", video.platform.relationship, platforms)
    yield _simple(video, "live")


def _simple(video: Video, name: str) -> str:
    value = getattr(video, name)
    return "" if value is None else element(f"video:{name}", value)


def _date(video: Video, name: str) -> str:
    text = getattr(video, name)
    return "" if text is None else element(f"video:{name}", dates.w3c(dates.parse(text)))


def _related(name: str, relationship: str, text: str) -> str:
    return f'<video:{name} relationship="{relationship}">{text}</video:{name}>'
