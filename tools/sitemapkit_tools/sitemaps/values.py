"""The values of videos and news in a sitemap, judged by the rules by which they are written."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from sitemapkit import dates
from sitemapkit.urls import normalize_or_none
from sitemapkit_extras.extensions.videos import Video
from sitemapkit_extras.formats.news import RECENT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Values = Mapping[str, str]
    """The first text of each local name in one `<video:video>` or `<news:news>`."""

_MORE_OF_VIDEOS = {
    *("tag", "category", "gallery_loc", "price", "tvshow", "id", "content_segment_loc"),
    *("show_title", "video_type", "episode_title", "season_number", "episode_number"),
    "premier_date",
}
"""Elements of the schema that we do not write."""

_FLAGS = ("family_friendly", "requires_subscription", "live")
_ADDRESSES = ("thumbnail_loc", "content_loc", "player_loc", "gallery_loc")
_DATES = ("expiration_date", "publication_date")
_LIMITED = ("title", "description", "duration", "rating", "view_count")
_COMPLETE = {"thumbnail_loc": "-", "title": "-", "description": "-", "content_loc": "-"}

_LANGUAGE = re.compile(r"[a-z]{2,3}|zh-(?:cn|tw)", re.IGNORECASE)
"""ISO 639, or one of the two that Google's guide names for Chinese."""

_SKEW = timedelta(days=1)
"""How far the day of a publication may be ahead of ours, in another zone."""


def wrong_in_video(values: Values) -> Iterator[str]:
    """Yield what is wrong with the values of a video."""
    for name, text in values.items():
        if name not in Video.__struct_fields__ and name not in _MORE_OF_VIDEOS:
            yield f"Videos have no {name[:60]}."
        if name in _FLAGS and text.lower() not in ("yes", "no"):
            yield f"Its {name} is {text[:60]!r}; allowed: yes, no."
        if name in _ADDRESSES and normalize_or_none(text) is None:
            yield f"Its {name} is {text[:200]!r}, which is not an absolute URL."
        if name in _DATES:
            yield from _wrong_date(name, text)
        if name in _LIMITED:
            yield from _beyond_limits(name, text)


def _beyond_limits(name: str, text: str) -> Iterator[str]:
    try:
        msgspec.convert(_COMPLETE | {name: text}, Video, strict=False)
    except msgspec.ValidationError as error:
        expected = str(error).partition(" - at ")[0].partition(", got")[0].replace(" | null", "")
        for kind, words in _KINDS.items():
            expected = expected.replace(kind, words)
        yield f"Its {name} is {text[:60]!r}. {expected}."


_KINDS = {"`int`": "a whole number", "`float`": "a number", "`str`": "text"}


def wrong_in_news(values: Values) -> Iterator[str]:
    """Yield what is wrong with the values of an article."""
    language = values.get("language", "")
    if language and not _LANGUAGE.fullmatch(language):
        yield f"Its language is {language[:60]!r}; allowed: a code such as en, or zh-cn."
    day = values.get("publication_date", "")
    if not day:
        return
    wrong = [*_wrong_date("publication_date", day)]
    yield from wrong
    if wrong:
        return
    published, now = dates.parse_w3c(day), dates.now()
    if not isinstance(published, datetime):
        published = datetime.combine(published, datetime.max.time(), now.tzinfo)
    if published < now - RECENT:
        yield f"It is of {day}; engines take news of the last two days."
    elif published > now + _SKEW:
        yield f"Its publication_date, {day}, is in the future."


def _wrong_date(name: str, text: str) -> Iterator[str]:
    try:
        dates.parse_w3c(text)
    except ValueError:
        yield (f"Its {name} is {text[:60]!r}; allowed: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm.")
