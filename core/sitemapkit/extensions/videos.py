"""Videos of a page, for video search (Google's video extension of sitemaps, 1.1).

They come from the page's metadata, and, on request, from `<video>` elements and the players of
YouTube and Vimeo in its content, where all that search engines require is known. A video that lacks
something is reported with what is missing, and is not written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import structs

from sitemapkit import dates, urls
from sitemapkit.content import main_content, page_html
from sitemapkit.errors import UrlError
from sitemapkit.model import Uploader, Video
from sitemapkit.xmltext import Namespace, element, escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selectolax.lexbor import LexborNode

    from sitemapkit.model import Candidate, Entry, Issue, Page
    from sitemapkit.options import Options
    from sitemapkit.report import Report

NAMESPACE = Namespace("video", "http://www.google.com/schemas/sitemap-video/1.1")

_YES_NO = {"yes": True, "no": False, "true": True, "false": False}
_FLAGS = ("family_friendly", "requires_subscription", "live")
_ADDRESSES = ("thumbnail_loc", "content_loc", "player_loc")
_YOUTUBE = re.compile(r"(?:www\.)?youtube(?:-nocookie)?\.com")
_VIMEO = re.compile(r"player\.vimeo\.com")
_YOUTUBE_ID = re.compile(r"/embed/(?P<id>[\w-]{6,})")


def find(
    listed: Sequence[Candidate], options: Options, report: Report
) -> Iterator[Sequence[Video]]:
    """Yield the videos of each page that can be written, and report what is wrong with others.

    They are those of the metadata, and, if the option asks for them, those in the content.
    """
    for found in listed:
        raws = _stated(dict(found.metadata.extensions).get("videos"))
        if options.videos:
            raws += _unstated(found.page, found.loc, raws)
        yield [video for raw in raws if (video := _checked(raw, found, report))]


class Writer:
    """Writes `<video:video>` elements, whose addresses are in normal form."""

    def __init__(self, on_issue: Callable[[Issue], None], encoding: str) -> None:
        """Need neither: a `Video` is valid."""

    def pieces(self, entries: Sequence[Entry]) -> Iterable[Sequence[str]]:
        """Return the elements of each entry."""
        return [[*map(_element, entry.videos)] for entry in entries]


def _stated(value: object) -> list[Mapping[str, object]]:
    """Return the videos in the metadata, a mapping or a list of them."""
    items = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
    return [cast("Mapping[str, object]", item) for item in items if isinstance(item, Mapping)]


def _unstated(
    page: Page, loc: str, stated: Sequence[Mapping[str, object]]
) -> list[Mapping[str, object]]:
    """Return the videos in the content that the metadata does not describe."""
    known = {
        _resolved(str(video[name]), loc)
        for video in stated
        for name in ("content_loc", "player_loc")
        if video.get(name)
    }
    return [
        raw
        for raw in _embedded(page, loc)
        if known.isdisjoint({raw.get("content_loc"), raw.get("player_loc")})
    ]


def _embedded(page: Page, loc: str) -> Iterator[Mapping[str, object]]:
    html = page_html(page)
    if "<video" not in html and "<iframe" not in html:
        return
    root = main_content(html)
    common = {"title": page.title, "description": page.meta.get("description")}
    for node in root.css("video, iframe") if root else ():
        raw = _embedded_file(node, loc) if node.tag == "video" else _player(node, loc)
        if raw:
            yield {**common, **{name: value for name, value in raw.items() if value}}


def _embedded_file(node: LexborNode, loc: str) -> Mapping[str, object] | None:
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


def _checked(raw: Mapping[str, object], found: Candidate, report: Report) -> Video | None:
    try:
        return _video(raw, found.page, found.loc)
    except (ValueError, msgspec.ValidationError) as error:  # the second is the first since 0.21
        what = str(raw.get("content_loc") or raw.get("player_loc") or raw.get("title") or "a video")
        report.add("bad-video", found.page.name, f"{what!r}: {error}.")
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


def _element(video: Video) -> str:
    """Return the `<video:video>` of one video, in the order of the schema, on one line."""
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
