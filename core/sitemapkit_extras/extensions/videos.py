"""Videos of a page, for video search (Google's video extension of sitemaps, 1.1).

They come from the page's metadata and, on request, from `<video>` elements in its content, if all
required values are known. A video without one of them is
reported and not written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, cast

import msgspec
from msgspec import Meta, Struct, structs

from sitemapkit import dates, urls
from sitemapkit.xmltext import Namespace, element, escaped
from sitemapkit_extras.content import elements_in
from sitemapkit_extras.options import Extras

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

    from sitemapkit.model import Entry, Listed
    from sitemapkit.options import Options
    from sitemapkit.report import Report

NAMESPACE = Namespace("video", "http://www.google.com/schemas/sitemap-video/1.1")

_Country = Annotated[str, Meta(pattern="^[A-Z]{2}$")]
_Address = Annotated[str, Meta(min_length=1)]


class Restriction(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The countries in which a video may be shown, or may not."""

    relationship: Literal["allow", "deny"]
    countries: Annotated[tuple[_Country, ...], Meta(min_length=1)]


class Platform(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The platforms on which a video may be shown, or may not."""

    relationship: Literal["allow", "deny"]
    platforms: Annotated[tuple[Literal["web", "mobile", "tv"], ...], Meta(min_length=1)]


class Uploader(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who put the video online; `info` is the URL of a page about them on the same host."""

    name: Annotated[str, Meta(min_length=1, max_length=255)]
    info: _Address | None = None


class Video(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One video; names, limits and order are those of the extension's schema."""

    thumbnail_loc: _Address
    title: Annotated[str, Meta(min_length=1, max_length=100)]
    description: Annotated[str, Meta(min_length=1, max_length=2048)]
    content_loc: _Address | None = None
    player_loc: _Address | None = None
    duration: Annotated[int, Meta(ge=1, le=28_800)] | None = None
    expiration_date: str | None = None
    rating: Annotated[float, Meta(ge=0, le=5)] | None = None
    view_count: Annotated[int, Meta(ge=0)] | None = None
    publication_date: str | None = None
    tags: Annotated[tuple[str, ...], Meta(max_length=32)] = ()
    family_friendly: bool | None = None
    restriction: Restriction | None = None
    requires_subscription: bool | None = None
    uploader: Uploader | None = None
    platform: Platform | None = None
    live: bool | None = None

    def __post_init__(self) -> None:
        """Check what types cannot say."""
        if not (self.content_loc or self.player_loc):
            raise ValueError("`content_loc` or `player_loc` is missing")
        for text in (self.expiration_date, self.publication_date):
            if text is not None:
                dates.parse(text)


_Stated = Mapping[str, object]
"""A video as its author states it, which may be invalid."""

_YES_NO = {"yes": True, "no": False}
_FLAGS = ("family_friendly", "requires_subscription", "live")
_FILES = ("content_loc", "player_loc")


def find(listed: Sequence[Listed], options: Options, report: Report) -> Iterator[Sequence[Video]]:
    """Yield the valid videos of each page, and report the others.

    They are those of the metadata and, if the option is set, those in the content.
    """
    encoding = options.url_encoding
    reads_content = Extras.of(options).videos
    for each in listed:
        stated = _in_metadata(each)
        if reads_content:
            stated += _in_content(each, stated, encoding)
        videos: list[Video] = []
        for video in stated:
            try:
                videos.append(_video(video, each, encoding))
            except (ValueError, msgspec.ValidationError) as error:
                names = (video.get(name) for name in (*_FILES, "title"))
                name = str(next(filter(None, names), "a video"))
                report.add("bad-video", each.page.name, f"{name!r}: {error}.")
        yield videos


def xml(entry: Entry, _options: Options, _report: Report) -> str:
    """Return the `<video:video>` elements of an entry; a `Video` is always valid."""
    return "".join(map(_element, entry.videos))


def _in_metadata(listed: Listed) -> list[_Stated]:
    """Return the videos in the metadata: a mapping, or a list of mappings."""
    value = dict(listed.metadata.extensions).get("videos")
    items = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
    return [cast("_Stated", item) for item in items if isinstance(item, Mapping)]


def _in_content(listed: Listed, stated: Sequence[_Stated], encoding: str) -> Iterator[_Stated]:
    """Yield the videos in the content, but not those whose files the metadata states."""
    page = listed.page
    absolute = partial(urls.resolve_or_none, page=listed.loc, encoding=encoding)
    known: set[str | None] = set()
    for video in stated:
        for name in _FILES:
            if video.get(name):
                known.add(absolute(str(video[name])))
    for node in elements_in(page, "video"):
        attributes = node.attributes
        url = absolute(_file_of(node))
        if url and url not in known:
            yield {
                "content_loc": url,
                "thumbnail_loc": absolute(attributes.get("poster")),
                "title": attributes.get("title") or attributes.get("aria-label") or page.title,
                "description": page.meta.get("description"),
            }


def _file_of(video: LexborNode) -> str | None:
    """Return the address of a `<video>`, or of the first of its sources."""
    address = video.attributes.get("src")
    for child in video.iter():
        if not address and child.tag == "source":
            address = child.attributes.get("src")
    return address


def _video(stated: _Stated, listed: Listed, encoding: str) -> Video:
    """Return a valid video. Raises ValueError, which says what is missing or wrong."""
    plain: dict[str, object] = {}
    for name, value in stated.items():
        if value not in (None, ""):
            plain[name] = _plain(name, value)
    plain.setdefault("title", listed.page.title)
    video = msgspec.convert(plain, Video, strict=False)
    absolute = partial(urls.resolve, page=listed.loc, encoding=encoding)
    changes: dict[str, object] = {"thumbnail_loc": absolute(video.thumbnail_loc)}
    for name in _FILES:
        file: str | None = getattr(video, name)
        if file:
            changes[name] = absolute(file)
            if changes[name] == listed.loc:
                raise ValueError("its URL is that of the page itself")
    uploader = video.uploader
    if uploader and uploader.info:
        changes["uploader"] = structs.replace(uploader, info=absolute(uploader.info))
    return structs.replace(video, **changes)


def _plain(name: str, value: object) -> object:
    """Return a value of the metadata as the schema has it: YAML knows dates, people write "yes"."""
    if isinstance(value, date):
        return dates.w3c(dates.known(value))
    if name in _FLAGS and isinstance(value, str):
        return _YES_NO.get(value.lower(), value)
    return value


def _element(video: Video) -> str:
    """Return the `<video:video>` of one video on one line; the fields are in the schema's order."""
    children: list[str] = []
    for name, value in structs.asdict(video).items():
        if value is not None:
            children.append(_child(name, value))
    return f"<video:video>{''.join(children)}</video:video>"


def _child(name: str, value: object) -> str:
    match value:
        case tuple():
            tags = cast("tuple[str, ...]", value)
            return "".join([element("video:tag", tag) for tag in tags])
        case Restriction() | Platform():
            relationship, words = structs.astuple(value)
            start = f'video:{name} relationship="{relationship}"'
            return f"<{start}>{' '.join(words)}</video:{name}>"
        case Uploader():
            info = f' info="{escaped(value.info)}"' if value.info else ""
            return f"<video:uploader{info}>{escaped(value.name)}</video:uploader>"
        case str() if name.endswith("_date"):
            return element(f"video:{name}", dates.w3c(dates.parse(value)))
        case _:
            return element(f"video:{name}", value)
