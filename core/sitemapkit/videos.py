"""Videos of a page, for video search (Google's video extension of sitemaps, 1.1).

They come from the page's metadata, and, on request, from `<video>` elements and the players of
YouTube and Vimeo in its content, where all that search engines require is known. A video that lacks
something is reported with what is missing, and is not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import structs

from sitemapkit import dates, urls
from sitemapkit.content import main_content, page_html
from sitemapkit.errors import UrlError
from sitemapkit.model import Uploader, Video
from sitemapkit.rules import issue

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from sitemapkit.model import Issue, Page

_FLAT = ("sitemap_videos", "sitemap-videos", "sitemap.videos", "videos")
_KEYS = frozenset({*_FLAT, "sitemap"})
_YES_NO = {"yes": True, "no": False, "true": True, "false": False}
_FLAGS = ("family_friendly", "requires_subscription", "live")
_ADDRESSES = ("thumbnail_loc", "content_loc", "player_loc")
_YOUTUBE = re.compile(r"(?:www\.)?youtube(?:-nocookie)?\.com")
_VIMEO = re.compile(r"player\.vimeo\.com")
_YOUTUBE_ID = re.compile(r"/embed/(?P<id>[\w-]{6,})")


def states_videos(meta: Mapping[str, object]) -> bool:
    """Tell whether the metadata of a page may describe videos; most says nothing of them."""
    return not _KEYS.isdisjoint(meta)


def page_videos(page: Page, loc: str, *, embedded: bool) -> tuple[Sequence[Video], list[Issue]]:
    """Return the videos of a page that can be written, and what is wrong with the others.

    `embedded` looks for videos in the page's content as well.
    """
    stated = _stated(page.meta)
    found = [*stated, *(_unstated(page, loc, stated) if embedded else ())]
    videos: list[Video] = []
    issues: list[Issue] = []
    for raw in found:
        try:
            videos.append(_video(raw, page, loc))
        except (ValueError, msgspec.ValidationError) as error:  # the second is the first since 0.21
            issues.append(_issue(page, raw, error))
    return videos, issues


def _stated(meta: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the videos in the metadata: `videos`, or `sitemap: {videos: [...]}`."""
    flat = next((meta[key] for key in _FLAT if key in meta), None)
    value = _mapping(meta.get("sitemap")).get("videos", flat)
    items = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
    return [video for item in items if (video := _mapping(item))]


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _unstated(
    page: Page, loc: str, stated: Sequence[Mapping[str, object]]
) -> Iterator[Mapping[str, object]]:
    """Yield the videos in the content that the metadata does not describe."""
    known = {
        _resolved(str(video[name]), loc)
        for video in stated
        for name in ("content_loc", "player_loc")
        if video.get(name)
    }
    for raw in _embedded(page, loc):
        if known.isdisjoint({raw.get("content_loc"), raw.get("player_loc")}):
            yield raw


def _embedded(page: Page, loc: str) -> Iterator[Mapping[str, object]]:
    html = page_html(page)
    if "<video" not in html and "<iframe" not in html:
        return
    root = main_content(html)
    common = {"title": page.title, "description": page.meta.get("description")}
    for node in root.css("video, iframe") if root else ():
        raw = _element(node, loc) if node.tag == "video" else _player(node, loc)
        if raw:
            yield {**common, **{name: value for name, value in raw.items() if value}}


def _element(node: LexborNode, loc: str) -> Mapping[str, object] | None:
    source = node.css_first("source")
    own = node.attributes.get("src") or (source.attributes.get("src") if source else None)
    address = _resolved(own, loc)
    if not address:
        return None
    return {
        "content_loc": address,
        "thumbnail_loc": _resolved(node.attributes.get("poster"), loc),
        "title": node.attributes.get("title") or node.attributes.get("aria-label"),
    }


def _player(node: LexborNode, loc: str) -> Mapping[str, object] | None:
    address = _resolved(node.attributes.get("src"), loc) or ""
    host, path = urlsplit(address).netloc, urlsplit(address).path
    title = node.attributes.get("title")
    if _VIMEO.fullmatch(host):
        return {"player_loc": address, "title": title}
    video = _YOUTUBE_ID.match(path) if _YOUTUBE.fullmatch(host) else None
    if not video:
        return None
    thumbnail = f"https://i.ytimg.com/vi/{video['id']}/hqdefault.jpg"
    return {"player_loc": address, "thumbnail_loc": thumbnail, "title": title}


def _resolved(address: str | None, loc: str) -> str | None:
    try:
        return urls.resolve(address, loc) if address else None
    except UrlError:
        return None


def _video(raw: Mapping[str, object], page: Page, loc: str) -> Video:
    """Make a valid video. Raises ValueError, which says what is missing or wrong."""
    plain = {name: _plain(name, value) for name, value in raw.items() if value not in (None, "")}
    plain.setdefault("title", page.title)
    video = msgspec.convert(plain, Video, strict=False)
    given = {name: getattr(video, name) for name in _ADDRESSES}
    absolute = {name: urls.resolve(each, loc) for name, each in given.items() if each}
    if loc in (absolute.get("content_loc"), absolute.get("player_loc")):
        raise ValueError("the address of the video is that of the page itself")
    return structs.replace(video, **absolute, uploader=_uploader(video.uploader, loc))


def _uploader(uploader: Uploader | None, loc: str) -> Uploader | None:
    if not uploader or not uploader.info:
        return uploader
    return structs.replace(uploader, info=urls.resolve(uploader.info, loc))


def _plain(name: str, value: object) -> object:
    if isinstance(value, date):
        return dates.w3c(dates.known(value))
    if name in _FLAGS and isinstance(value, str):
        return _YES_NO.get(value.lower(), value)
    return value


def _issue(page: Page, raw: Mapping[str, object], error: Exception) -> Issue:
    what = str(raw.get("content_loc") or raw.get("player_loc") or raw.get("title") or "a video")
    return issue("bad-video", page.name, f"{what!r}: {error}.")
